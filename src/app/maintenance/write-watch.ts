import { dirname } from 'node:path';
import { phrase, saidBy, worded } from '../../kit/worded.ts';
import { AppError, type Clock, type Logger, type Storage, type Wording } from '../../ports/index.ts';
import { freeBytes } from './folders.ts';

/** Least interval between two writes, however frequent the requests. */
const REMEMBERED_MS = 5_000;
const ANSWERS_WITHIN_MS = 5_000;
/** With less room a few bytes may still be written, within pages that are free, and the next import is not. */
const LEAST_BYTES = 1024 * 1024;

interface WriteWatchDeps {
  readonly storage: Pick<Storage, 'access'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
  /** Files of the database, if it is on this machine. */
  readonly database: readonly string[];
}

/**
 * Whether the store can be written. A store with a full disk, a quota or a file that is read-only answers every reading call, so this is
 * tried: one small record, which ends with the moment that it is of.
 */
export class WriteWatch {
  readonly #deps: WriteWatchDeps;
  #known: { readonly until: number; readonly reason: Promise<string | Wording | undefined> } | undefined;

  constructor(deps: WriteWatchDeps) {
    this.#deps = deps;
  }

  /** Why it cannot be written; `undefined` when it can. */
  reason(): Promise<string | Wording | undefined> {
    const now = this.#deps.clock.now().getTime();
    if (this.#known === undefined || this.#known.until <= now) {
      this.#known = { until: now + REMEMBERED_MS, reason: this.#look() };
    }
    return this.#known.reason;
  }

  async #look(): Promise<string | Wording | undefined> {
    const { storage, clock, logger, database } = this.#deps;
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new AppError('unavailable', phrase`no answer in time`)), ANSWERS_WITHIN_MS);
    });
    try {
      const [file] = database;
      const free = file === undefined ? undefined : await freeBytes(dirname(file));
      if (free !== undefined && free < LEAST_BYTES) {
        throw new AppError(
          'unavailable',
          worded`the disk is full: ${{ folder: dirname(file ?? '') }} has no room left`,
        );
      }
      const now = clock.now();
      await Promise.race([storage.access.useOnce({ key: 'write probe', now, until: now }), tooLate]);
      return undefined;
    } catch (error) {
      const reason = error instanceof AppError ? saidBy(error) : String(error);
      logger.warn('the store cannot be written', { error });
      return reason;
    } finally {
      clearTimeout(timer);
    }
  }
}
