import { worded } from '../../../kit/worded.ts';
import { accepted, type Check, refused, shown } from '../../hosts/decisions/check.ts';
import { readAge } from '../../rules/engine/age.ts';
import { AGE, spanOf } from '../../rules/engine/time-span.ts';
import type { FieldTest } from './query.ts';

/** Whether a time of a host is what was asked for; `null` is never. */
export type MomentTest = (at: Date | null) => boolean;

const HOW = worded`write an age (seen<2d: within two days; seen>12h: longer ago), a date (changed>2026-01-31), today, yesterday or never`;

/** Ages count back from `now`. Days are those of UTC, as all times are; `>` a day is since its beginning, `<=` until its end. */
export function momentTest({ field, comparison, value, isQuoted }: FieldTest, now: Date): Check<MomentTest> {
  const text = value.trim().toLowerCase();
  if (comparison === '=' && text === '*' && !isQuoted) return accepted((at) => at !== null);
  if (comparison === '=' && text === 'never') return accepted((at) => at === null);
  if (AGE.test(text)) {
    const limit = now.getTime() - readAge(text);
    if (comparison === '<' || comparison === '<=') return accepted((at) => at !== null && at.getTime() >= limit);
    if (comparison === '>' || comparison === '>=') return accepted((at) => at !== null && at.getTime() < limit);
    return refused('where', worded`${{ field: shown(field) }} is never exactly an age; ${{ how: HOW }}`);
  }
  const span = spanOf(value.trim(), now);
  if (span === undefined || comparison === '~')
    return refused('where', worded`${{ value: shown(value) }} is not a time; ${{ how: HOW }}`);
  const { from, to } = span;
  return accepted((at) => {
    if (at === null) return false;
    const time = at.getTime();
    if (comparison === '=') return time >= from && time < to;
    if (comparison === '<') return time < from;
    return comparison === '<=' ? time < to : time >= from;
  });
}
