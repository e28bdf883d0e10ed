import * as z from 'zod';
import { secondsOf } from '../../../kit/words/moment.ts';
import { columnNames } from '../../kernel/listing.ts';
import { defineOperation } from '../services.ts';
import type { User } from '../user.ts';
import { userAnswer, userSchema } from '../user-answer.ts';
import { USER_COLUMNS, usersView } from '../views/users.ts';

export const listUsers = defineOperation({
  name: 'users/list-users',
  title: 'Users',
  description: 'All users with their roles and restrictions; no secrets.',
  effect: 'read',
  roles: ['admin'],
  weight: 'light',
  at: {
    command: {
      words: 'user list',
      description: 'List the users with their roles and restrictions.',
      columns: columnNames(USER_COLUMNS),
      json: 'answer a JSON array of users',
      answered: ({ users }) => users,
      examples: ['muster user list', "muster user list --json | jq -r '.[].name'"],
      view: usersView,
    },
    page: true,
  },
  input: z.object({}),
  output: z.object({ users: z.array(userSchema.extend({ last_token_use: z.string().nullable() })) }),
  async run(_input, { services }) {
    const users = await services.users.list();
    const uses = await services.storage.access.tokenUses(users.flatMap(({ tokens }) => tokens.map(({ hash }) => hash)));
    return { users: users.map((user) => ({ ...userAnswer(user), last_token_use: lastTokenUse(user, uses) })) };
  },
});

function lastTokenUse({ tokens }: User, uses: ReadonlyMap<string, Date>): string | null {
  const times = tokens.flatMap(({ hash }) => uses.get(hash)?.getTime() ?? []);
  return times.length === 0 ? null : secondsOf(new Date(Math.max(...times)));
}
