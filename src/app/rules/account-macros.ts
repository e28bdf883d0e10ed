import type { Logger } from '../../ports/index.ts';
import { type Account, type AccountDirectory, withoutParent } from '../accounts/account-directory.ts';
import { MASK } from '../domain/mask.ts';
import type { AccountField, ProgramAccount } from '../domain/rules/program-input.ts';

/**
 * What a macro of a secret field yields. `opened`: the secret, for inventories, exports and runs. `hidden`: a placeholder,
 * for everything that is shown: whatever a template does with it, it works on the placeholder. `kept`: the macro as it is
 * written, for texts that become rules themselves, so that no secret is ever stored in one.
 */
export type MacroView = 'opened' | 'hidden' | 'kept';

export interface AccountMacrosDeps {
  readonly accounts: AccountDirectory;
  readonly logger: Logger;
  /** Called with the name of an account whose secret is put into an inventory. */
  readonly onSecret?: (account: string) => void;
}

/** All accounts as rules see them. Secrets are decrypted for `opened` only. */
export async function viewedAccounts(deps: AccountMacrosDeps, view: MacroView): Promise<readonly ProgramAccount[]> {
  const result: ProgramAccount[] = [];
  for (const account of await deps.accounts.list(null)) {
    const fields = await fieldsOf(deps, account, view);
    const { id, name, record, parentRecord } = account;
    const unconfirmed = record.confirmedBy === null || parentRecord?.confirmedBy === null;
    result.push({ id, name, unconfirmed, field: (field) => told(fields.get(field), account, deps) });
  }
  return result;
}

async function fieldsOf(
  deps: AccountMacrosDeps,
  account: Account,
  view: MacroView,
): Promise<ReadonlyMap<string, AccountField>> {
  const fields = new Map<string, AccountField>();
  for (const [name, text] of deps.accounts.plainFields(account)) fields.set(name, { text, isSecret: false });
  // Else whoever writes accounts takes another one's secrets to where those of a child are shown.
  const owner = account.record.confirmedBy === null ? withoutParent(account) : account;
  for (const [name, text] of await secretsOf(deps, owner, view)) {
    fields.set(name, { text, isSecret: true });
  }
  return fields;
}

async function secretsOf(
  { accounts, logger }: AccountMacrosDeps,
  account: Account,
  view: MacroView,
): Promise<readonly (readonly [string, string])[]> {
  if (view !== 'opened') {
    const names = accounts.secretFields(account);
    return names.map((name) => [name, view === 'hidden' ? MASK : `{{ACCOUNT:${account.name}:${name}}}`]);
  }
  try {
    return await accounts.secrets(account);
  } catch (error) {
    logger.warn('secrets of an account cannot be opened; rules see none of them', { account: account.name, error });
    return [];
  }
}

function told(
  field: AccountField | undefined,
  { name }: Account,
  { onSecret }: AccountMacrosDeps,
): AccountField | undefined {
  if (field?.isSecret === true) onSecret?.(name);
  return field;
}
