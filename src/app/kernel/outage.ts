import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../ports/index.ts';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 3_000;

export interface OutageLimits {
  /** How long the storage may stay away before a call fails. */
  readonly longestMs: number;
  /** Nobody waits any longer once it aborts. */
  readonly signal?: AbortSignal | undefined;
}

/** How long after its beginning a call is made again whose caller waits for the answer, as for a bulk over REST. */
const LONGEST_CALL_MS = 12_000;

/** Of one call. */
interface Failures {
  tries: number;
  /** When it failed first. */
  since?: number;
}

/**
 * Waits for a storage that does not answer, as while a replica set elects a primary: calls are made again, with growing pauses. All calls of one piece of
 * work share how long it has been away, so that one after the other does not wait anew.
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
   * Makes a call that may be made twice. `isAgain` says that an earlier try got no answer, and nobody knows whether it was done. Throws what the last try
   * threw.
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
   * Reads steps to the end. `open` begins behind the last step, or from the beginning where there is none; where it cannot, it answers nothing, and
   * what was thrown in the middle is thrown on.
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

  /** Throws the error where it is of another kind, or was waited out: by all calls together, or by this one while others are answered. */
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
