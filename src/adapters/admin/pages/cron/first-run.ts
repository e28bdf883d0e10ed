import { t } from '@lingui/core/macro';
import { upcomingRuns } from '../../../../app/runs/cron/decisions/schedule.ts';
import { ago, clockText, exactText, type Zone, zoneName } from '../parts/moments.ts';

const DAY_MS = 86_400_000;

/** Whose hours and times are meant. */
interface Zones {
  /** Of the hours of groups. */
  readonly ofHours: string | undefined;
  /** Of times that the reader sees. */
  readonly ofReader: Zone;
}

/** As the form holds them; numbers are text while they are empty. */
interface FirstRunValues {
  readonly enabled: boolean;
  readonly hasHours: boolean;
  readonly from: number | string;
  readonly to: number | string;
}

/** When a new group runs for the first time. One that never ran is due at once, also one that else waits for a request. */
export function firstRunText(
  { enabled, hasHours, from, to }: FirstRunValues,
  { ofHours: timeZone, ofReader }: Zones,
  now: Date,
): string {
  if (!enabled) return t`A group that is not enabled never runs`;
  if (!hasHours) return t`It first runs as soon as it is created.`;
  if (timeZone === undefined || typeof from !== 'number' || typeof to !== 'number') return '';
  const group = { enabled, intervalMinutes: 1440, window: { from, to } };
  const [first] = upcomingRuns(group, undefined, { now, until: new Date(now.getTime() + DAY_MS), timeZone, most: 1 });
  const clock = clockText(now.toISOString(), timeZone);
  if (first === undefined) return '';
  if (first <= now) return t`It is ${{ clock }} in ${{ zone: timeZone }}, so it first runs as soon as it is created.`;
  const start = first.toISOString();
  const wait = ago(first.getTime(), now.getTime());
  const there = t`It is ${{ clock }} in ${{ zone: timeZone }}, so it first runs ${{ wait }}, at ${{ start: clockText(start, timeZone) }} there`;
  if (zoneName(ofReader) === timeZone) return `${there}.`;
  return t`${{ there }} (${{ at: exactText(start, ofReader) }}, ${{ zone: zoneName(ofReader) }}).`;
}
