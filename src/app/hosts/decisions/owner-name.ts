import type { HostRecord } from '../../../ports/index.ts';

/** The account that owns a host: by its name, by its id where it is no more; `null` where none does. */
export function ownerName(
  { accountId }: Pick<HostRecord, 'accountId'>,
  accounts: ReadonlyMap<string, string>,
): string | null {
  return accountId === null ? null : (accounts.get(accountId) ?? accountId);
}
