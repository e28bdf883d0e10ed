import type { ChangedValue } from '../history-filter.ts';
import type { Host } from '../host.ts';

type Compared = Pick<Host, 'labels' | 'inventory' | 'account' | 'object_type'>;

/**
 * Returns the differences between two hosts, member by member: labels, sections of the inventory, and facts of the host itself.
 */
export function hostDifferences(left: Compared, right: Compared): readonly ChangedValue[] {
  const [before, after] = [flat(left), flat(right)];
  const paths = [...new Set([...before.keys(), ...after.keys()])];
  return paths.flatMap((path) => {
    const [old, now] = [before.get(path), after.get(path)];
    if (JSON.stringify(old) === JSON.stringify(now)) return [];
    return [{ path, ...(old === undefined ? {} : { before: old }), ...(now === undefined ? {} : { after: now }) }];
  });
}

function flat({ labels, inventory, account, object_type: type }: Compared): ReadonlyMap<string, unknown> {
  return new Map<string, unknown>([
    ['account', account?.name],
    ['type', type],
    ...Object.entries(labels).map(([name, value]) => [`labels.${name}`, value] as const),
    ...Object.entries(inventory).map(([name, value]) => [`inventory.${name}`, value] as const),
  ]);
}
