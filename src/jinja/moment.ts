import { fault } from './fault.ts';
import { asNumeric, toNumber } from './number.ts';
import { expectText } from './plain-text.ts';
import { pointInTime } from './point-in-time.ts';
import type { Run } from './run.ts';
import { textLength } from './sequence.ts';
import { type CallArguments, float, noMethod, PyObject, type Value } from './value.ts';

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const DAY = 86_400_000;

/** Returns the moment of a text like `2026-01-02 03:04:05.123000`, in UTC; `undefined` if the text is not a time. */
export function momentOf(text: string): Value | undefined {
  const at = pointInTime(text);
  return at === undefined ? undefined : new Moment(new Date(at), false);
}

/** A point in time. Its fields are read as UTC; `now()` shifts them to local time first. */
class Moment extends PyObject {
  readonly typeName = 'datetime';
  readonly #at: Date;
  readonly #dateOnly: boolean;

  constructor(at: Date, dateOnly: boolean) {
    super();
    this.#at = at;
    this.#dateOnly = dateOnly;
  }

  override text(): string {
    return this.#iso(' ');
  }

  override operate(operator: string, right: Value): Value | undefined {
    if (right instanceof Duration && (operator === '+' || operator === '-')) {
      return this.#moved(operator === '+' ? right.milliseconds : -right.milliseconds);
    }
    if (operator !== '-' || !this.#comparesWith(right)) return undefined;
    return new Duration(this.#at.getTime() - right.#at.getTime());
  }

  override compareTo(right: Value): number | undefined {
    return this.#comparesWith(right) ? this.#at.getTime() - right.#at.getTime() : undefined;
  }

  #comparesWith(other: Value): other is Moment {
    return other instanceof Moment && other.#dateOnly === this.#dateOnly;
  }

  #moved(milliseconds: number): Moment {
    const at = new Date(this.#at.getTime() + milliseconds);
    const year = at.getUTCFullYear();
    if (!(year >= 1 && year <= 9999)) throw fault('the date is out of range');
    // A date has no time of day to be moved.
    return new Moment(this.#dateOnly ? new Date(Math.floor(at.getTime() / DAY) * DAY) : at, this.#dateOnly);
  }

  #iso(separator: string): string {
    const text = format(this.#at, this.#dateOnly ? '%Y-%m-%d' : `%Y-%m-%d${separator}%H:%M:%S`);
    return this.#dateOnly || this.#at.getUTCMilliseconds() === 0 ? text : `${text}.${format(this.#at, '%f')}`;
  }

  override attribute(name: string): Value | undefined {
    const at = this.#at;
    switch (name) {
      case 'year':
        return at.getUTCFullYear();
      case 'month':
        return at.getUTCMonth() + 1;
      case 'day':
        return at.getUTCDate();
    }
    if (this.#dateOnly) return undefined;
    switch (name) {
      case 'hour':
        return at.getUTCHours();
      case 'minute':
        return at.getUTCMinutes();
      case 'second':
        return at.getUTCSeconds();
      case 'microsecond':
        return at.getUTCMilliseconds() * 1000;
      default:
        return undefined;
    }
  }

  override call(run: Run, method: string, { positional }: CallArguments): Value {
    switch (method) {
      case 'strftime': {
        const pattern = expectText(positional[0], 'the format of strftime()');
        // `%c` is the longest directive: 24 characters for two.
        run.sized(pattern.length * 12);
        return format(this.#at, pattern);
      }
      case 'isoformat': {
        const separator = positional[0] === undefined ? 'T' : expectText(positional[0], 'the separator');
        if (textLength(separator) !== 1) throw fault('the separator of isoformat() must be one character');
        return this.#iso(separator);
      }
      case 'date':
        return new Moment(new Date(Math.floor(this.#at.getTime() / DAY) * DAY), true);
      case 'weekday':
        return (this.#at.getUTCDay() + 6) % 7;
      case 'isoweekday':
        return ((this.#at.getUTCDay() + 6) % 7) + 1;
      default:
        throw noMethod(this.typeName, method);
    }
  }
}

/** `datetime`, both as the module (`datetime.datetime.now()`) and as the class (`datetime.now()`). */
export class Clock extends PyObject {
  readonly typeName = 'datetime';
  readonly #now: () => Date;
  readonly #dateOnly: boolean;

  constructor(now: () => Date, dateOnly = false) {
    super();
    this.#now = now;
    this.#dateOnly = dateOnly;
  }

  override attribute(name: string): Value | undefined {
    if (name === 'datetime') return this;
    return name === 'date' ? new Clock(this.#now, true) : undefined;
  }

  override call(_run: Run, method: string, { positional, named }: CallArguments): Value {
    if (method === 'timedelta') return durationOf(positional, named);
    const isTold = TOLD.has(method);
    if (!isTold && method !== 'now' && method !== 'utcnow' && method !== 'today') throw noMethod(this.typeName, method);
    const [given] = positional;
    if (named || positional.length !== (isTold ? 1 : 0))
      throw fault(`datetime.${method}() takes ${isTold ? 'one argument' : 'no arguments'} here`);
    const at = given === undefined ? this.#now().getTime() : toldTime(method, given);
    const local = IN_UTC.has(method) ? at : at - new Date(at).getTimezoneOffset() * 60_000;
    return new Moment(new Date(this.#dateOnly ? Math.floor(local / DAY) * DAY : local), this.#dateOnly);
  }
}

/** Methods that make a moment of a value. */
const TOLD: ReadonlySet<string> = new Set(['fromtimestamp', 'utcfromtimestamp', 'fromisoformat']);
const IN_UTC: ReadonlySet<string> = new Set(['utcnow', 'utcfromtimestamp', 'fromisoformat']);
const LAST_YEAR = Date.UTC(10_000, 0) - 2 * DAY;

/** Milliseconds since 1970. A number counts seconds, of 12 or 13 digits milliseconds, also where a label has it as a text. */
function toldTime(method: string, value: Value): number {
  const number = typeof value === 'string' ? undefined : asNumeric(value);
  const at = pointInTime(number === undefined ? value : toNumber(number));
  if (method === 'fromisoformat') {
    if (typeof value === 'string' && at !== undefined) return at;
    throw fault('fromisoformat() takes a text that is a time, such as 2026-01-31T08:00:00Z');
  }
  const time = at ?? (number === undefined ? Number.NaN : toNumber(number) * 1000);
  if (!(Math.abs(time) < LAST_YEAR))
    throw fault(`${method}() takes the seconds since 1970, and this is not a number of seconds`);
  return time;
}

/** The time between two moments. */
class Duration extends PyObject {
  readonly typeName = 'timedelta';
  readonly milliseconds: number;

  constructor(milliseconds: number) {
    super();
    if (!(Math.abs(milliseconds) < MAX_DAYS * DAY)) throw fault('the timedelta is too large');
    this.milliseconds = milliseconds;
  }

  get #days(): number {
    return Math.floor(this.milliseconds / DAY);
  }

  /** Milliseconds within the last day, counted as in Python: for negative durations, days are rounded down and this counts up. */
  get #rest(): number {
    return this.milliseconds - this.#days * DAY;
  }

  override text(): string {
    const days = this.#days;
    const rest = this.#rest;
    const time = new Date(rest);
    const clock = `${time.getUTCHours()}:${format(time, '%M:%S')}${rest % 1000 === 0 ? '' : `.${format(time, '%f')}`}`;
    return days === 0 ? clock : `${days} day${Math.abs(days) === 1 ? '' : 's'}, ${clock}`;
  }

  override attribute(name: string): Value | undefined {
    switch (name) {
      case 'days':
        return this.#days;
      case 'seconds':
        return Math.floor(this.#rest / 1000);
      case 'microseconds':
        return (this.#rest % 1000) * 1000;
      default:
        return undefined;
    }
  }

  override call(_run: Run, method: string): Value {
    if (method === 'total_seconds') return float(this.milliseconds / 1000);
    throw noMethod(this.typeName, method);
  }

  override operate(operator: string, right: Value): Value | undefined {
    if (right instanceof Duration) {
      if (operator === '+') return new Duration(this.milliseconds + right.milliseconds);
      if (operator === '-') return new Duration(this.milliseconds - right.milliseconds);
    }
    return operator === '+' && right instanceof Moment ? right.operate('+', this) : undefined;
  }

  override compareTo(right: Value): number | undefined {
    return right instanceof Duration ? this.milliseconds - right.milliseconds : undefined;
  }
}

const MAX_DAYS = 1_000_000_000;
const UNITS: ReadonlyMap<string, number> = new Map([
  ['weeks', 7 * DAY],
  ['days', DAY],
  ['hours', 3_600_000],
  ['minutes', 60_000],
  ['seconds', 1_000],
  ['milliseconds', 1],
]);

/** `timedelta(days=2)`; the first unnamed number is days, the second seconds. */
function durationOf(positional: readonly Value[], named: ReadonlyMap<string, Value> | undefined): Duration {
  if (positional.length > 2) throw fault('timedelta() takes at most two unnamed numbers here: days and seconds');
  const parts = [...positional.map((value, at) => [at === 0 ? 'days' : 'seconds', value] as const), ...(named ?? [])];
  let milliseconds = 0;
  for (const [unit, value] of parts) {
    const size = UNITS.get(unit);
    if (size === undefined) throw fault(`timedelta() takes ${[...UNITS.keys()].join(', ')} here, not ${unit}`);
    const number = asNumeric(value);
    if (number === undefined) throw fault(`${unit} of timedelta() must be a number`);
    milliseconds += Math.round(toNumber(number) * size);
  }
  return new Duration(milliseconds);
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

function dayOfYear(at: Date): number {
  return Math.floor((at.getTime() - Date.UTC(at.getUTCFullYear(), 0, 1)) / DAY) + 1;
}

function isoWeek(at: Date): { year: number; week: number } {
  const weekday = (at.getUTCDay() + 6) % 7;
  const thursday = new Date(at.getTime() + (3 - weekday) * DAY);
  return { year: thursday.getUTCFullYear(), week: Math.floor((dayOfYear(thursday) - 1) / 7) + 1 };
}

const DIRECTIVES: ReadonlyMap<string, (at: Date) => string> = new Map([
  ['Y', (at: Date) => String(at.getUTCFullYear())],
  ['m', (at: Date) => two(at.getUTCMonth() + 1)],
  ['d', (at: Date) => two(at.getUTCDate())],
  ['e', (at: Date) => String(at.getUTCDate()).padStart(2)],
  ['H', (at: Date) => two(at.getUTCHours())],
  ['I', (at: Date) => two(at.getUTCHours() % 12 || 12)],
  ['M', (at: Date) => two(at.getUTCMinutes())],
  ['S', (at: Date) => two(at.getUTCSeconds())],
  ['f', (at: Date) => `${String(at.getUTCMilliseconds()).padStart(3, '0')}000`],
  ['y', (at: Date) => two(at.getUTCFullYear() % 100)],
  ['j', (at: Date) => String(dayOfYear(at)).padStart(3, '0')],
  ['a', (at: Date) => (DAYS[at.getUTCDay()] ?? '').slice(0, 3)],
  ['A', (at: Date) => DAYS[at.getUTCDay()] ?? ''],
  ['b', (at: Date) => (MONTHS[at.getUTCMonth()] ?? '').slice(0, 3)],
  ['B', (at: Date) => MONTHS[at.getUTCMonth()] ?? ''],
  ['p', (at: Date) => (at.getUTCHours() < 12 ? 'AM' : 'PM')],
  ['w', (at: Date) => String(at.getUTCDay())],
  ['u', (at: Date) => String(at.getUTCDay() || 7)],
  ['U', (at: Date) => two(Math.floor((dayOfYear(at) + 6 - at.getUTCDay()) / 7))],
  ['W', (at: Date) => two(Math.floor((dayOfYear(at) + 6 - ((at.getUTCDay() + 6) % 7)) / 7))],
  ['V', (at: Date) => two(isoWeek(at).week)],
  ['G', (at: Date) => String(isoWeek(at).year)],
  ['F', (at: Date) => format(at, '%Y-%m-%d')],
  ['T', (at: Date) => format(at, '%H:%M:%S')],
  ['R', (at: Date) => format(at, '%H:%M')],
  ['D', (at: Date) => format(at, '%m/%d/%y')],
  ['x', (at: Date) => format(at, '%m/%d/%y')],
  ['X', (at: Date) => format(at, '%H:%M:%S')],
  ['c', (at: Date) => format(at, '%a %b %e %H:%M:%S %Y')],
  ['z', () => ''],
  ['Z', () => ''],
  ['%', () => '%'],
]);

/** `strftime` in the C locale; unknown directives stay as they are written. */
function format(at: Date, pattern: string): string {
  return pattern.replace(/%([a-zA-Z%])/g, (whole, letter: string) => DIRECTIVES.get(letter)?.(at) ?? whole);
}
