import { plural, t } from '@lingui/core/macro';
import type { Weekday } from '../../../../app/runs/cron/decisions/schedule.ts';
import { type GroupState, type NextRun, nextRunOf } from '../../../../app/runs/cron/words.ts';
import { isoOf } from '../parts/moments.ts';

type CronGroup = Parameters<typeof nextRunOf>[0];

export const STATE_WORDS: Readonly<Record<GroupState, string>> = {
  waits: t`waits`,
  running: t`running`,
  disabled: t`disabled`,
  paused: t`paused`,
  requested: t`requested`,
  'cut off': t`cut off`,
  failed: t`failed`,
  new: t`new`,
  ok: t`ok`,
};

/** Words for the next start of a group if it has no time. */
export const NEXT_RUN_WORDS: Readonly<Record<NextRun, string>> = {
  'when enabled': t`when enabled`,
  'next pass': t`next pass`,
  'after its pause': t`after its pause`,
  'in its hours': t`in its hours`,
  'on request': t`on request`,
};

/** Returns the next start of a group. A group that is due already waits for the pass that starts it. */
export function nextStart(group: CronGroup): ReturnType<typeof nextRunOf> {
  const next = nextRunOf(group);
  return 'at' in next && Date.parse(isoOf(next.at)) <= Date.now() ? { words: 'next pass' } : next;
}

/** `every hour, 22 to 6 h, Mon Tue`. */
export function scheduleText({
  interval_minutes: minutes,
  hours,
  weekdays,
}: Pick<CronGroup, 'interval_minutes' | 'hours' | 'weekdays'>): string {
  const every = minutes === null ? t`on request` : intervalText(minutes);
  const within = hours === null ? every : t`${every}, ${{ from: hours.from }} to ${{ to: hours.to }} h`;
  return weekdays === null ? within : `${within}, ${weekdays.map((day) => WEEKDAY_WORDS[day]).join(' ')}`;
}

export const WEEKDAY_WORDS: Readonly<Record<Weekday, string>> = {
  mon: t`Mon`,
  tue: t`Tue`,
  wed: t`Wed`,
  thu: t`Thu`,
  fri: t`Fri`,
  sat: t`Sat`,
  sun: t`Sun`,
};

function intervalText(minutes: number): string {
  const [hours, days] = [minutes / 60, minutes / 1440];
  if (minutes % 1440 === 0) return plural(days, { one: 'every day', other: 'every # days' });
  if (minutes % 60 === 0) return plural(hours, { one: 'every hour', other: 'every # hours' });
  return plural(minutes, { one: 'every minute', other: 'every # min' });
}
