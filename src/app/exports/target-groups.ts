import { byBytes } from '../../kit/names/variable-names.ts';
import type { GroupsWanted, InventoryGroup, JsonObject, Logger, TargetGroup } from '../../ports/index.ts';
import { ALL, groupTree, servedDefinitions } from '../inventory/group-tree.ts';

/** Puts what rules say of groups together with the groups that hosts are in. */
export function targetGroups(
  definitions: readonly InventoryGroup[],
  { used, written, original }: GroupsWanted,
  logger: Pick<Logger, 'warn'>,
): readonly TargetGroup[] {
  const tree = groupTree(
    servedDefinitions(definitions, written),
    used,
    (group, parent) =>
      logger.warn('a group is not exported as a child, because it is above its parent too', { group, parent }),
    original,
  );
  const groups = [...tree.names].sort(byBytes).map((name) => {
    const isTop = tree.top.has(name) || (tree.parents.get(name) ?? []).length === 0;
    const children = [...(tree.children.get(name) ?? [])].sort(byBytes);
    return { name, isTop, children, ...variablesOf(tree.definitions(name)) };
  });
  const common = variablesOf(tree.definitions(ALL));
  const all = {
    name: ALL,
    isTop: false,
    children: groups.filter(({ isTop }) => isTop).map(({ name }) => name),
    ...common,
  };
  const hasOwn = Object.keys({ ...common.variables, ...common.expressions }).length > 0;
  return [...groups, ...(hasOwn ? [all] : [])].sort((a, b) => byBytes(a.name, b.name));
}

function variablesOf(
  definitions: readonly InventoryGroup[],
): Pick<TargetGroup, 'variables' | 'expressions' | 'vouched'> {
  // A variable that data sets behind a rule is the data's.
  const vouched = new Set<string>();
  for (const each of definitions) {
    for (const name of Object.keys(each.variables)) vouched.delete(name);
    for (const name of each.vouched ?? []) vouched.add(name);
  }
  const variables: JsonObject = Object.assign({}, ...definitions.map((each) => each.variables));
  const expressions: JsonObject = Object.assign({}, ...definitions.map((each) => each.expressions ?? {}));
  return { variables, expressions, vouched: [...vouched] };
}
