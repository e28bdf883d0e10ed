import { t } from '@lingui/core/macro';
import type { OfferedOutput } from '../../offered-operations.ts';
import { exactText, isoOf, type Zone } from '../parts/moments.ts';

type CronGroup = OfferedOutput<'cron/list-groups'>['groups'][number];

type Starts = Pick<CronGroup, 'hours' | 'next_start' | 'next_start_if_run_now'>;

/** What a run now takes away: the next start within the hours of a group; `undefined` where that stays, or is due anyway. */
export function skippedText(
  { hours, next_start, next_start_if_run_now: then }: Starts,
  zone: Zone,
  now: number,
): string | undefined {
  if (hours === null || next_start === null || next_start === then) return undefined;
  if (Date.parse(isoOf(next_start)) <= now) return undefined;
  const skipped = exactText(next_start, zone);
  if (then === null) return t`Its interval counts from this run, so it does not start at ${skipped}.`;
  const next = exactText(then, zone);
  return t`Its interval counts from this run: by itself it then starts at ${next}, and not at ${skipped}.`;
}
