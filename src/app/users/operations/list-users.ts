import * as z from 'zod';
import { csvLine } from '../../../kit/words/csv.ts';
import { secondsOf } from '../../../kit/words/moment.ts';
import { columnNames } from '../../kernel/listing.ts';
import { defineOperation, defineStreamOperation, type UserServices } from '../services.ts';
import { loginId } from '../sessions.ts';
import { type ListedUser, listedUserSchema, userAnswer } from '../user-answer.ts';
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
      description: 'List the users with their roles, restrictions and last login at the pages.',
      columns: columnNames(USER_COLUMNS),
      json: 'answer a JSON array of users',
      answered: ({ users }) => users,
      examples: ['muster user list', 'muster user list -o csv', "muster user list --json | jq -r '.[].name'"],
      view: usersView,
    },
    page: true,
  },
  input: z.object({}),
  output: z.object({ users: z.array(listedUserSchema) }),
  async run(_input, { services }) {
    return { users: await listedUsers(services) };
  },
});

export const userTable = defineStreamOperation({
  name: 'users/user-table',
  title: 'Table of users',
  description: 'All users with their roles, restrictions and last login, as a CSV file; no secrets.',
  effect: 'read',
  roles: ['admin'],
  weight: 'light',
  at: { page: true },
  input: z.object({}),
  output: z.string(),
  async run(_input, { services }) {
    const users = await listedUsers(services);
    const rows = users.map((user) => csvLine(USER_COLUMNS.map(({ value }) => value(user))));
    const text = csvLine(columnNames(USER_COLUMNS)) + rows.join('');
    return { mediaType: 'text/csv; charset=utf-8', unchanged: false, body: textOnce(text) };
  },
});

async function* textOnce(text: string): AsyncGenerator<string> {
  yield text;
}

async function listedUsers({ users, storage }: Pick<UserServices, 'users' | 'storage'>): Promise<ListedUser[]> {
  const all = await users.list();
  const ids = all.flatMap(({ id, tokens }) => [loginId(id), ...tokens.map(({ hash }) => hash)]);
  const uses = await storage.access.tokenUses(ids);
  const last = (used: readonly string[]): string | null => {
    const times = used.flatMap((id) => uses.get(id)?.getTime() ?? []);
    return times.length === 0 ? null : secondsOf(new Date(Math.max(...times)));
  };
  return all.map((user) => ({
    ...userAnswer(user),
    last_login: last([loginId(user.id)]),
    last_token_use: last(user.tokens.map(({ hash }) => hash)),
  }));
}
