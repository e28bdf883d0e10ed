import * as z from 'zod';
import { columnNames } from '../../kernel/listing.ts';
import { secondName } from '../../kernel/operation.ts';
import { knownCaller } from '../own-document.ts';
import { requireUser, userNameSchema } from '../require-user.ts';
import { defineOperation } from '../services.ts';
import { sessionAnswer, sessionSchema } from '../session-answer.ts';
import { SESSION_COLUMNS, sessionsView } from '../views/sessions.ts';

export const listSessions = defineOperation({
  name: 'users/list-sessions',
  title: 'Sessions of a user',
  description: 'Sessions of a user at the admin interface, last used first.',
  effect: 'read',
  roles: ['admin'],
  weight: 'light',
  at: {
    command: {
      words: 'user sessions',
      description: 'List where a user is logged in at the admin interface.',
      arguments: { name: { shown: '<name>', description: 'name of the user' } },
      columns: columnNames(SESSION_COLUMNS),
      json: 'answer a JSON array of sessions',
      answered: ({ sessions }) => sessions,
      examples: ['muster user sessions olga'],
      view: sessionsView,
    },
    page: true,
  },
  input: z.object({ name: userNameSchema }),
  output: z.object({ sessions: z.array(sessionSchema) }),
  async run({ name }, { services, caller }) {
    const records = await services.sessions.ofUser(await requireUser(services, name));
    return { sessions: records.map((record) => sessionAnswer(record, caller.session)) };
  },
});

export const listOwnSessions = secondName(listSessions, {
  name: 'users/list-own-sessions',
  title: 'Own sessions',
  description: 'Sessions of the caller at the admin interface, last used first. Every user may call this.',
  roles: 'decided-by-operation',
  at: { page: true },
  input: z.object({}),
  as: knownCaller,
  becomes: (_, { name }) => ({ name }),
});
