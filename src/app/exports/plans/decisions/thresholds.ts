import type { Threshold } from '../../../../kit/account-options/object-export-options.ts';
import { worded } from '../../../../kit/worded.ts';
import type { PlanCounts, Wording } from '../../../../ports/index.ts';
import { isAboveThreshold } from '../../../hosts/decisions/threshold.ts';

export interface Thresholds {
  readonly delete_threshold?: Threshold | undefined;
  readonly create_threshold?: Threshold | undefined;
  readonly change_threshold?: Threshold | undefined;
}

type Sized = Pick<PlanCounts, 'create' | 'update' | 'move' | 'delete' | 'adopt'>;

/** How many changes there are. */
export function changesOf(counts: Sized): number {
  return counts.create + counts.update + counts.move + counts.delete + counts.adopt;
}

/** Even in a small system, this number of objects may have been deleted by hand. */
const FEW_MISSING = 2;

/**
 * Why a reading is not believed; `undefined` when it is: the system no longer shows most of a kind of objects that Muster made, as when a list
 * came back short, a right was taken away, or the system was set up again. Fewer were deleted there, and are made again.
 *
 * @param missing by kind, the number of objects that are not found any more
 * @param remembered by kind, the number of objects that Muster made
 */
export function missingRefusal(
  missing: ReadonlyMap<string, number>,
  remembered: ReadonlyMap<string, number>,
  { delete_threshold: most }: Thresholds,
): Wording | undefined {
  if (most === undefined) return undefined;
  for (const [kind, count] of missing) {
    const all = remembered.get(kind) ?? 0;
    if (count <= FEW_MISSING || count * 2 <= all || !isAbove(count, all, most)) continue;
    return worded`the system no longer shows ${{ missing: String(count) }} of ${{ all: String(all) }} objects of the kind ${{ kind }} that Muster made there, and delete_threshold of the account allows ${{ limit: limitText(most) }}; nothing was changed. If they were deleted there on purpose, raise the option for one export`;
  }
  return undefined;
}

/** Why so much may not be done, where `owned` objects are ours there; `undefined` when it may. */
export function thresholdRefusal(counts: Sized, owned: number, thresholds: Thresholds): Wording | undefined {
  const checks = [
    ['delete_threshold', counts.delete],
    ['create_threshold', counts.create],
    ['change_threshold', counts.update + counts.move + counts.adopt],
  ] as const;
  for (const [option, count] of checks) {
    const threshold = thresholds[option];
    if (threshold === undefined || !isAbove(count, owned, threshold)) continue;
    const limit = limitText(threshold);
    const wish = WISHES[option](String(count), String(owned));
    return worded`${{ wish }}, and ${{ option }} of the account allows ${{ limit }}; nothing was changed. If that is intended, raise the option and plan again`;
  }
  return undefined;
}

function limitText({ most, unit }: Threshold): string {
  return unit === 'percent' ? `${most}%` : `${most}`;
}

const WISHES = {
  delete_threshold: (count: string, owned: string) =>
    worded`it would delete ${{ count }} of ${{ owned }} objects that Muster owns there`,
  create_threshold: (count: string, owned: string) =>
    worded`it would make ${{ count }} of ${{ owned }} objects that Muster owns there`,
  change_threshold: (count: string, owned: string) =>
    worded`it would change ${{ count }} of ${{ owned }} objects that Muster owns there`,
};

function isAbove(count: number, owned: number, { most, unit }: Threshold): boolean {
  if (unit === 'objects') return count > most;
  // Without owned objects there is no share: the first export makes everything.
  return owned > 0 && isAboveThreshold(count, owned, most);
}
