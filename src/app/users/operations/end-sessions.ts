import * as z from 'zod';
import { counted } from '../../../kit/words/amounts.ts';
import { endSessionsOf } from '../end-sessions-of.ts';
import { requireUser, userNameSchema } from '../require-user.ts';
import { defineOperation } from '../services.ts';
import { sessionHandleSchema } from '../session-answer.ts';

export const endSessions = defineOperation({
  name: 'users/end-sessions',
  title: 'End sessions of a user',
  description: 'Ends one session of a user at the admin interface, or all of them, on every node.',
  effect: 'destructive',
  roles: ['admin'],
  weight: 'light',
  at: {
    command: {
      words: 'user end-sessions',
      description: 'End a session of a user at the admin interface, or all of them, on every node.',
      arguments: {
        name: { shown: '<name>', description: 'name of the user' },
        session: { shown: '[session]', description: 'only this session, as "user sessions" names it' },
      },
      json: 'answer the outcome as JSON',
      examples: ['muster user end-sessions olga', 'muster user end-sessions olga 3f5a9c0d1e2b'],
      view: ({ ended }, print, { name }) => print.note(`${counted(ended, 'session')} of ${name} ended.`),
    },
    page: true,
  },
  input: z.object({ name: userNameSchema, session: sessionHandleSchema.optional() }),
  output: z.object({ status: z.literal('ended'), ended: z.number().int() }),
  subject: ({ name, session }) => (session === undefined ? name : `${name} ${session}`),
  async run({ name, session }, { services }) {
    const user = await requireUser(services, name);
    return { status: 'ended' as const, ended: await endSessionsOf(services, user, { handle: session }) };
  },
});
