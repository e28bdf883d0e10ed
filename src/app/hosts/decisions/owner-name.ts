import type { HostRecord } from '../../../ports/index.ts';

/** The account that owns a host: its name, or its id if the account no longer exists; `null` if the host has no owner. */
export function ownerName(
  { accountId }: Pick<HostRecord, 'accountId'>,
  accounts: ReadonlyMap<string, string>,
): string | null {
  return accountId === null ? null : (accounts.get(accountId) ?? accountId);
}
