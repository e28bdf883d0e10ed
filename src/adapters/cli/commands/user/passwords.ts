import { listAccounts } from '../../../../app/accounts/operations/list-accounts.ts';
import { addUser } from '../../../../app/users/operations/add-user.ts';
import { changeUser } from '../../../../app/users/operations/change-user.ts';
import { showUser } from '../../../../app/users/operations/show-user.ts';
import type { CommandContext } from '../../context.ts';
import { choosePassword, type SecretChoice } from '../../secrets.ts';
import { UsageError } from '../../usage-error.ts';

interface AddUserOptions {
  readonly json?: true;
  readonly email?: string;
  readonly role?: readonly string[];
  readonly account?: readonly string[];
  readonly template?: readonly string[];
  readonly readOnly?: true;
  readonly admin?: true;
  readonly passwordStdin?: true;
}

export async function addUserCommand(context: CommandContext, name: string, options: AddUserOptions): Promise<void> {
  await requireKnownAccounts(context, options.account ?? []);
  const chosen = await choosePassword(context, {
    stdin: options.passwordStdin === true,
    message: `Password of ${name}`,
  });
  const answer = await context.value(addUser, {
    name,
    password: chosen.secret,
    ...(options.email === undefined ? {} : { email: options.email }),
    roles: [...(options.role ?? [])],
    accounts: [...(options.account ?? [])],
    templates: [...(options.template ?? [])],
    read_only: options.readOnly === true,
    admin: options.admin === true,
  });
  if (!options.json) context.note(`Added user ${name}${rolesText(options)}.`);
  await showChosen(context, answer, chosen, options);
}

/** Found out before anybody types a password. */
async function requireKnownAccounts(context: CommandContext, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const known = (await context.value(listAccounts, {})).accounts.map(({ name }) => name);
  const missing = names.find((name) => !known.includes(name));
  if (missing === undefined) return;
  const there = known.length === 0 ? 'there are none yet' : `there are ${known.join(', ')}`;
  throw new UsageError(`option '--account <name>': there is no account ${missing}; ${there}`);
}

export async function changePassword(
  context: CommandContext,
  name: string,
  options: { passwordStdin?: true; json?: true },
): Promise<void> {
  // Checked first, to avoid typing a password twice only to learn that the user does not exist.
  await context.value(showUser, { name });
  const chosen = await choosePassword(context, {
    stdin: options.passwordStdin === true,
    message: `New password of ${name}`,
  });
  const answer = await context.value(changeUser, { name, password: chosen.secret });
  if (!options.json) context.note(`User ${name} has a new password.`);
  await showChosen(context, answer, chosen, options);
}

/** A password that was made up is the result of the command: alone on the standard output. */
async function showChosen(
  context: CommandContext,
  answer: object,
  chosen: SecretChoice,
  options: { json?: true },
): Promise<void> {
  if (options.json) return context.json(chosen.generated ? { ...answer, password: chosen.secret } : answer);
  if (!chosen.generated) return;
  context.note('Its password is shown only once:');
  await context.result(`${chosen.secret}\n`);
}

function rolesText(options: AddUserOptions): string {
  if (options.role !== undefined)
    return ` with ${options.role.length === 1 ? 'role' : 'roles'} ${options.role.join(', ')}`;
  return options.admin ? ' as global administrator' : ' without any API role';
}
