import { plainSecondsIn, plainSecondsOf } from '../../kit/words/moment.ts';
import type { Caller } from '../kernel/caller.ts';
import type { Config } from '../kernel/config/schema.ts';

/**
 * How moments of the log and of cron groups are written for a caller: in UTC, or over REST with REST_LOCAL_TIMES as clocks in TIMEZONE
 * show them. Pages, tools and commands always get UTC.
 */
export function momentsFor(
  { REST_LOCAL_TIMES, TIMEZONE }: Pick<Config, 'REST_LOCAL_TIMES' | 'TIMEZONE'>,
  { entrance }: Pick<Caller, 'entrance'>,
): (date: Date) => string {
  return REST_LOCAL_TIMES && entrance === 'rest' ? plainSecondsIn(TIMEZONE) : plainSecondsOf;
}
