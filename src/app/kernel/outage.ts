import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../ports/index.ts';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 3_000;

export interface OutageLimits {
  /** How long the storage may stay away before a call fails. */
  readonly longestMs: number;
  /** Ends the waiting when it aborts. */
  readonly signal?: AbortSignal | undefined;
}

/** How long after its beginning a call is made again whose caller waits for the answer, as for a bulk over REST. */
const LONGEST_CALL_MS = 12_000;

/** Failures of one call. */
interface Failures {
  tries: number;
  /** When it failed first. */
  since?: number;
}

/**
 * Waits for a storage that does not answer, for example while a replica set elects a primary: calls are repeated, with growing
 * pauses. All calls of one piece of work share the time for which it has been away, so that successive calls do not each wait for
 * the full time.
 */
export class Outage {
  readonly #limits: OutageLimits;
  #silentSince: number | undefined;

  constructor(limits: OutageLimits) {
    this.#limits = limits;
  }

  /** For one call whose caller waits: one that got no answer for long is not made again. */
  static ofCall(signal: AbortSignal): Outage {
    const outage = new Outage({ longestMs: LONGEST_CALL_MS, signal });
    outage.#silentSince = performance.now();
    return outage;
  }

  /**
   * Makes a call that may be repeated. `isAgain` is true if an earlier try got no answer, so that it may have been done. Throws
   * the error of the last try.
   */
  async through<T>(call: (isAgain: boolean) => Promise<T>): Promise<T> {
    const own: Failures = { tries: 0 };
    for (;;) {
      try {
        const answer = await call(own.tries > 0);
        this.#silentSince = undefined;
        return answer;
      } catch (error) {
        await this.#wait(error, own);
      }
    }
  }

  /**
   * Reads steps to the end. `open` begins after the last step, or at the beginning if there is none; if it cannot, it returns
   * `undefined`, and an error in the middle is thrown.
   */
  async *read<T>(open: (last: T | undefined) => AsyncIterable<T> | undefined): AsyncGenerator<T> {
    let last: T | undefined;
    let steps = open(last);
    let own: Failures = { tries: 0 };
    for (;;) {
      try {
        for await (const step of steps ?? []) {
          this.#silentSince = undefined;
          own = { tries: 0 };
          last = step;
          yield step;
        }
        return;
      } catch (error) {
        steps = open(last);
        if (steps === undefined) throw error;
        await this.#wait(error, own);
      }
    }
  }

  /**
   * Pauses before the next try. Throws the error if it is of another kind, or if the time is over: for all calls together, or for
   * this one while others are answered.
   */
  async #wait(error: unknown, own: Failures): Promise<void> {
    const { longestMs, signal } = this.#limits;
    if (!isUnavailable(error) || signal?.aborted === true) throw error;
    const now = performance.now();
    this.#silentSince ??= now;
    own.since ??= now;
    const leftMs = Math.min(this.#silentSince, own.since) + longestMs - now;
    if (leftMs <= 0) throw error;
    const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** own.tries++) * (0.5 + Math.random() / 2);
    try {
      await sleep(Math.min(leftMs, pauseMs), undefined, { signal });
    } catch {
      throw error;
    }
  }
}

export function isUnavailable(error: unknown): error is AppError {
  return error instanceof AppError && error.code === 'unavailable';
}
