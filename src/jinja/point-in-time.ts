const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Longer texts are not times; short enough that parsing costs nothing. */
const LONGEST = 80;
const DATE = String.raw`(?<year>\d{4})(?:-(?<month>\d\d)-(?<day>\d\d)|/(?<month3>\d\d)/(?<day3>\d\d)|(?<month2>\d\d)(?<day2>\d\d)|-W(?<week>\d\d)(?:-(?<weekday>\d))?|W(?<week2>\d\d)(?<weekday2>\d)?)`;
const TIME = String.raw`(?<hour>\d\d)(?::(?<minute>\d\d)(?::(?<second>\d\d)(?:[.,](?<part>\d+))?)?|(?<minute2>\d\d)(?:(?<second2>\d\d)(?:[.,](?<part2>\d+))?)?)?`;
const OFFSET = String.raw`Z|(?<sign>[+-])(?<offHour>\d\d)(?::?(?<offMinute>\d\d)(?::?(?<offSecond>\d\d)(?:\.\d+)?)?)?`;
/** The names of zones that mail and dates of Unix use. Others say nothing, as several countries have one of the same name. */
const ZONES: ReadonlyMap<string, number> = new Map([
  ...['UTC', 'GMT', 'UT', 'Z'].map((name) => [name, 0] as const),
  ...['EDT', 'EST', 'CDT', 'CST', 'MDT', 'MST', 'PDT', 'PST'].map(
    (name, index) => [name, -(4 + Math.ceil(index / 2)) * HOUR] as const,
  ),
]);
const ZONE = `(?<zone>${[...ZONES.keys()].join('|')})`;
/** ISO 8601, with any one character between date and time. */
const ISO = new RegExp(`^${DATE}(?:[^](?:${TIME})(?:${OFFSET})?)?$`, 'u');
/** As programs print a time: `2020-01-01 00:00:00.5 +0100 CET m=+0.01` (Go), `2020-01-01 00:00:00 UTC` (Ruby, git, databases). */
const PRINTED = new RegExp(
  `^${DATE}[ T]${TIME} (?:(?:${OFFSET})(?: [A-Z+-][A-Z0-9+-]*)?(?: m=[+-][\\d.]+)?|${ZONE})$`,
  'u',
);
/** `20200101000000.0Z` of directories and certificates: without seconds too. */
const GENERALIZED = new RegExp(
  `^(?<year>\\d{4})(?<month>\\d\\d)(?<day>\\d\\d)(?<hour>\\d\\d)(?<minute>\\d\\d)(?:(?<second>\\d\\d)(?:[.,](?<part>\\d+))?)?(?:${OFFSET})$`,
);
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH = `(?<monthName>${MONTHS.join('|')})`;
const DAY_NAME = '(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6},? +)?';
const CLOCK = String.raw`(?<hour>\d\d):(?<minute>\d\d)(?::(?<second>\d\d)(?:\.(?<part>\d+))?)?`;
/** `Wed, 01 Jan 2020 00:00:00 +0100` of mail and HTTP, and `Wednesday, 01-Jan-20 00:00:00 GMT`. */
const MAIL = new RegExp(
  `^${DAY_NAME}(?<day>\\d{1,2})[ -]${MONTH}[ -](?<year>\\d{4}|\\d\\d) ${CLOCK}(?: ?(?:${OFFSET}|${ZONE}))?(?: \\([A-Za-z ]+\\))?$`,
  'i',
);
/** `Wed Jan  1 00:00:00 UTC 2020` of Unix, and `Jan  1 00:00:00 2020 GMT` of certificates. */
const UNIX = new RegExp(
  `^${DAY_NAME}${MONTH} +(?<day>\\d{1,2}) ${CLOCK}(?: ${ZONE})? (?<year>\\d{4})(?: (?:GMT|UTC)|(?: (?:${OFFSET})))?$`,
  'i',
);
const FORMS = [ISO, PRINTED, GENERALIZED, MAIL, UNIX];
/** Whole numbers count seconds or milliseconds since 1970 by how many digits they have; others count something else. */
const COUNTED = /^(?:\d{9,10}|(?<millis>\d{12,13}))$/;
/** `/Date(1577836800000)/`, in which .NET and PowerShell write JSON. */
const DOT_NET = /^\/Date\((?<millis>\d{1,14})(?:[+-]\d{4})?\)\/$/;

/**
 * The milliseconds since 1970 that a text or number names, in UTC unless it says an offset; `undefined` when it names no point in
 * time. Everybody who reads times that people or systems wrote asks here.
 */
export function pointInTime(value: unknown): number | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const text = String(value).trim();
  if (text.length > LONGEST) return undefined;
  if (/^\d+$/.test(text)) {
    const counted = COUNTED.exec(text);
    return counted === null ? undefined : Number(text) * (counted.groups?.millis === undefined ? SECOND : 1);
  }
  const dotNet = DOT_NET.exec(text)?.groups?.millis;
  if (dotNet !== undefined) return Number(dotNet);
  for (const form of FORMS) {
    const parts = form.exec(text)?.groups;
    if (parts !== undefined) return timeOf(parts);
  }
  return undefined;
}

/** `20240131123000.0Z` as ISO 8601; `undefined` for every other text. */
export function generalizedTime(text: string): string | undefined {
  const parts = text.length > LONGEST ? undefined : GENERALIZED.exec(text)?.groups;
  const time = parts === undefined ? undefined : timeOf(parts);
  return time === undefined ? undefined : new Date(Math.floor(time)).toISOString().replace('.000Z', 'Z');
}

type Parts = Readonly<Record<string, string | undefined>>;
type NumberOf = (...names: readonly string[]) => number;

function timeOf(parts: Parts): number | undefined {
  const number = (...names: readonly string[]): number => Number(names.map((name) => parts[name]).find(Boolean) ?? 0);
  const date =
    parts.week === undefined && parts.week2 === undefined ? calendarDate(parts, number) : weekDate(parts, number);
  const [hour, minute, second] = [number('hour'), number('minute', 'minute2'), number('second', 'second2')];
  const [offHour, offMinute, offSecond] = [number('offHour'), number('offMinute'), number('offSecond')];
  if (date === undefined || hour > 23 || minute > 59 || second > 59) return undefined;
  if (offHour > 23 || offMinute > 59 || offSecond > 59) return undefined;
  // Digits beyond microseconds are ignored.
  const part = Number(`0.${(parts.part ?? parts.part2 ?? '0').slice(0, 6)}`) * SECOND;
  const offset = (offHour * HOUR + offMinute * MINUTE + offSecond * SECOND) * (parts.sign === '-' ? -1 : 1);
  const zone = ZONES.get(parts.zone?.toUpperCase() ?? 'UTC') ?? 0;
  return date + hour * HOUR + minute * MINUTE + second * SECOND + part - offset - zone;
}

function calendarDate({ monthName, year: written }: Parts, number: NumberOf): number | undefined {
  const month =
    monthName === undefined ? number('month', 'month2', 'month3') : MONTHS.indexOf(monthName.toLowerCase()) + 1;
  const day = number('day', 'day2', 'day3');
  const year = fullYear(number('year'), written);
  const at = utcDate(year, month - 1, day);
  const isDate = year > 0 && at.getUTCMonth() === month - 1 && at.getUTCDate() === day;
  return isDate ? at.getTime() : undefined;
}

/** Mail of old times wrote two digits: up to 49 they are of this century. */
function fullYear(year: number, written: string | undefined): number {
  return written?.length === 2 ? year + (year < 50 ? 2000 : 1900) : year;
}

function weekDate(parts: Parts, number: NumberOf): number | undefined {
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
