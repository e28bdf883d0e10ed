import type { HostServices } from './services.ts';
import { DAY_MS } from './stale-hosts.ts';

/** Somewhat more than a year, so that a day can be held against the same one of last year. */
export const MOST_DAYS = 400;

type Counted = Pick<HostServices, 'storage' | 'clock'>;

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
