import { addAccount } from '../../../../app/accounts/operations/add-account.ts';
import { listAccounts } from '../../../../app/accounts/operations/list-accounts.ts';
import { saveHost } from '../../../../app/hosts/operations/save-host.ts';
import { AppError } from '../../../../ports/errors.ts';
import type { CommandContext } from '../../context.ts';
import type { Pairs } from '../../option-values.ts';
import { UsageError } from '../../usage-error.ts';
import { labelOf } from './label-option.ts';

interface CreateHostOptions {
  readonly account?: string;
  readonly label?: Pairs;
  readonly json?: true;
}

/** Account for hosts maintained by people, used if there is none yet. */
const MANUAL = 'manual';

/** `muster host create`: a host that is there already is left alone. */
export async function createHostCommand(
  context: CommandContext,
  hostname: string,
  { account: named, label = [], json }: CreateHostOptions,
): Promise<void> {
  const account = named ?? (await accountOfPeople(context));
  const labels = Object.fromEntries(label.map((pair) => labelOf('--label', pair)));
  const answer = await context.value(saveHost, { hostname, account, labels, before: null });
  if (json) await context.json({ ...answer, hostname, account });
  else context.note(`Created ${hostname} in account ${account}.`);
}

async function accountOfPeople(context: CommandContext): Promise<string> {
  const { accounts } = await context.value(listAccounts, {});
  const writable = accounts.filter(({ type, enabled }) => type === 'api' && enabled).map(({ name }) => name);
  const [first, ...others] = writable;
  if (first !== undefined && others.length === 0) return first;
  if (first !== undefined) {
    throw new UsageError(`say with --account which of these keeps the host: ${writable.join(', ')}`);
  }
  if (accounts.some(({ name }) => name === MANUAL)) {
    throw new AppError(
      'failed',
      `there is no enabled account of type api; make one with "muster account add <name> --type api"`,
    );
  }
  await context.value(addAccount, { name: MANUAL, type: 'api' });
  context.note(`Made account ${MANUAL} for hosts that people keep.`);
  return MANUAL;
}
