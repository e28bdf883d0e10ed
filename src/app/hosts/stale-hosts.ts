import type { Caller } from '../kernel/caller.ts';
import type { HostServices } from './services.ts';

export const DAY_MS = 24 * 60 * 60 * 1000;

type Stores = Pick<HostServices, 'storage' | 'clock'>;

/** Which hosts are stale. */
export interface StaleHosts {
  /** Days without having been seen; 0: no host is stale. */
  readonly days: number;
  /** Hosts of this account alone; absent: of all. */
  readonly accountId?: string;
  /** If this many or more are stale, none is archived; absent: any number is. */
  readonly fewerThan?: number;
}

/** Stale as the configuration says. */
export function staleByConfiguration({ config }: Pick<HostServices, 'config'>): StaleHosts {
  return { days: config.STALE_DAYS };
}

/** How many hosts are stale. */
export async function countStaleHosts({ storage, clock }: Stores, stale: StaleHosts): Promise<number> {
  if (stale.days === 0) return 0;
  const scope = stale.accountId === undefined ? null : { accounts: [stale.accountId], templates: null };
  const { notSeenSince } = await storage.hosts.counters({ scope, checkpoint: lastSeenBefore(clock.now(), stale) });
  return notSeenSince;
}

/** Archives them and answers how many, and how many it left alone because they were too many. */
export async function archiveStaleHosts(
  services: Stores,
  caller: Caller,
  stale: StaleHosts,
): Promise<{ readonly archived: number; readonly heldBack: number }> {
  if (stale.days === 0) return { archived: 0, heldBack: 0 };
  if (stale.fewerThan !== undefined) {
    const count = await countStaleHosts(services, stale);
    if (count >= stale.fewerThan) return { archived: 0, heldBack: count };
  }
  const at = services.clock.now();
  const archived = await services.storage.hosts.archiveStale({
    seenBefore: lastSeenBefore(at, stale),
    ...(stale.accountId === undefined ? {} : { accountId: stale.accountId }),
    at,
    actor: { kind: 'system', name: caller.name },
  });
  return { archived: archived.length, heldBack: 0 };
}

function lastSeenBefore(now: Date, { days }: StaleHosts): Date {
  return new Date(now.getTime() - days * DAY_MS);
}
