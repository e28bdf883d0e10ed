import type { HttpError, HttpRetry } from '../../ports/index.ts';

const REPEATABLE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);
const PASSING_STATUSES = new Set([429, 500, 502, 503, 504]);

export function isRepeatable(method: string, said: boolean | undefined): boolean {
  return said ?? REPEATABLE_METHODS.has(method);
}

export function isPassingStatus(status: number): boolean {
  return PASSING_STATUSES.has(status);
}

/** Result of a try, as far as it decides about another one. */
export interface FailedTry {
  readonly error: HttpError;
  /** True if nothing was sent, so that no method can have had an effect. */
  readonly unsent: boolean;
  /** True if another try may succeed. */
  readonly passing: boolean;
}

/** Seconds to wait before the next try; `undefined` when there is none. `number` of the failed one is from 1. */
export function secondsToNext(
  { error, unsent, passing }: FailedTry,
  {
    number,
    repeatable,
    passed,
    random,
  }: { readonly number: number; readonly repeatable: boolean; readonly passed: number; readonly random: () => number },
  retry: HttpRetry,
): number | undefined {
  if (!passing || number >= retry.attempts || !(repeatable || unsent)) return undefined;
  const asked = error.retryAfterSeconds;
  if (asked !== undefined && asked > retry.retryAfterSeconds) return undefined;
  // Randomising the whole delay keeps clients that failed together from retrying together.
  const backOff = random() * Math.min(retry.longestSeconds, retry.firstSeconds * 2 ** (number - 1));
  const seconds = Math.max(asked ?? 0, backOff);
  return passed + seconds > retry.totalSeconds ? undefined : seconds;
}

/** Seconds that a `Retry-After` asks for: a number of them, or a date. */
export function retryAfter(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const time = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : Math.max(0, Math.ceil((time - now.getTime()) / 1000));
}
