import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { requireUser, userNameSchema } from '../require-user.ts';
import { sessionAnswer, sessionSchema } from '../session-answer.ts';

export const listSessions = defineOperation({
  name: 'users/list-sessions',
  title: 'Sessions of a user',
  description: 'Where a user is logged in at the admin interface, last used first.',
  effect: 'read',
  roles: ['admin'],
  weight: 'light',
  at: { page: true },
  input: z.object({ name: userNameSchema }),
  output: z.object({ sessions: z.array(sessionSchema) }),
  async run({ name }, { services, caller }) {
    const records = await services.sessions.ofUser(await requireUser(services, name));
    return { sessions: records.map((record) => sessionAnswer(record, caller.session)) };
  },
});
