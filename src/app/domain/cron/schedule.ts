import type { CronState } from '../../../ports/index.ts';
import type { CronGroup, HourWindow } from './group.ts';

/** How often a run whose holder died is begun again before it waits for its schedule. */
const MOST_ATTEMPTS = 3;
const MINUTE_MS = 60_000;

/** Why a group starts: somebody asked for it, its interval is over (or it never ran), or its last run was cut off. */
export type DueReason = 'requested' | 'schedule' | 'interrupted';

/**
 * Why a group is due now; `undefined` when it is not. A request passes over window and schedule. A group that never ran is due,
 * one without an interval too; from then on that one waits for requests. A run that was cut off is
 * begun again, if it was asked for whatever the hour is, but not for ever: it may be what killed its process.
 */
export function dueReason(
  group: CronGroup,
  state: CronState | undefined,
  now: Date,
  timeZone: string,
): DueReason | undefined {
  if (!group.enabled || state?.isHeld) return undefined;
  if (group.runOnceNext) return 'requested';
  const cutOff = state !== undefined && isInterrupted(state) && state.attempts < MOST_ATTEMPTS;
  if (cutOff && state.requested) return 'requested';
  if (group.window !== null && !isWithin(group.window, hourOf(now, timeZone))) return undefined;
  if (cutOff) return 'interrupted';
  if (state === undefined) return 'schedule';
  const next = nextRun(group, state);
  return next !== null && next <= now ? 'schedule' : undefined;
}

/** When the interval is over; `null` while that is unknown. */
export function nextRun(group: CronGroup, state: CronState | undefined): Date | null {
  if (state === undefined || group.intervalMinutes === null) return null;
  return new Date(state.lastStart.getTime() + group.intervalMinutes * MINUTE_MS);
}

/** True for a run whose holder died or was stopped before it ended. */
export function isInterrupted(state: CronState): boolean {
  return state.holder !== null && !state.isHeld;
}

function isWithin({ from, to }: HourWindow, hour: number): boolean {
  return from < to ? from <= hour && hour < to : hour >= from || hour < to;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function hourOf(date: Date, timeZone: string): number {
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', hourCycle: 'h23' });
    formats.set(timeZone, format);
  }
  return Number(format.format(date));
}
