import { byBytes, GroupNames } from '../../kit/names/variable-names.ts';
import type { InventoryGroup, InventoryHost } from '../../ports/index.ts';
import { definedNames, type GroupTree, groupTree, servedDefinitions, withGroupsAbove } from './group-tree.ts';

export interface IndexedHost {
  readonly hostname: string;
  /** As the document names them, in its order. */
  readonly groups: readonly string[];
}

/** A group of an inventory. */
export interface IndexedGroup {
  /** Hosts that are in it, or in a group below it. */
  readonly hosts: number;
  readonly parents: readonly string[];
  readonly children: readonly string[];
}

interface Served {
  isServed(host: InventoryHost): boolean;
  /** Returns the name under which a group is served; `undefined` if it is not a group. */
  groupName(group: string): string | undefined;
  /** Definitions of groups, in addition to the groups that hosts name. */
  readonly definitions: readonly InventoryGroup[];
}

/** Which hosts and groups an inventory has, without their variables. */
export class InventoryIndex {
  /** In the order of the document. */
  readonly hosts: readonly IndexedHost[];
  /** By name in byte order. */
  readonly groups: ReadonlyMap<string, IndexedGroup>;
  /** Groups, as rules name them, of which another became the same and is served. */
  readonly lostGroups: ReadonlySet<string>;
  /** Hosts whose names groups have, too, which are left out therefore. */
  readonly takenNames: ReadonlySet<string>;
  readonly #parents: ReadonlyMap<string, readonly string[]>;

  private constructor(
    hosts: readonly IndexedHost[],
    tree: GroupTree,
    lostGroups: ReadonlySet<string>,
    takenNames: ReadonlySet<string>,
  ) {
    this.hosts = hosts;
    this.lostGroups = lostGroups;
    this.takenNames = takenNames;
    this.#parents = tree.parents;
    const counts = new Map<string, number>([...tree.names].map((name) => [name, 0]));
    for (const host of hosts) {
      for (const group of this.groupsOf(host)) counts.set(group, (counts.get(group) ?? 0) + 1);
    }
    this.groups = new Map(
      [...counts]
        .sort(([a], [b]) => byBytes(a, b))
        .map(([name, count]) => {
          const sorted = (names: readonly string[] = NONE): readonly string[] => [...names].sort(byBytes);
          return [
            name,
            { hosts: count, parents: sorted(tree.parents.get(name)), children: sorted(tree.children.get(name)) },
          ];
        }),
    );
  }

  /** Whether a host is in a group, or in one below it. */
  isIn(host: IndexedHost, group: string): boolean {
    return host.groups.includes(group) || (this.#parents.size > 0 && this.groupsOf(host).has(group));
  }

  /** The groups that a host is in, and all above them. */
  groupsOf({ groups }: IndexedHost): ReadonlySet<string> {
    return this.#parents.size === 0 ? new Set(groups) : withGroupsAbove(groups, this.#parents);
  }

  /** Builds the index. A group named like a host is not a group. */
  static async of(
    batches: AsyncIterable<readonly InventoryHost[]>,
    { isServed, groupName, definitions }: Served,
  ): Promise<InventoryIndex> {
    const hosts: IndexedHost[] = [];
    const groupNames = new GroupNames(groupName);
    for await (const batch of batches) {
      for (const host of batch) {
        if (!isServed(host)) continue;
        const groups = new Set(host.groups);
        for (const group of groups) groupNames.count(group);
        hosts.push({ hostname: host.hostname, groups: groups.size === 0 ? NONE : [...groups] });
      }
    }
    for (const group of definedNames(definitions)) groupNames.count(group, 0);
    const lost = new Set<string>();
    groupNames.settle((group) => lost.add(group));
    // Many hosts are in few groups: each name is made and kept once.
    const names = new Map<string, string | undefined>();
    const nameOf = (group: string): string | undefined => {
      if (!names.has(group)) names.set(group, groupNames.served(group));
      return names.get(group);
    };
    const served = hosts.map(({ hostname, groups }) => {
      return { hostname, groups: groups === NONE ? NONE : groups.flatMap((group) => nameOf(group) ?? NONE) };
    });
    const all = new Set(served.flatMap(({ groups }) => groups));
    const tree = groupTree(
      servedDefinitions(definitions, nameOf),
      all,
      () => undefined,
      (name) => groupNames.original(name),
    );
    const taken = new Set(served.map(({ hostname }) => hostname).filter((hostname) => tree.names.has(hostname)));
    if (taken.size === 0) return new InventoryIndex(served, tree, lost, taken);
    const isFree = (group: string): boolean => !taken.has(group);
    return new InventoryIndex(
      served.map(({ hostname, groups }) => ({ hostname, groups: groups.filter(isFree) })),
      onlyGroups(tree, isFree),
      lost,
      taken,
    );
  }
}

function onlyGroups(tree: GroupTree, isThere: (group: string) => boolean): GroupTree {
  const edges = (map: GroupTree['parents']): GroupTree['parents'] =>
    new Map([...map].filter(([name]) => isThere(name)).map(([name, others]) => [name, others.filter(isThere)]));
  const names = new Set([...tree.names].filter(isThere));
  return { ...tree, names, parents: edges(tree.parents), children: edges(tree.children) };
}

const NONE: readonly string[] = [];
