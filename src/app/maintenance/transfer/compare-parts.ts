import { counted } from '../../../kit/words/amounts.ts';
import { AppError } from '../../../ports/index.ts';
import type { PartSummary } from './part-digest.ts';

/** Throws when the copy is not what was copied. */
export function refuseDifferences(
  wanted: readonly PartSummary[],
  found: readonly PartSummary[],
  message: string,
): void {
  const details = wanted.flatMap(({ part, count, digest }, index) => {
    const copy = found[index];
    if (copy?.count === count && copy.digest === digest) return [];
    const difference = copy?.count === count ? 'other content' : `${copy?.count ?? 0} of ${counted(count, 'record')}`;
    return [{ path: part, message: difference }];
  });
  if (details.length > 0) throw new AppError('failed', message, { details });
}
