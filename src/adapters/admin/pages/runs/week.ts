import type { OfferedOutput } from '../../offered-operations.ts';
import { dayText, type Zone } from '../parts/moments.ts';

type Group = OfferedOutput<'cron/list-upcoming'>['groups'][number];

interface WeekDay {
  /** `2026-01-31` */
  readonly day: string;
  /** Starts in their order. */
  readonly starts: readonly { readonly group: string; readonly at: string }[];
}

export interface Week {
  readonly days: readonly WeekDay[];
  /** Groups that start so often that listing each start would be useless. */
  readonly often: readonly { readonly group: string; readonly everyMinutes: number }[];
}

/** More starts of a group than this in 24 hours are shown as one. */
const MOST_A_DAY = 8;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Returns the starts in the coming days, by the days of the reader. */
export function weekOf(groups: readonly Group[], { from, days }: { from: string; days: number }, zone: Zone): Week {
  const begin = Date.parse(from);
  const often = groups.filter(({ starts }) => isOften(starts, begin));
  const named = new Map<string, { group: string; at: string }[]>();
  const today = dayText(from, zone);
  for (let index = 0; index < days; index++) named.set(dayAfter(today, index), []);
  for (const { name, starts } of groups) {
    if (isOften(starts, begin)) continue;
    for (const at of starts) named.get(dayText(at, zone))?.push({ group: name, at });
  }
  return {
    days: [...named].map(([day, starts]) => ({ day, starts: starts.sort(byTime) })),
    often: often.map(({ name, starts }) => ({
      group: name,
      everyMinutes: Math.round(gapOf(starts) / 60_000),
    })),
  };
}

/** Counted in the calendar, as a day on which clocks change has 23 or 25 hours. */
function dayAfter(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

function isOften(starts: readonly string[], begin: number): boolean {
  return starts.filter((start) => Date.parse(start) < begin + DAY_MS).length > MOST_A_DAY;
}

/** Returns the time between the first two; a window of hours only leaves some out. */
function gapOf([first = '', second = first]: readonly string[]): number {
  return Date.parse(second) - Date.parse(first);
}

function byTime(a: { readonly at: string; readonly group: string }, b: typeof a): number {
  if (a.at === b.at) return a.group < b.group ? -1 : 1;
  return a.at < b.at ? -1 : 1;
}
