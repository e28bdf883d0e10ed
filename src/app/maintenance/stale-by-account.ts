import { flagValue } from '../../kit/document/members.ts';
import { AppError } from '../../ports/index.ts';
import type { Account } from '../accounts/account-directory.ts';
import { type StaleHosts, staleByConfiguration } from '../hosts/stale-hosts.ts';
import type { MaintenanceServices } from './services.ts';

/**
 * Returns the hosts that are stale by an account for maintenance: those not seen for `delete_hosts_after_days`, of the account that
 * `account_filter` names or of all, while they are fewer than `dont_delete_hosts_if_more_then`. If the account has no such number of
 * days, the configuration applies.
 */
export async function staleByMaintenanceAccount(
  services: Pick<MaintenanceServices, 'accounts' | 'config'>,
  account: Account,
): Promise<StaleHosts> {
  const days = wholeOption(account, 'delete_hosts_after_days');
  if (days === undefined) return staleByConfiguration(services);
  const filter = optionOf(account, 'account_filter');
  const limit = wholeOption(account, 'dont_delete_hosts_if_more_then');
  return {
    days,
    ...(filter === '' ? {} : { accountId: await idOfAccount(services, account, filter) }),
    ...(limit === undefined || limit === 0 ? {} : { fewerThan: limit }),
  };
}

/** Stale as an account says of its own hosts: not seen for `stale_after_days`. Whether they are archived is `auto_archive_when_stale`. */
export function staleBySourceAccount(account: Account): StaleHosts & { readonly archives: boolean } {
  return {
    days: wholeOption(account, 'stale_after_days') ?? 0,
    accountId: account.id,
    archives: flagValue(optionOf(account, 'auto_archive_when_stale')) === true,
  };
}

async function idOfAccount(
  { accounts }: Pick<MaintenanceServices, 'accounts'>,
  { name }: Account,
  wanted: string,
): Promise<string> {
  const account = (await accounts.byName(wanted)) ?? (await accounts.byId(wanted));
  if (account !== undefined) return account.id;
  throw new AppError('failed', `account_filter of ${name} names ${wanted}, and there is no such account`);
}

function optionOf({ fields }: Account, option: string): string {
  return (fields.get(option)?.value ?? '').trim();
}

function wholeOption(account: Account, option: string): number | undefined {
  const text = optionOf(account, option);
  if (text === '' || text.toLowerCase() === 'false') return undefined;
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new AppError('failed', `${option} of account ${account.name} must be a whole number, and it is "${text}"`);
}
