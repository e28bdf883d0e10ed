import { setTimeout as sleep } from 'node:timers/promises';

/** Waits a random while that grows with the attempt, so that those who met do not meet again. */
export async function pause(attempt: number, longestMs: number): Promise<void> {
  await sleep(Math.random() * Math.min(longestMs, 2 ** Math.min(attempt, 10)));
}
