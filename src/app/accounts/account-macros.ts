import { Fault } from '../../jinja/fault.ts';
import { MASK } from '../../kit/masking/secret-mask.ts';
import { AppError, type Logger } from '../../ports/index.ts';
import type { AccountField, MacroView, ProgramAccount } from '../rules/engine/program-input.ts';
import { isUnconfirmedAccount, waitsMessage } from '../rules/trust/pending.ts';
import { type Account, type AccountDirectory, referencesOf } from './account-directory.ts';

export interface AccountMacrosDeps {
  readonly accounts: AccountDirectory;
  readonly logger: Logger;
  /** Called with the name of an account whose secret is put into an inventory. */
  readonly onSecret?: (account: string) => void;
}

/**
 * All accounts as rules see them. Secrets are decrypted for `opened` only, and those that are kept elsewhere are read where rules show them: `shown` has
 * `<account>:<field>`.
 */
export async function viewedAccounts(
  deps: AccountMacrosDeps,
  view: MacroView,
  shown: ReadonlySet<string>,
): Promise<readonly ProgramAccount[]> {
  const result: ProgramAccount[] = [];
  const closed: Closed[] = [];
  for (const account of await deps.accounts.list(null)) {
    const fields = await fieldsOf(deps, account, view, closed);
    const { id, name } = account;
    const unconfirmed = isUnconfirmedAccount(account);
    const elsewhere = view === 'opened' ? await elsewhereOf(deps, account, shown) : NOTHING;
    for (const [field, text] of elsewhere.secrets) fields.set(field, { text, isSecret: true });
    const { changesElsewhere, unreadable } = elsewhere;
    result.push({
      ...{ id, name, unconfirmed, changesElsewhere, field: (field) => told(fields.get(field), account, deps, view) },
      ...(unreadable === undefined ? {} : { unreadable }),
    });
  }
  if (closed.length > 0) {
    deps.logger.warn('secrets of accounts cannot be opened; rules see none of them', {
      count: closed.length,
      accounts: closed.slice(0, NAMED).map(({ account }) => account),
      error: closed[0]?.error,
    });
  }
  return result;
}

interface Elsewhere {
  readonly secrets: readonly (readonly [string, string])[];
  readonly changesElsewhere: boolean;
  readonly unreadable?: string;
}

const NOTHING: Elsewhere = { secrets: [], changesElsewhere: false };

/** Secrets kept elsewhere that rules show. Empty for an account that waits for an administrator; their use reports that. */
async function elsewhereOf(
  { accounts }: AccountMacrosDeps,
  account: Account,
  shown: ReadonlySet<string>,
): Promise<Elsewhere> {
  const references = referencesOf(account).filter(([field]) => shown.has(`${account.name}:${field}`));
  if (references.length === 0) return NOTHING;
  if (isUnconfirmedAccount(account)) return { ...NOTHING, secrets: references.map(([field]) => [field, '']) };
  const secrets: [string, string][] = [];
  try {
    for (const [field, reference] of references) secrets.push([field, await accounts.referenced(account, reference)]);
    return { secrets, changesElsewhere: true };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { secrets: [], changesElsewhere: true, unreadable: `account ${account.name}: ${error.message}` };
  }
}

/** How many accounts a line of the log names: after a move, no password opens before it is entered again. */
const NAMED = 20;

/** An account with a secret that does not open, and why. */
interface Closed {
  readonly account: string;
  readonly error: unknown;
}

async function fieldsOf(
  deps: AccountMacrosDeps,
  account: Account,
  view: MacroView,
  closed: Closed[],
): Promise<Map<string, AccountField>> {
  const fields = new Map<string, AccountField>();
  for (const [name, text] of deps.accounts.plainFields(account)) fields.set(name, { text, isSecret: false });
  for (const [name, text] of await secretsOf(deps, account, view, closed)) {
    fields.set(name, { text, isSecret: true });
  }
  return fields;
}

async function secretsOf(
  { accounts }: AccountMacrosDeps,
  account: Account,
  view: MacroView,
  closed: Closed[],
): Promise<readonly (readonly [string, string])[]> {
  if (view !== 'opened') {
    const names = accounts.secretFields(account);
    return names.map((name) => [name, view === 'hidden' ? MASK : `{{ACCOUNT:${account.name}:${name}}}`]);
  }
  try {
    return await accounts.secrets(account);
  } catch (error) {
    closed.push({ account: account.name, error });
    return [];
  }
}

/**
 * An administrator who vouches for a macro means the account of that name at that time. Another user may give the name to another
 * account, or make it the child of one, so a changed account shows no secret before it is confirmed itself.
 */
function told(
  field: AccountField | undefined,
  { name, record, parentRecord }: Account,
  { onSecret }: AccountMacrosDeps,
  view: MacroView,
): AccountField | undefined {
  if (field?.isSecret !== true || view === 'kept') return field;
  const pending = [record, parentRecord].find((candidate) => candidate?.confirmedBy === null);
  if (pending !== undefined) {
    throw new Fault('undefined', `a secret of account ${name} is not shown: ${waitsMessage(pending).text}`);
  }
  onSecret?.(name);
  return field;
}
