const FIRST_MS = 5_000;
const LONGEST_MS = 60 * 60_000;
/** With the pauses below, a receiver may be away for about a day. */
export const MOST_ATTEMPTS = 34;

/** How long to wait after so many attempts that failed: twice as long each time, an hour at most. */
export function pauseAfter(attempts: number): number {
  return Math.min(FIRST_MS * 2 ** Math.max(0, attempts - 1), LONGEST_MS);
}
