import type { InventoryGroup } from '../../ports/index.ts';

/** What is known of the groups of one inventory, by name. */
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
 * Puts definitions together with the groups that hosts are in. A name with `*` at its end defines all groups that begin so, and makes none.
 * Ansible refuses an inventory in which a group is below itself, so an edge that would close such a circle is left out and told.
 */
export function groupTree(
  definitions: readonly InventoryGroup[],
  used: Iterable<string>,
  onCircle: (group: string, parent: string) => void,
): GroupTree {
  const named = definitions.filter(({ name }) => !name.endsWith('*'));
  const patterns = definitions.filter(({ name }) => name.endsWith('*'));
  const names = new Set(used);
  for (const { name, parents, children } of named) for (const each of [name, ...parents, ...children]) names.add(each);
  const fits = (name: string): readonly InventoryGroup[] => patterns.filter((each) => isOf(each.name, name));
  // What patterns name as parents are groups too, and may be of other patterns.
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
    if (isAbove(child, parent)) {
      onCircle(child, parent);
      return;
    }
    add(parents, child, parent);
    add(children, parent, child);
  };
  function isAbove(name: string, below: string): boolean {
    const seen = new Set<string>();
    const open = [below];
    for (let each = open.pop(); each !== undefined; each = open.pop()) {
      if (each === name) return true;
      if (seen.has(each)) continue;
      seen.add(each);
      open.push(...(parents.get(each) ?? []));
    }
    return false;
  }
  for (const name of names) {
    for (const definition of definitionsOf(name)) {
      for (const parent of definition.parents) connect(name, parent);
      for (const child of definition.children) connect(child, name);
    }
  }
  return { names, parents, children, top, definitions: definitionsOf };
}

function isOf(pattern: string, name: string): boolean {
  return name.startsWith(pattern.slice(0, -1));
}

function add(map: Map<string, string[]>, key: string, value: string): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else known.push(value);
}
