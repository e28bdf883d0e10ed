import type { InventoryHost } from '../../ports/index.ts';
import { byBytes } from '../rules/engine/names/variable-names.ts';

export interface IndexedHost {
  readonly hostname: string;
  /** As the document names them, in its order. */
  readonly groups: readonly string[];
}

/** Which hosts and groups an inventory has, without their variables. */
export class InventoryIndex {
  /** In the order of the document. */
  readonly hosts: readonly IndexedHost[];
  /** How many hosts each group has, by name in byte order. */
  readonly groups: ReadonlyMap<string, number>;

  private constructor(hosts: readonly IndexedHost[]) {
    this.hosts = hosts;
    const counts = new Map<string, number>();
    for (const { groups } of hosts) for (const group of groups) counts.set(group, (counts.get(group) ?? 0) + 1);
    this.groups = new Map([...counts].sort(([a], [b]) => byBytes(a, b)));
  }

  /** `groupName` says how a group is served; `undefined` when it is none. A group that is named like a host is none. */
  static async of(
    batches: AsyncIterable<readonly InventoryHost[]>,
    served: { isServed(host: InventoryHost): boolean; groupName(group: string): string | undefined },
  ): Promise<InventoryIndex> {
    let hosts: IndexedHost[] = [];
    const all = new Set<string>();
    // Many hosts are in few groups: each name is made and kept once.
    const names = new Map<string, string | undefined>();
    const nameOf = (group: string): string | undefined => {
      if (!names.has(group)) names.set(group, served.groupName(group));
      return names.get(group);
    };
    for await (const batch of batches) {
      for (const host of batch) {
        if (!served.isServed(host)) continue;
        const groups = new Set(host.groups.flatMap((group) => nameOf(group) ?? []));
        for (const group of groups) all.add(group);
        hosts.push({ hostname: host.hostname, groups: groups.size === 0 ? NO_GROUPS : [...groups] });
      }
    }
    if (hosts.some(({ hostname }) => all.has(hostname))) {
      const taken = new Set(hosts.map(({ hostname }) => hostname).filter((hostname) => all.has(hostname)));
      hosts = hosts.map(({ hostname, groups }) => ({ hostname, groups: groups.filter((group) => !taken.has(group)) }));
    }
    return new InventoryIndex(hosts);
  }
}

const NO_GROUPS: readonly string[] = [];

const MOST_KEPT = 4;

interface KeptIndex {
  readonly revision: string;
  readonly index: Promise<InventoryIndex>;
}

/**
 * The indexes that were asked for last: whoever looks at an inventory asks for one page of it after the other. Callers who
 * ask at the same time share one making.
 */
export class KeptIndexes {
  readonly #kept = new Map<string, KeptIndex>();

  get(key: string, revision: string, make: () => Promise<InventoryIndex>): Promise<InventoryIndex> {
    const kept = this.#kept.get(key);
    const entry = kept?.revision === revision ? kept : { revision, index: make() };
    this.#kept.delete(key);
    this.#kept.set(key, entry);
    entry.index.catch(() => {
      if (this.#kept.get(key) === entry) this.#kept.delete(key);
    });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    return entry.index;
  }
}
