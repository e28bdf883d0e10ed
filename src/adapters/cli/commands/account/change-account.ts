import { addAccount } from '../../../../app/accounts/operations/add-account.ts';
import { setAccount } from '../../../../app/accounts/operations/set-account.ts';
import { shellWord } from '../../../../app/words/escape.ts';
import type { CommandContext } from '../../context.ts';
import type { Pairs } from '../../option-values.ts';
import { secretFromPrompt, secretFromStdin } from '../../secrets.ts';
import { UsageError } from '../../usage-error.ts';

export interface AddAccountOptions {
  readonly json?: true;
  readonly type: string;
  readonly set?: Pairs;
  readonly object?: true;
  readonly disabled?: true;
  readonly passwordStdin?: true;
  readonly askPassword?: true;
}

export interface SetAccountOptions {
  readonly json?: true;
  readonly set?: Pairs;
  readonly passwordStdin?: true;
  readonly askPassword?: true;
}

export async function addAccountCommand(
  context: CommandContext,
  name: string,
  options: AddAccountOptions,
): Promise<void> {
  const answer = await context.value(addAccount, {
    name,
    type: options.type,
    settings: Object.fromEntries(options.set ?? []),
    ...(await passwordOf(context, options)),
    object: options.object === true,
    disabled: options.disabled === true,
  });
  if (options.json) await context.json(answer);
  else context.note(`Added account ${name}. ${nextStep(name, options.type)}`);
}

export async function setAccountCommand(
  context: CommandContext,
  name: string,
  options: SetAccountOptions,
): Promise<void> {
  if (options.set === undefined && !options.passwordStdin && !options.askPassword) {
    throw new UsageError('say what to change: --set key=value, --ask-password or --password-stdin');
  }
  const answer = await context.value(setAccount, {
    name,
    settings: Object.fromEntries(options.set ?? []),
    ...(await passwordOf(context, options)),
  });
  if (options.json) await context.json(answer);
  else context.note(`Saved account ${name}.`);
}

async function passwordOf(
  context: CommandContext,
  options: { passwordStdin?: true; askPassword?: true },
): Promise<{ password?: string }> {
  if (options.passwordStdin) return { password: await secretFromStdin(context) };
  if (options.askPassword) return { password: await secretFromPrompt(context, 'Password of the remote system') };
  return {};
}

/** Accounts without a source or target are written through the API only. */
function nextStep(name: string, type: string): string {
  if (['api', 'from_api', 'restapi', 'custom'].includes(type)) return 'Hosts are written under it through the API.';
  return `Try it: muster account test ${shellWord(name)}`;
}
