import { isExactNumber } from '../../kit/json/exact-number.ts';
import { readJson } from '../../kit/json/json-reader.ts';
import type { JsonValue } from '../../ports/index.ts';

/** How values of databases become those of labels. What a label cannot hold exactly stays a text of the same digits. */

/** A whole number of any size. */
export function wholeNumber(digits: string): number | string {
  const number = Number(digits);
  return Number.isSafeInteger(number) ? number : digits;
}

/** Decimals of up to fifteen digits are what a double gives back; zeros at the end say nothing about the value. */
const MOST_DIGITS = 15;

/** A decimal number. */
export function decimal(text: string): number | string {
  if (!/^-?\d*\.?\d*$/.test(text)) return finite(text);
  if (!text.includes('.')) return wholeNumber(text);
  const digits = text.replace(/^-?0*\.?0*|\.|0+$/g, '').length;
  return digits <= MOST_DIGITS ? Number(text) : text;
}

/** Returns a double, or the word for a value that is not a number. */
export function finite(text: string): number | string {
  const number = Number(text);
  return text.trim() !== '' && Number.isFinite(number) ? number : text;
}

/** Converts `2024-01-31 12:30:00.5+00` to ISO 8601. Values of a database that are not points in time (`infinity`, years BC) stay unchanged. */
export function isoTime(text: string, zone: '' | 'Z' = ''): string {
  const found = /^(\d{4,}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(\.\d+)?(?:([+-]\d\d)(?::?(\d\d))?)?$/.exec(text);
  if (found === null) return text;
  const [, date, time, fraction = '', hours, minutes = '00'] = found;
  const offset = hours === undefined ? zone : `${hours}:${minutes}`;
  // Six digits say no more than three when the rest are zeros.
  const part = fraction.replace(/\.?0+$/, '');
  return `${date}T${time}${part}${/^[+-]00:00$/.test(offset) ? 'Z' : offset}`;
}

/** Returns a JSON value; numbers that a double would change become texts. Text that is not JSON remains text. */
export function jsonValue(text: string): JsonValue {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return text;
  }
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  if (typeof value === 'number') return isExactNumber(text.trim()) ? value : text.trim();
  return (/\d{16}|[eE]/.test(text) ? readJson(text, { number: (token) => token }) : value) as JsonValue;
}
