import { addAccount } from '../../../../app/accounts/operations/add-account.ts';
import { listAccountTypes } from '../../../../app/accounts/operations/list-account-types.ts';
import { setAccount } from '../../../../app/accounts/operations/set-account.ts';
import { shellWord } from '../../../../kit/words/escape.ts';
import type { CommandContext } from '../../context.ts';
import type { Pairs } from '../../option-values.ts';
import { secretFromPrompt, secretFromStdin } from '../../secrets.ts';
import { UsageError } from '../../usage-error.ts';

interface SetAccountOptions {
  readonly json?: true;
  readonly set?: Pairs;
  readonly setStdin?: string;
  readonly setFrom?: Pairs;
  readonly passwordFrom?: string;
  readonly passwordStdin?: true;
  readonly askPassword?: true;
}

interface AddAccountOptions extends SetAccountOptions {
  readonly type: string;
  readonly object?: true;
  readonly disabled?: true;
}

export async function addAccountCommand(
  context: CommandContext,
  name: string,
  options: AddAccountOptions,
): Promise<void> {
  const answer = await context.value(addAccount, {
    name,
    type: options.type,
    settings: await settingsOf(context, options),
    ...(await passwordOf(context, options)),
    secrets_from: referencesOf(options),
    object: options.object === true,
    disabled: options.disabled === true,
  });
  if (options.json) await context.json(answer);
  else context.note(`Added account ${name}. ${await nextStep(name, options.type, context)}`);
}

export async function setAccountCommand(
  context: CommandContext,
  name: string,
  options: SetAccountOptions,
): Promise<void> {
  if (Object.keys(options).every((name) => name === 'json')) {
    throw new UsageError(
      'say what to change: --set key=value, --set-from option=reference, --set-stdin option, --password-from, --ask-password or --password-stdin',
    );
  }
  const answer = await context.value(setAccount, {
    name,
    settings: await settingsOf(context, options),
    ...(await passwordOf(context, options)),
    secrets_from: referencesOf(options),
  });
  if (options.json) await context.json(answer);
  else context.note(`Saved account ${name}.`);
}

/** The standard input holds one secret. */
async function settingsOf(
  context: CommandContext,
  { set = [], setStdin, passwordStdin }: Pick<SetAccountOptions, 'set' | 'setStdin' | 'passwordStdin'>,
): Promise<Record<string, string>> {
  const settings = Object.fromEntries(set);
  if (setStdin === undefined) return settings;
  if (passwordStdin)
    throw new UsageError('--set-stdin and --password-stdin both read the standard input; use one of them');
  if (Object.hasOwn(settings, setStdin)) throw new UsageError(`${setStdin} is given by --set and by --set-stdin`);
  return { ...settings, [setStdin]: await secretFromStdin(context) };
}

async function passwordOf(
  context: CommandContext,
  options: { passwordStdin?: true; askPassword?: true; passwordFrom?: string },
): Promise<{ password?: string }> {
  if (options.passwordFrom !== undefined && (options.passwordStdin || options.askPassword)) {
    throw new UsageError('--password-from names where the password is kept; give it in one way only');
  }
  if (options.passwordStdin) return { password: await secretFromStdin(context) };
  if (options.askPassword) return { password: await secretFromPrompt(context, 'Password of the remote system') };
  return {};
}

/** References to stored secrets, by `password` or the name of the option. */
function referencesOf({
  setFrom = [],
  set = [],
  passwordFrom,
}: Pick<SetAccountOptions, 'set' | 'setFrom' | 'passwordFrom'>): Record<string, string> {
  const given = new Set(set.map(([name]) => name));
  const twice = setFrom.find(([name]) => given.has(name));
  if (twice !== undefined) throw new UsageError(`${twice[0]} is given by --set and by --set-from`);
  return { ...Object.fromEntries(setFrom), ...(passwordFrom === undefined ? {} : { password: passwordFrom }) };
}

async function nextStep(name: string, type: string, context: CommandContext): Promise<string> {
  const { types } = await context.value(listAccountTypes, {});
  const kind = types.find(({ id, aliases }) => id === type || aliases.includes(type))?.kind;
  if (kind === 'api') return 'Hosts are written under it through the API.';
  const group = kind === 'channel' ? 'notification' : kind === 'sign_in' ? 'sign-in' : 'account';
  return `Try it: muster ${group} test ${shellWord(name)}`;
}
