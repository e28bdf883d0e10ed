import { compareInventory } from '../../../../app/migration/operations/compare-inventory.ts';
import { comparisonOutcome, comparisonView } from '../../../../app/migration/views/inventory-comparison.ts';
import type { CommandContext } from '../../context.ts';
import { readInput } from '../../input-text.ts';
import { secretFromPrompt, secretFromStdin } from '../../secrets.ts';
import { UsageError } from '../../usage-error.ts';

export interface OtherInstallation {
  readonly provider: string;
  readonly url?: string;
  readonly user?: string;
  readonly passwordStdin?: true;
}

interface CompareOptions extends OtherInstallation {
  readonly examples?: number;
  readonly json?: true;
}

export async function compareInventoryCommand(
  context: CommandContext,
  file: string | undefined,
  options: CompareOptions,
): Promise<void> {
  const theirs = await otherInventory(context, file, options);
  const { provider, examples } = options;
  const input = { provider, theirs, ...(examples === undefined ? {} : { examples }) };
  const comparison = await context.longValue('Comparing', compareInventory, input);
  if (options.json) await context.json(comparison);
  else await comparisonView(comparison, context);
  comparisonOutcome(comparison, context);
}

/** The text of the other inventory, of a file or over HTTP. */
async function otherInventory(
  context: CommandContext,
  file: string | undefined,
  { provider, url, user, passwordStdin }: OtherInstallation,
): Promise<string> {
  if ((file === undefined) === (url === undefined)) {
    throw new UsageError('name the other inventory: a file of it, or --url with the address of the other installation');
  }
  if (file !== undefined) {
    if (user !== undefined || passwordStdin) throw new UsageError('--user and --password-stdin go with --url');
    return new TextDecoder().decode(await readInput(file, context.terminal));
  }
  if (passwordStdin && user === undefined) throw new UsageError('--password-stdin needs --user');
  const { fetchInventory } = await import('./fetch-inventory.ts');
  const password = user === undefined ? undefined : await passwordOf(context, user, passwordStdin === true);
  const login = user === undefined || password === undefined ? undefined : `${user}:${password}`;
  return fetchInventory({ url: url ?? '', provider, login, signal: context.terminal.signal });
}

function passwordOf(context: CommandContext, user: string, stdin: boolean): Promise<string> {
  return stdin ? secretFromStdin(context) : secretFromPrompt(context, `Password of ${user} in the other installation`);
}
