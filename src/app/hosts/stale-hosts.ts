import type { Caller } from '../kernel/caller.ts';
import type { HostServices } from './services.ts';

export const DAY_MS = 24 * 60 * 60 * 1000;

/** Archives the hosts that nobody has seen for STALE_DAYS; none with 0. Answers how many. */
export async function archiveStaleHosts(
  { config, storage, clock }: Pick<HostServices, 'config' | 'storage' | 'clock'>,
  caller: Caller,
): Promise<number> {
  if (config.STALE_DAYS === 0) return 0;
  const at = clock.now();
  const seenBefore = new Date(at.getTime() - config.STALE_DAYS * DAY_MS);
  const archived = await storage.hosts.archiveStale({ seenBefore, at, actor: { kind: 'system', name: caller.name } });
  return archived.length;
}
