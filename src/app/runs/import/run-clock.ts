import type { Clock } from '../../../ports/index.ts';

/**
 * The clock of one run, which never goes back: a run tells what it did not see by what is older than its beginning, and what it saw
 * must not look so because the clock was set meanwhile.
 */
export function runClock(clock: Clock): Clock {
  let latest = 0;
  return {
    now() {
      latest = Math.max(latest, clock.now().getTime());
      return new Date(latest);
    },
  };
}
