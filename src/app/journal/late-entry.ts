import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../ports/index.ts';
import { isUnavailable, Outage } from '../kernel/outage.ts';

/** How long whoever ends a run waits until its entry is written. */
export const LONGEST_WAIT_MS = 20_000;
const LOOK_EVERY_MS = 2_000;
/** What nobody could write for so long is given up. */
const LATEST_MS = 24 * 60 * 60_000;

interface LateEntry {
  readonly logger: Logger;
  /** What the log of the program says of it. */
  readonly about: Readonly<Record<string, unknown>>;
  readonly longestWaitMs?: number | undefined;
}

/**
 * Writes an entry of the log, and does so again while the storage is away: for a while before the caller goes on, and behind its back from then on, as
 * long as the process lives. `write` is told when an earlier try may have written it. A log that cannot be written takes nothing back of what was done,
 * so this never throws.
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
