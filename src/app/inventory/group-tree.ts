import type { InventoryGroup } from '../../ports/index.ts';

/** The groups of one inventory, by name. */
export interface GroupTree {
  /** Every group that is defined, or that a definition names. */
  readonly names: ReadonlySet<string>;
  readonly parents: ReadonlyMap<string, readonly string[]>;
  readonly children: ReadonlyMap<string, readonly string[]>;
  /** Groups that are said to be children of `all`, whatever else they are children of. */
  readonly top: ReadonlySet<string>;
  /** The definitions of a group, the later ones winning. */
  definitions(name: string): readonly InventoryGroup[];
}

/** The group of all hosts, which is the parent of all others anyway. */
export const ALL = 'all';

/**
 * Combines definitions with the groups that hosts are in. A name ending in `*` defines all groups with that prefix, and creates
 * none. Ansible refuses an inventory in which a group is below itself, so an edge that would close such a circle is left out and
 * reported. `original`: returns the name by which rules know a group, if it is served under another.
 */
export function groupTree(
  definitions: readonly InventoryGroup[],
  used: Iterable<string>,
  onCircle: (group: string, parent: string) => void,
  original: (name: string) => string = (name) => name,
): GroupTree {
  const named = definitions.filter(({ name }) => !name.endsWith('*'));
  const patterns = definitions.filter(({ name }) => name.endsWith('*'));
  const names = new Set(used);
  for (const { name, parents, children } of named) for (const each of [name, ...parents, ...children]) names.add(each);
  const fits = (name: string): readonly InventoryGroup[] => patterns.filter((each) => isOf(each.name, original(name)));
  // Parents and children that patterns name are groups too, and may match other patterns.
  for (const name of names) {
    for (const { parents, children } of fits(name)) for (const each of [...parents, ...children]) names.add(each);
  }
  names.delete(ALL);
  const byName = new Map<string, InventoryGroup[]>();
  for (const definition of named) {
    const known = byName.get(definition.name);
    if (known === undefined) byName.set(definition.name, [definition]);
    else known.push(definition);
  }
  const definitionsOf = (name: string): readonly InventoryGroup[] => [...fits(name), ...(byName.get(name) ?? [])];
  const top = new Set<string>();
  const parents = new Map<string, string[]>();
  const children = new Map<string, string[]>();
  const connect = (child: string, parent: string): void => {
    if (parent === ALL) top.add(child);
    if (child === ALL || parent === ALL || parents.get(child)?.includes(parent)) return;
    if (withGroupsAbove([parent], parents).has(child)) {
      onCircle(child, parent);
      return;
    }
    add(parents, child, parent);
    add(children, parent, child);
  };
  for (const name of names) {
    for (const definition of definitionsOf(name)) {
      for (const parent of definition.parents) connect(name, parent);
      for (const child of definition.children) connect(child, name);
    }
  }
  return { names, parents, children, top, definitions: definitionsOf };
}

/**
 * Returns the definitions with names as in the inventory, without those that it cannot contain. Patterns stay as rules write
 * them.
 */
export function servedDefinitions(
  definitions: readonly InventoryGroup[],
  groupName: (group: string) => string | undefined,
): readonly InventoryGroup[] {
  const served = (group: string): string | undefined => (group === ALL ? ALL : groupName(group));
  const list = (groups: readonly string[]): readonly string[] => groups.flatMap((group) => served(group) ?? []);
  return definitions.flatMap((definition): readonly InventoryGroup[] => {
    const { name, parents, children } = definition;
    const own = name.endsWith('*') ? name : served(name);
    return own === undefined ? [] : [{ ...definition, name: own, parents: list(parents), children: list(children) }];
  });
}

/** Every group that definitions name, as rules write it. */
export function definedNames(definitions: readonly InventoryGroup[]): readonly string[] {
  const all = definitions.flatMap(({ name, parents, children }) => [name, ...parents, ...children]);
  return all.filter((name) => name !== ALL && !name.endsWith('*'));
}

/** The groups that are above these, themselves among them. */
export function withGroupsAbove(
  groups: Iterable<string>,
  parents: ReadonlyMap<string, readonly string[]>,
): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [...groups];
  for (let group = open.pop(); group !== undefined; group = open.pop()) {
    if (found.has(group)) continue;
    found.add(group);
    open.push(...(parents.get(group) ?? []));
  }
  return found;
}

function isOf(pattern: string, name: string): boolean {
  return name.startsWith(pattern.slice(0, -1));
}

function add(map: Map<string, string[]>, key: string, value: string): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else known.push(value);
}
