import { pointInTime } from '../../../jinja/point-in-time.ts';
import { readAge } from './age.ts';

const DAY = 86_400_000;
export const AGE = /^\d+(?:\.\d+)?[mhdw]$/i;
const SIGNED_AGE = /^[+-]\d+(?:\.\d+)?[mhdw]$/i;

/**
 * Returns the time at which a span up to `now` begins, given an age, a date or time, today or yesterday; `undefined` for any
 * other text.
 */
export function beginningOf(text: string, now: Date): Date | undefined {
  const wanted = text.trim();
  const from = AGE.test(wanted) ? now.getTime() - readAge(wanted.toLowerCase()) : spanOf(wanted, now)?.from;
  const at = new Date(from ?? Number.NaN);
  return Number.isNaN(at.getTime()) ? undefined : at;
}

/** Milliseconds since 1970; `to` is no longer of it. */
export interface TimeSpan {
  readonly from: number;
  readonly to: number;
}

/** `today`, `yesterday`, or a moment before or after `now`, such as `-30d` and `+90d`, which takes no time. */
export function relativeSpan(text: string, now: Date): TimeSpan | undefined {
  const today = Math.floor(now.getTime() / DAY) * DAY;
  const word = text.toLowerCase();
  if (word === 'today') return { from: today, to: today + DAY };
  if (word === 'yesterday') return { from: today - DAY, to: today };
  if (!SIGNED_AGE.test(word)) return undefined;
  const at = now.getTime() + readAge(word);
  return { from: at, to: at };
}

/** A relative one, a date, or a time. */
export function spanOf(text: string, now: Date): TimeSpan | undefined {
  const relative = relativeSpan(text, now);
  if (relative !== undefined) return relative;
  const from = pointInTime(text);
  if (from === undefined) return undefined;
  return { from, to: from + (text.includes(':') ? 1_000 : DAY) };
}
