import type { InventoryGroup, InventoryRule } from '../../ports/index.ts';
import type { GroupMembership } from '../rules/services.ts';
import { groupTree, servedDefinitions, withGroupsAbove } from './group-tree.ts';

interface HostInGroups {
  /** Groups that its variables name. */
  readonly groups: readonly string[];
  /** Others that it is in, by the rule that says so. */
  readonly groupRules: Readonly<Record<string, InventoryRule>>;
}

/** Returns all groups of a host, with the groups above others behind them: a group above several ones is listed for each. */
export function membershipsOf(
  { groups, groupRules }: HostInGroups,
  definitions: readonly InventoryGroup[],
  groupName: (group: string) => string | undefined,
): readonly GroupMembership[] {
  const own = new Map<string, InventoryRule | null>();
  const said = [...groups.map((group) => [group, null] as const), ...Object.entries(groupRules)];
  for (const [group, rule] of said) {
    const name = groupName(group);
    if (name !== undefined && !own.has(name)) own.set(name, rule);
  }
  const originals = new Map(said.map(([group]) => [groupName(group), group]));
  const tree = groupTree(
    servedDefinitions(definitions, groupName),
    own.keys(),
    () => undefined,
    (name) => originals.get(name) ?? name,
  );
  const found = [...own].map(([group, rule]): GroupMembership => ({ group, above: null, rule }));
  for (const group of withGroupsAbove(own.keys(), tree.parents)) {
    for (const parent of tree.parents.get(group) ?? []) {
      const says = tree.definitions(group).find(({ parents }) => parents.includes(parent));
      const { rule = null } = says ?? tree.definitions(parent).find(({ children }) => children.includes(group)) ?? {};
      found.push({ group: parent, above: group, rule });
    }
  }
  return found;
}

/** Returns the memberships without groups of these names, and without groups that are above such groups only. */
export function withoutGroups(
  memberships: readonly GroupMembership[],
  names: ReadonlySet<string>,
): readonly GroupMembership[] {
  const reached = new Set<string>();
  const isThere = ({ group, above }: GroupMembership): boolean =>
    !names.has(group) && (above === null || reached.has(above));
  // A group may come before the one below it by which it is reached.
  for (let before = -1; reached.size > before; ) {
    before = reached.size;
    for (const membership of memberships) if (isThere(membership)) reached.add(membership.group);
  }
  return memberships.filter(isThere);
}
