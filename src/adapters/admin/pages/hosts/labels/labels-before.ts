import type { Labels } from '../host.ts';

const START = 'labels.';

interface ChangeOfLabels {
  readonly kind: string;
  readonly changes: readonly { readonly path: string; readonly before?: unknown }[];
}

/** Returns the change that restores earlier values of labels; `undefined` if they have them. */
export function labelsBefore(
  labels: Labels,
  { kind, changes }: ChangeOfLabels,
): { readonly set: Labels; readonly remove: string[] } | undefined {
  if (kind !== 'labels') return undefined;
  const set: Record<string, Labels[string]> = {};
  const remove: string[] = [];
  for (const change of changes) {
    if (!change.path.startsWith(START)) continue;
    const name = change.path.slice(START.length);
    const isThere = Object.hasOwn(labels, name);
    if (!('before' in change)) {
      if (isThere) remove.push(name);
    } else if (!isThere || JSON.stringify(labels[name]) !== JSON.stringify(change.before)) {
      set[name] = change.before as Labels[string];
    }
  }
  return remove.length === 0 && Object.keys(set).length === 0 ? undefined : { set, remove };
}
