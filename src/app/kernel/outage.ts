import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../ports/index.ts';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 3_000;

/** How long a call waits whose caller waits for the answer, as for a bulk over REST. */
export const LONGEST_CALL_MS = 12_000;

export interface OutageLimits {
  /** How long the storage may stay away before a call fails. */
  readonly longestMs: number;
  /** Nobody waits any longer once it aborts. */
  readonly signal?: AbortSignal | undefined;
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

  /**
   * Makes a call that may be made twice. `isAgain` says that an earlier try got no answer, and nobody knows whether it was done. Throws what the last try
   * threw.
   */
  async through<T>(call: (isAgain: boolean) => Promise<T>): Promise<T> {
    for (let tries = 0; ; tries++) {
      try {
        const answer = await call(tries > 0);
        this.#silentSince = undefined;
        return answer;
      } catch (error) {
        await this.#wait(error, tries);
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
    for (let tries = 0; ; tries++) {
      try {
        for await (const step of steps ?? []) {
          this.#silentSince = undefined;
          tries = 0;
          last = step;
          yield step;
        }
        return;
      } catch (error) {
        steps = open(last);
        if (steps === undefined) throw error;
        await this.#wait(error, tries);
      }
    }
  }

  /** Throws the error where it is of another kind, or was waited out. */
  async #wait(error: unknown, tries: number): Promise<void> {
    const { longestMs, signal } = this.#limits;
    if (!isUnavailable(error) || signal?.aborted === true) throw error;
    const now = performance.now();
    this.#silentSince ??= now;
    const leftMs = this.#silentSince + longestMs - now;
    if (leftMs <= 0) throw error;
    const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tries) * (0.5 + Math.random() / 2);
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
