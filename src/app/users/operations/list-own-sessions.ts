import * as z from 'zod';
import { requireUser } from '../require-user.ts';
import { defineOperation } from '../services.ts';
import { sessionAnswer, sessionSchema } from '../session-answer.ts';

export const listOwnSessions = defineOperation({
  name: 'users/list-own-sessions',
  title: 'Own sessions',
  description: 'Where the caller is logged in at the admin interface, last used first. Every user may ask.',
  effect: 'read',
  roles: 'decided-by-operation',
  weight: 'light',
  at: { page: true },
  input: z.object({}),
  output: z.object({ sessions: z.array(sessionSchema) }),
  async run(_input, { services, caller }) {
    if (caller.refusal !== undefined) throw caller.refusal;
    const records = await services.sessions.ofUser(await requireUser(services, caller.name));
    return { sessions: records.map((record) => sessionAnswer(record, caller.session)) };
  },
});
