import { t } from '@lingui/core/macro';
import { numberText } from '../language/numbers.ts';
import type { ActiveRun } from './run-words.ts';

type Progress = NonNullable<ActiveRun['progress']>;

/** Describes the progress of a run: `40 % · 1,200 of 3,000 records`. Its own note comes last. */
export function progressText(progress: Progress | null): string {
  if (progress === null) return t`it has just begun`;
  const { done, total, unit, note } = progress;
  const share = total === null || total === 0 ? [] : [`${Math.min(100, Math.floor((done / total) * 100))} %`];
  const amount =
    total === null ? numberText(done) : t`${{ done: numberText(done) }} of ${{ total: numberText(total) }}`;
  // Bytes mean nothing to people if the records are counted.
  const counted = unit === 'bytes' ? [] : [withUnit(amount, unit)];
  return [...share, ...counted, ...(note === '' ? [] : [note])].join(' · ');
}

/** `1,200 of 3,000 records` */
function withUnit(amount: string, unit: Exclude<Progress['unit'], 'bytes'>): string {
  switch (unit) {
    case 'hosts':
      return t`${amount} hosts`;
    case 'rules':
      return t`${amount} rules`;
    case 'records':
      return t`${amount} records`;
  }
}
