import { setTimeout as sleep } from 'node:timers/promises';
import { isUnavailable } from './errors.ts';

/** Waits a random while that grows with the attempt, so that those who met do not meet again. */
export async function pause(attempt: number, longestMs: number): Promise<void> {
  await sleep(Math.random() * Math.min(longestMs, 2 ** Math.min(attempt, 10)));
}

/**
 * Works when the one before is done. When that one found the database away, so would this one: it fails at once, so that a
 * queue does not wait as many times as it is long.
 */
export function afterTurn<T>(before: Promise<unknown>, work: () => Promise<T>): Promise<T> {
  return before.then(work, (error: unknown) => {
    if (isUnavailable(error)) throw error;
    return work();
  });
}
