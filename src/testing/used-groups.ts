import type { GroupsWanted, TargetGroup } from '../ports/index.ts';

/** The groups of an inventory whose rules say nothing of groups. */
export async function usedGroups({ used }: GroupsWanted): Promise<readonly TargetGroup[]> {
  return [...new Set(used)]
    .sort()
    .map((name) => ({ name, isTop: true, children: [], variables: {}, expressions: {}, vouched: [] }));
}
