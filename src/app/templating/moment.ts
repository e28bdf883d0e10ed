import { fault } from './fault.ts';
import { expectText } from './plain-text.ts';
import type { Run } from './run.ts';
import { textLength } from './sequence.ts';
import { type CallArguments, noMethod, PyObject, type Value } from './value.ts';

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

/** A point in time for formatting only. Its fields are read as UTC; `now()` shifts them to local time first. */
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
        return new Moment(this.#at, true);
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
    if (method !== 'now' && method !== 'utcnow' && method !== 'today') throw noMethod(this.typeName, method);
    if (positional.length > 0 || named) throw fault(`datetime.${method}() takes no arguments here`);
    const now = this.#now();
    if (method === 'utcnow') return new Moment(now, this.#dateOnly);
    return new Moment(new Date(now.getTime() - now.getTimezoneOffset() * 60_000), this.#dateOnly);
  }
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
