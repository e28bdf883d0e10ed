import type { HostChange } from './search.ts';

/** Longest time between changes of one run that are shown together. */
const TOGETHER_MS = 10 * 60 * 1000;

type Equal = [HostChange, ...HostChange[]];

/** Groups changes that gave several hosts the same values by the same author in one go; each group has the place of its newest one. */
export function equalTogether(changes: readonly HostChange[]): readonly (readonly [HostChange, ...HostChange[]])[] {
  const groups: Equal[] = [];
  const latest = new Map<string, Equal>();
  for (const change of changes) {
    const { kind, by, changes: values, time } = change;
    const key = JSON.stringify([kind, by, values]);
    const group = latest.get(key);
    // A change without values says nothing that could be equal.
    if (group !== undefined && values.length > 0 && Date.parse(group[0].time) - Date.parse(time) <= TOGETHER_MS) {
      group.push(change);
      continue;
    }
    const fresh: Equal = [change];
    groups.push(fresh);
    latest.set(key, fresh);
  }
  return groups;
}
