import type * as z from 'zod';
import { momentText } from '../../../kit/words/moment.ts';
import type { Column, Print } from '../../kernel/print.ts';
import type { ListedUser, userSchema } from '../user-answer.ts';
import { hostsText, reachText, secondFactorText } from '../words.ts';

type User = z.infer<typeof userSchema>;

export function usersView({ users }: { readonly users: readonly ListedUser[] }, print: Print): Promise<void> {
  return print.table(
    users,
    USER_COLUMNS,
    'There are no users yet. Create one with "muster user add <name> --role all --admin".',
  );
}

export function userView(user: User, print: Print): Promise<void> {
  return print.fields([
    ['name', user.name],
    ['e-mail', user.email],
    ['roles', user.roles.join(', ')],
    ['accounts', reachText(user.accounts)],
    ['templates', reachText(user.templates)],
    ['state', stateText(user)],
    ['second factor', secondFactorText(user.second_factor)],
    ['tokens', String(user.tokens)],
  ]);
}

export const USER_COLUMNS: readonly Column<ListedUser>[] = [
  { header: 'name', value: (user) => user.name, paint: (text, _user, colours) => colours.bold(text) },
  { header: 'roles', value: (user) => user.roles.join(', ') },
  { header: 'accounts', value: hostsText, shrink: true },
  { header: 'tokens', align: 'right', value: (user) => String(user.tokens) },
  {
    header: 'state',
    value: stateText,
    paint: (text, user, colours) => (user.disabled || user.waits ? colours.red(text) : text),
  },
  { header: 'last login (UTC)', value: ({ last_login }) => momentText(last_login) },
  { header: 'e-mail', value: (user) => user.email, shrink: true },
];

function stateText(user: User): string {
  const words = [
    user.global_admin ? 'administrator' : '',
    user.read_only ? 'read-only' : '',
    user.disabled ? 'disabled' : '',
    user.waits ? 'waits for an administrator' : '',
  ];
  return words.filter((word) => word !== '').join(', ') || 'active';
}
