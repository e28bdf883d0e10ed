import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { endSessionsOf } from '../end-sessions-of.ts';
import { requireUser, userNameSchema } from '../require-user.ts';
import { sessionHandleSchema } from '../session-answer.ts';

export const endSessions = defineOperation({
  name: 'users/end-sessions',
  title: 'End sessions of a user',
  description: 'Ends one session of a user at the admin interface, or all of them, on every node.',
  effect: 'destructive',
  roles: ['admin'],
  weight: 'light',
  at: { page: true },
  input: z.object({ name: userNameSchema, session: sessionHandleSchema.optional() }),
  output: z.object({ status: z.literal('ended'), ended: z.number().int() }),
  subject: ({ name, session }) => (session === undefined ? name : `${name} ${session}`),
  async run({ name, session }, { services }) {
    const user = await requireUser(services, name);
    return { status: 'ended' as const, ended: await endSessionsOf(services, user, { handle: session }) };
  },
});
