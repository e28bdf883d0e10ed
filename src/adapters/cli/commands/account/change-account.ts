import { addAccount } from '../../../../app/operations/accounts/add-account.ts';
import { setAccount } from '../../../../app/operations/accounts/set-account.ts';
import type { CommandContext } from '../../context.ts';
import { secretFromStdin } from '../../secrets.ts';
import { UsageError } from '../../usage-error.ts';
import type { AddAccountOptions, SetAccountOptions } from '../account.ts';

export async function addAccountCommand(
  context: CommandContext,
  name: string,
  options: AddAccountOptions,
): Promise<void> {
  const answer = await context.value(addAccount, {
    name,
    type: options.type,
    settings: Object.fromEntries(options.set ?? []),
    ...(options.passwordStdin ? { password: await secretFromStdin(context) } : {}),
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
  if (options.set === undefined && !options.passwordStdin) {
    throw new UsageError('say what to change: --set key=value, or --password-stdin');
  }
  const answer = await context.value(setAccount, {
    name,
    settings: Object.fromEntries(options.set ?? []),
    ...(options.passwordStdin ? { password: await secretFromStdin(context) } : {}),
  });
  if (options.json) await context.json(answer);
  else context.note(`Saved account ${name}.`);
}

/** Accounts without a source are written through the API only. */
function nextStep(name: string, type: string): string {
  if (['api', 'from_api', 'restapi', 'custom'].includes(type)) return 'Hosts are written under it through the API.';
  return `See what it reads: muster account test ${name}`;
}
