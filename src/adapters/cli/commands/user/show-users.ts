import type { z } from 'zod';
import { listUsers } from '../../../../app/users/operations/list-users.ts';
import { showUser } from '../../../../app/users/operations/show-user.ts';
import type { userSchema } from '../../../../app/users/user-answer.ts';
import { fieldLines } from '../../../../app/words/fields.ts';
import type { Column } from '../../../../app/words/print.ts';
import type { CommandContext } from '../../context.ts';

type User = z.infer<typeof userSchema>;

export async function showUsers(context: CommandContext, options: { json?: true }): Promise<void> {
  const { users } = await context.value(listUsers, {});
  if (options.json) await context.json(users);
  else
    await context.table(users, COLUMNS, 'There are no users yet. Create one with "muster user add <name> --role all".');
}

export async function showUserCommand(context: CommandContext, name: string, options: { json?: true }): Promise<void> {
  const user = await context.value(showUser, { name });
  if (options.json) return context.json(user);
  await context.result(
    fieldLines(
      [
        ['name', user.name],
        ['e-mail', user.email],
        ['roles', user.roles.join(', ')],
        ['accounts', accountsText(user)],
        ['state', stateText(user)],
        ['tokens', String(user.tokens)],
      ],
      context.colours,
    ),
  );
}

const COLUMNS: readonly Column<User>[] = [
  { header: 'name', value: (user) => user.name, paint: (text, _user, colours) => colours.bold(text) },
  { header: 'roles', value: (user) => user.roles.join(', ') },
  { header: 'accounts', value: accountsText, shrink: true },
  { header: 'tokens', align: 'right', value: (user) => String(user.tokens) },
  {
    header: 'state',
    value: stateText,
    paint: (text, user, colours) => (user.disabled || user.waits ? colours.red(text) : text),
  },
  { header: 'e-mail', value: (user) => user.email, shrink: true },
];

function accountsText(user: User): string {
  return user.accounts === null ? 'all' : user.accounts.join(', ');
}

function stateText(user: User): string {
  const words = [
    user.global_admin ? 'administrator' : '',
    user.read_only ? 'read-only' : '',
    user.disabled ? 'disabled' : '',
    user.waits ? 'waits for an administrator' : '',
  ];
  return words.filter((word) => word !== '').join(', ') || 'active';
}
