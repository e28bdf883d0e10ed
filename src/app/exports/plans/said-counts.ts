import { enumerated, type Said, worded } from '../../../kit/worded.ts';
import type { PlanCounts, Wording } from '../../../ports/index.ts';

const ORDER = ['create', 'update', 'move', 'adopt', 'delete'] as const;

const APPLIED: Readonly<Record<(typeof ORDER)[number], (count: number) => Wording>> = {
  create: (count) => worded`${{ count }} made`,
  update: (count) => worded`${{ count }} changed`,
  move: (count) => worded`${{ count }} moved`,
  adopt: (count) => worded`${{ count }} taken over`,
  delete: (count) => worded`${{ count }} deleted`,
};

const PLANNED: typeof APPLIED = {
  create: (count) => worded`${{ count }} to make`,
  update: (count) => worded`${{ count }} to change`,
  move: (count) => worded`${{ count }} to move`,
  adopt: (count) => worded`${{ count }} to take over`,
  delete: (count) => worded`${{ count }} to delete`,
};

/** `3 to make, 1 to delete, 2 conflicts, 40 unchanged`. */
export function countsWording(counts: PlanCounts): Said {
  const { conflict, kept, unchanged } = counts;
  const parts: Said[] = ORDER.filter((action) => counts[action] > 0).map((action) => PLANNED[action](counts[action]));
  if (conflict > 0) parts.push(conflictsWording(conflict));
  if (kept > 0) parts.push(worded`${{ count: kept }} kept`);
  if (unchanged > 0) parts.push(worded`${{ count: unchanged }} unchanged`);
  return enumerated(parts) ?? worded`nothing to do`;
}

export function conflictsWording(count: number): Wording {
  return count === 1 ? worded`1 conflict` : worded`${{ count }} conflicts`;
}

/** Says `3 made, 1 deleted`, and the number of unchanged objects if given. */
export function appliedWording(applied: Pick<PlanCounts, (typeof ORDER)[number]>, unchanged = 0): Said {
  const parts = ORDER.filter((action) => applied[action] > 0).map((action) => APPLIED[action](applied[action]));
  const done = parts.length === 0 ? [worded`nothing was done`] : parts;
  return enumerated([...done, ...(unchanged === 0 ? [] : [worded`${{ count: unchanged }} unchanged`])]) ?? '';
}
