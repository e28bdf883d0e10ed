import type { KeyedHost, MarkStore } from '../../../../ports/index.ts';
import type { WriteModeContext } from '../write-mode.ts';
import type { NamedKeys } from './named-keys.ts';

const KEYS_A_BATCH = 500;

interface Pruning {
  readonly marks: MarkStore;
  readonly owns: boolean;
  readonly except: ReadonlySet<string>;
  readonly named: Pick<NamedKeys, 'has'>;
}

/**
 * Takes back the keys that were there before a run which read everything, and that it did not name. Hosts that the account owns and
 * that the source no longer has keep theirs, as they keep their labels: by them they are found when they come back.
 */
export async function pruneKeys(
  { account, hosts, startedAt }: WriteModeContext,
  { marks, owns, except, named }: Pruning,
): Promise<void> {
  const request = { accountId: account.id, since: startedAt, batchSize: KEYS_A_BATCH };
  for await (const batch of marks.unrenewedKeys(request)) {
    const unnamed = batch.filter(({ hostname, value }) => !named.has(hostname, value));
    if (unnamed.length === 0) continue;
    const names = [...new Set(unnamed.map(({ hostname }) => hostname))];
    const present = await hosts.findEach(names);
    const kept = new Set<string>(except);
    for (const host of present) {
      if (!owns || host === undefined || host.accountId !== account.id) continue;
      const wasNamed = host.archive === null && host.lastSeen !== null && host.lastSeen >= startedAt;
      if (!wasNamed) kept.add(host.hostname);
    }
    const gone: KeyedHost[] = unnamed.filter(({ hostname }) => !kept.has(hostname));
    await marks.removeKeys({ accountId: account.id, keys: gone, since: startedAt });
  }
}
