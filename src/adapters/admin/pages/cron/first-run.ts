import { t } from '@lingui/core/macro';
import { upcomingRuns, WEEKDAYS } from '../../../../app/runs/cron/decisions/schedule.ts';
import { ago, clockText, exactText, type Zone, zoneName } from '../parts/moments.ts';

const DAY_MS = 86_400_000;

/** Zones of hours and times. */
interface Zones {
  /** Zone of the hours of groups. */
  readonly ofHours: string | undefined;
  /** Zone of times that the reader sees. */
  readonly ofReader: Zone;
}

/** Values of the form; numbers are text while they are empty. */
interface FirstRunValues {
  readonly enabled: boolean;
  readonly weekdays: readonly string[];
  readonly hasHours: boolean;
  readonly from: number | string;
  readonly to: number | string;
}

/** When a new group runs for the first time. One that never ran is due at once, also one that else waits for a request. */
export function firstRunText(
  { enabled, weekdays: days, hasHours, from, to }: FirstRunValues,
  { ofHours: timeZone, ofReader }: Zones,
  now: Date,
): string {
  if (!enabled) return t`A group that is not enabled never runs`;
  const weekdays = WEEKDAYS.filter((day) => days.includes(day));
  if (!hasHours && weekdays.length === WEEKDAYS.length) return t`First run as soon as it is created.`;
  if (timeZone === undefined || (hasHours && (typeof from !== 'number' || typeof to !== 'number'))) return '';
  const window = hasHours ? { from: Number(from), to: Number(to) } : null;
  const group = { enabled, intervalMinutes: 1440, window, weekdays, pausedUntil: null };
  const [first] = upcomingRuns(group, undefined, {
    now,
    until: new Date(now.getTime() + 7 * DAY_MS),
    timeZone,
    most: 1,
  });
  const clock = clockText(now.toISOString(), timeZone);
  if (first === undefined) return '';
  if (first <= now) return t`First run as soon as it is created: it is ${{ clock }} in ${{ zone: timeZone }}.`;
  const start = first.toISOString();
  if (first.getTime() - now.getTime() > DAY_MS)
    return t`First run at ${{ at: exactText(start, timeZone) }} (${{ zone: timeZone }}).`;
  const wait = ago(first.getTime(), now.getTime());
  const there = t`First run ${{ wait }}, at ${{ start: clockText(start, timeZone) }} in ${{ zone: timeZone }}, where it is ${{ clock }} now`;
  if (zoneName(ofReader) === timeZone) return `${there}.`;
  return t`${{ there }} (${{ at: exactText(start, ofReader) }}, ${{ zone: zoneName(ofReader) }}).`;
}
