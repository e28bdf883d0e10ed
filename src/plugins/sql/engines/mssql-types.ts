import type { JsonValue } from '../../../ports/index.ts';
import { wholeNumber } from '../values.ts';

/** Whole digits of 100 nanoseconds, which a time has beyond its milliseconds. */
interface ExactDate extends Date {
  readonly nanosecondsDelta?: number;
}

/**
 * Converts a value that the driver read from a column of a type; returns `undefined` if it is left out. Points in time are read
 * in UTC.
 */
export function mssqlValue(value: unknown, type: string, base64: boolean): JsonValue | undefined {
  if (value === null || value === undefined) return null;
  // Whole numbers of 64 bits come as texts.
  if (typeof value === 'string') return type === 'BigInt' || type === 'IntN' ? wholeNumber(value) : value;
  if (typeof value === 'bigint') return wholeNumber(String(value));
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'boolean') return value;
  if (value instanceof Date) return time(value, type);
  return base64 && value instanceof Uint8Array ? Buffer.from(value).toString('base64') : undefined;
}

function time(date: ExactDate, type: string): string {
  const iso = date.toISOString();
  if (type === 'Date') return iso.slice(0, 10);
  const finer = Math.round((date.nanosecondsDelta ?? 0) * 1e7);
  const fraction = `${iso.slice(20, 23)}${String(finer).padStart(4, '0')}`.replace(/0+$/, '');
  const clock = `${iso.slice(11, 19)}${fraction === '' ? '' : `.${fraction}`}`;
  if (type === 'Time') return clock;
  return `${iso.slice(0, 10)}T${clock}${type === 'DateTimeOffset' ? 'Z' : ''}`;
}
