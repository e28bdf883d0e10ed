import type { CronState } from '../../../../ports/index.ts';
import type { CronGroup, HourWindow } from './group.ts';

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** How often a run whose holder died is begun again before it waits for its schedule. */
const MOST_ATTEMPTS = 3;
const MINUTE_MS = 60_000;
const QUARTER_MS = 15 * MINUTE_MS;
/** Tolerance for timers and for a clock that is being corrected, so that a group does not wait for another whole pass. */
const SLACK_MS = 100;
/** A start further ahead was recorded under a wrong clock; waiting for it could take years. Groups that start often wait for their interval at most. */
const FARTHEST_START_MS = 24 * 60 * MINUTE_MS;
/** Clocks of nodes differ by less, so that a node behind starts nothing that another one has just started. */
const NEAREST_START_MS = 5 * MINUTE_MS;
/** The last moment that dates are written with four digits for. */
const LAST_MOMENT_MS = Date.UTC(9999, 11, 31, 23, 59, 59);

/** Why a group starts: its run was requested, its interval is over (or it never ran), or its last run was cut off. */
export type DueReason = 'requested' | 'schedule' | 'interrupted';

/**
 * Why a group is due now; `undefined` when it is not. A request passes over window, days and schedule, but waits for the end of a pause
 * unless `despitePause`. A group that never ran is due, one without an interval too; from then on that one waits for requests. A run that
 * was cut off is begun again, if it was asked for whatever the hour is, but not for ever: it may be what killed its process.
 */
export function dueReason(
  group: CronGroup,
  state: CronState | undefined,
  now: Date,
  timeZone: string,
  despitePause = false,
): DueReason | undefined {
  if (!group.enabled || state?.isHeld) return undefined;
  if (!despitePause && isPaused(group, now)) return undefined;
  if (group.runOnceNext) return 'requested';
  const cutOff = state !== undefined && isBegunAgain(state);
  if (cutOff && state.requested) return 'requested';
  if (!isAllowed(group, now, timeZone)) return undefined;
  if (cutOff) return 'interrupted';
  if (state === undefined) return 'schedule';
  const next = nextRun(group, state, now);
  return next !== null && next.getTime() <= now.getTime() + SLACK_MS ? 'schedule' : undefined;
}

/**
 * Returns when the interval is over; `null` while that is unknown, and if it ends after the last moment that dates can express. It is over
 * after a start that was recorded under a wrong clock.
 */
export function nextRun(
  { intervalMinutes }: Pick<Scheduled, 'intervalMinutes'>,
  state: Started | undefined,
  now: Date,
): Date | null {
  if (state === undefined || intervalMinutes === null) return null;
  const intervalMs = intervalMinutes * MINUTE_MS;
  const farthest = Math.min(FARTHEST_START_MS, Math.max(NEAREST_START_MS, intervalMs));
  const start = state.lastStart.getTime();
  if (start - now.getTime() > farthest) return now;
  const moment = start + intervalMs;
  return moment > LAST_MOMENT_MS ? null : new Date(moment);
}

/** Number of starts that are listed for one group. */
const MOST_UPCOMING = 300;

/** When a group last began. */
export type Started = Pick<CronState, 'lastStart'>;

/** The members that determine when a group starts by itself. */
type Scheduled = Pick<CronGroup, 'enabled' | 'intervalMinutes' | 'window' | 'weekdays' | 'pausedUntil'>;

interface UpcomingTimes {
  readonly now: Date;
  readonly until: Date;
  /** The time zone of the group's hours. */
  readonly timeZone: string;
  readonly most?: number;
}

/**
 * When a group starts by its schedule from now until then, as far as that can be known: each run is taken for one that ends before the next one.
 * Empty for groups that wait for a request, and for those that are disabled.
 */
export function upcomingRuns(
  group: Scheduled,
  state: Started | undefined,
  { now, until, timeZone, most = MOST_UPCOMING }: UpcomingTimes,
): readonly Date[] {
  const { enabled, intervalMinutes, pausedUntil } = group;
  if (!enabled || intervalMinutes === null) return [];
  const runs: Date[] = [];
  const due = nextRun(group, state, now);
  let at = Math.max(now.getTime(), due?.getTime() ?? 0, pausedUntil?.getTime() ?? 0);
  while (at <= until.getTime() && runs.length < most) {
    if (isAllowed(group, new Date(at), timeZone)) {
      runs.push(new Date(at));
      at += intervalMinutes * MINUTE_MS;
      // Windows and days begin with an hour; of some time zones that is at a quarter.
    } else at = (Math.floor(at / QUARTER_MS) + 1) * QUARTER_MS;
  }
  return runs;
}

/** True for a run whose holder died or was stopped before it ended. */
export function isInterrupted(state: CronState): boolean {
  return state.holder !== null && !state.isHeld;
}

/** True for such a run that did not end its process too often yet. */
export function isBegunAgain(state: CronState): boolean {
  return isInterrupted(state) && state.attempts < MOST_ATTEMPTS;
}

/** True while nothing but a person starts the group. */
export function isPaused({ pausedUntil }: Pick<CronGroup, 'pausedUntil'>, now: Date): boolean {
  return pausedUntil !== null && now < pausedUntil;
}

/** Whether a group starts by itself at such an hour of such a day. */
function isAllowed({ window, weekdays }: Pick<CronGroup, 'window' | 'weekdays'>, at: Date, timeZone: string): boolean {
  if (window !== null && !isWithin(window, hourOf(at, timeZone))) return false;
  return weekdays === null || weekdays.includes(weekdayOf(at, timeZone));
}

function isWithin({ from, to }: HourWindow, hour: number): boolean {
  return from < to ? from <= hour && hour < to : hour >= from || hour < to;
}

const HOUR = { hour: '2-digit', hourCycle: 'h23' } as const;
const WEEKDAY = { weekday: 'short' } as const;
const formats = new Map<string, Intl.DateTimeFormat>();

function hourOf(date: Date, timeZone: string): number {
  return Number(formatted(date, timeZone, HOUR));
}

function weekdayOf(date: Date, timeZone: string): Weekday {
  const name = formatted(date, timeZone, WEEKDAY).toLowerCase();
  return WEEKDAYS.find((day) => name.startsWith(day)) ?? 'mon';
}

function formatted(date: Date, timeZone: string, options: typeof HOUR | typeof WEEKDAY): string {
  const key = `${timeZone} ${Object.keys(options).join(' ')}`;
  let format = formats.get(key);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-GB', { timeZone, ...options });
    formats.set(key, format);
  }
  return format.format(date);
}
