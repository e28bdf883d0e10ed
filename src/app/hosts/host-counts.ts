import type { HostFilter } from '../../ports/index.ts';
import type { HostServices } from './services.ts';
import { DAY_MS } from './stale-hosts.ts';

/** Somewhat more than a year, so that a day can be held against the same one of last year. */
export const MOST_DAYS = 400;

type Counted = Pick<HostServices, 'storage' | 'clock'>;

/** The active records that an account owns. */
export function activeOf(accountId: string): HostFilter {
  return { scope: { accounts: [accountId], templates: null }, kind: 'all', state: 'active' };
}

/** How many active records each account owns; accounts that own none are absent. */
export async function ownedByAccount({ storage }: Pick<HostServices, 'storage'>): Promise<ReadonlyMap<string, number>> {
  const counted = await storage.hosts.countByAccount();
  const owned = counted.map(({ accountId, hosts, objects }) => [accountId, hosts + objects] as const);
  return new Map(owned.flatMap(([account, count]) => (account === null || count === 0 ? [] : [[account, count]])));
}

/** Counts the hosts, and keeps that for today; later counts of the day take its place. An empty installation has nothing to tell. */
export async function keepHostCounts({ storage, clock }: Counted): Promise<void> {
  const at = clock.now();
  const accounts = await storage.hosts.countByAccount();
  if (accounts.length > 0) await storage.hostCounts.keep({ day: dayOf(at), at, accounts });
}

export async function pruneHostCounts({ storage, clock }: Counted): Promise<void> {
  await storage.hostCounts.prune(daysBefore(clock.now(), MOST_DAYS));
}

/** The day of UTC, as `2026-01-31`. */
export function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}

export function daysBefore(at: Date, days: number): string {
  return dayOf(new Date(at.getTime() - days * DAY_MS));
}
