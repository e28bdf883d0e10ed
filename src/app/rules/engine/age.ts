import type { JsonValue } from '../../../ports/json.ts';
import { RuleCompileError } from '../../../ports/rule-type.ts';
import { scalarText } from '../document/members.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const UNITS: ReadonlyMap<string, number> = new Map([
  ['m', MINUTE],
  ['h', HOUR],
  ['d', DAY],
  ['w', 7 * DAY],
]);
const AGE = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)\s*([mhdw]?)$/;

/** Milliseconds of `30m`, `12h`, `2d` or `1w`; a number alone counts days. Throws `RuleCompileError` for everything else. */
export function readAge(text: string): number {
  const [, amount, unit = ''] = AGE.exec(text.trim().toLowerCase()) ?? [];
  if (amount === undefined) {
    throw new RuleCompileError(
      `${JSON.stringify(text)} is not an age; write a number of days, or a number with m, h, d or w behind it, like 30m, 12h, 2d or 1w`,
    );
  }
  return Number(amount) * (UNITS.get(unit) ?? DAY);
}

/** Longer texts are no times; short enough that reading one costs nothing. */
const LONGEST = 64;
const DATE = String.raw`(?<year>\d{4})(?:-(?<month>\d\d)-(?<day>\d\d)|(?<month2>\d\d)(?<day2>\d\d)|-W(?<week>\d\d)(?:-(?<weekday>\d))?|W(?<week2>\d\d)(?<weekday2>\d)?)`;
const TIME = String.raw`(?<hour>\d\d)(?::(?<minute>\d\d)(?::(?<second>\d\d)(?:[.,](?<part>\d+))?)?|(?<minute2>\d\d)(?:(?<second2>\d\d)(?:[.,](?<part2>\d+))?)?)?`;
const OFFSET = String.raw`Z|(?<sign>[+-])(?<offHour>\d\d)(?::?(?<offMinute>\d\d)(?::?(?<offSecond>\d\d)(?:\.\d+)?)?)?`;
const POINT = new RegExp(`^${DATE}(?:[^](?:${TIME})(?:${OFFSET})?)?$`, 'u');

/**
 * The milliseconds since 1970 that a value names: ISO 8601, with any one character between date and time, and in UTC unless it
 * says an offset. `undefined` when it names no point in time.
 */
export function pointInTime(value: JsonValue): number | undefined {
  const text = scalarText(value)?.trim();
  if (text === undefined || text.length > LONGEST) return undefined;
  const parts = POINT.exec(text)?.groups;
  if (parts === undefined) return undefined;
  const number = (...names: readonly string[]): number => Number(names.map((name) => parts[name]).find(Boolean) ?? 0);
  const date = parts.week === undefined && parts.week2 === undefined ? calendarDate(number) : weekDate(parts, number);
  const [hour, minute, second] = [number('hour'), number('minute', 'minute2'), number('second', 'second2')];
  const [offHour, offMinute, offSecond] = [number('offHour'), number('offMinute'), number('offSecond')];
  if (date === undefined || hour > 23 || minute > 59 || second > 59) return undefined;
  if (offHour > 23 || offMinute > 59 || offSecond > 59) return undefined;
  // What is finer than a microsecond is not read there either.
  const part = Number(`0.${(parts.part ?? parts.part2 ?? '0').slice(0, 6)}`) * SECOND;
  const offset = (offHour * HOUR + offMinute * MINUTE + offSecond * SECOND) * (parts.sign === '-' ? -1 : 1);
  return date + hour * HOUR + minute * MINUTE + second * SECOND + part - offset;
}

type NumberOf = (...names: readonly string[]) => number;

function calendarDate(number: NumberOf): number | undefined {
  const [year, month, day] = [number('year'), number('month', 'month2'), number('day', 'day2')];
  const at = utcDate(year, month - 1, day);
  const isDate = year > 0 && at.getUTCMonth() === month - 1 && at.getUTCDate() === day;
  return isDate ? at.getTime() : undefined;
}

function weekDate(parts: Readonly<Record<string, string | undefined>>, number: NumberOf): number | undefined {
  const [year, week] = [number('year'), number('week', 'week2')];
  const weekday = Number(parts.weekday ?? parts.weekday2 ?? 1);
  if (year === 0 || week < 1 || weekday < 1 || weekday > 7) return undefined;
  const first = firstMonday(year);
  const start = first + (week - 1) * 7 * DAY;
  return start < firstMonday(year + 1) ? start + (weekday - 1) * DAY : undefined;
}

/** The Monday of week 1, which holds the 4th of January. */
function firstMonday(year: number): number {
  const fourth = utcDate(year, 0, 4);
  return fourth.getTime() - ((fourth.getUTCDay() + 6) % 7) * DAY;
}

/** `Date.UTC` takes years before 100 for those of the last century. */
function utcDate(year: number, month: number, day: number): Date {
  const date = new Date(0);
  date.setUTCFullYear(year, month, day);
  return date;
}
