import type { OfferedOutput } from '../../../offered-operations.ts';

type Change = OfferedOutput<'hosts/host-history'>['changes'][number];

const LABEL = 'labels.';

/** Returns the creation time of the host, if the changes reach back that far. */
export function createdAt(changes: readonly Change[]): string | undefined {
  return changes.find(({ kind }) => kind === 'created')?.time;
}

/** When each label last changed, of the changes that are known; they come newest first. */
export function labelsChangedAt(changes: readonly Change[]): ReadonlyMap<string, string> {
  const moments = new Map<string, string>();
  for (const { time, changes: members } of changes) {
    for (const { path } of members) {
      if (!path.startsWith(LABEL)) continue;
      const label = path.slice(LABEL.length);
      if (!moments.has(label)) moments.set(label, time);
    }
  }
  return moments;
}
