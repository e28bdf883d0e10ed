import { t } from '@lingui/core/macro';
import type { OfferedOutput } from '../../offered-operations.ts';
import { exactText, isoOf, type Zone } from '../parts/moments.ts';

type CronGroup = OfferedOutput<'cron/list-groups'>['groups'][number];

type Starts = Pick<CronGroup, 'hours' | 'weekdays' | 'paused_until' | 'next_start' | 'next_start_if_run_now'>;

/** A warning before a run: the group is paused, or a start within its hours and days is lost by it; else `undefined`. */
export function skippedText(
  { hours, weekdays, paused_until, next_start, next_start_if_run_now: then }: Starts,
  zone: Zone,
  now: number,
): string | undefined {
  if (paused_until !== null)
    return t`The group is paused until ${{ until: exactText(paused_until, zone) }}. It runs now all the same, and then by its schedule again after the pause.`;
  if ((hours === null && weekdays === null) || next_start === null || next_start === then) return undefined;
  if (Date.parse(isoOf(next_start)) <= now) return undefined;
  const skipped = exactText(next_start, zone);
  if (then === null) return t`Its interval counts from this run, so it does not start at ${skipped}.`;
  const next = exactText(then, zone);
  return t`Its interval counts from this run: by itself it then starts at ${next}, and not at ${skipped}.`;
}
