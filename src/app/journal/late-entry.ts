import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../ports/index.ts';
import { isUnavailable, Outage } from '../kernel/outage.ts';

/** Longest time that the end of a run waits for its entry to be written. */
export const LONGEST_WAIT_MS = 20_000;
const LOOK_EVERY_MS = 2_000;
/** Time after which an entry that could not be written is given up. */
const LATEST_MS = 24 * 60 * 60_000;

interface LateEntry {
  readonly logger: Logger;
  /** Fields for the message in the program's log. */
  readonly about: Readonly<Record<string, unknown>>;
  readonly longestWaitMs?: number | undefined;
}

/**
 * Writes an entry of the log, and retries while the storage is unavailable: for a while before it returns, and in the background
 * from then on, as long as the process lives. `write` learns whether an earlier try may have written it. A log that cannot be
 * written must not undo what was done, so this never throws.
 */
export async function writeEntry(
  { logger, about, longestWaitMs = LONGEST_WAIT_MS }: LateEntry,
  write: (isAgain: boolean) => Promise<void>,
): Promise<void> {
  const fail = (error: unknown): void =>
    logger.error('the log entry of a run could not be written', { ...about, error });
  try {
    await new Outage({ longestMs: longestWaitMs }).through(write);
  } catch (error) {
    fail(error);
    if (isUnavailable(error)) void writeLater(write).catch(fail);
  }
}

async function writeLater(write: (isAgain: boolean) => Promise<void>): Promise<void> {
  const from = performance.now();
  for (;;) {
    // A command that has nothing else to do ends.
    await sleep(LOOK_EVERY_MS, undefined, { ref: false });
    try {
      return await write(true);
    } catch (error) {
      if (!isUnavailable(error) || performance.now() - from > LATEST_MS) throw error;
    }
  }
}
