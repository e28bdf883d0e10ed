import { setTimeout as sleep } from 'node:timers/promises';
import type { MongoClient } from 'mongodb';
import { isUnavailable, NO_ANSWER, unavailable } from './errors.ts';

/**
 * For a client whose answers may take as long as they like: longer than the largest index takes to be built, and an end
 * all the same.
 */
const LONGEST_TIMEOUT_MS = 12 * 3_600_000;
/** Lets the driver report first what it waited for, if it can. */
const HEAD_START_MS = 1_000;
/** How long a client that is closed may say goodbye; it lets go of its connections before that. */
const LONGEST_GOODBYE_MS = 5_000;

/**
 * A client of which every call ends: by its answer, or by a deadline of ours. The driver's own limits do not end each of
 * them: 7.9 waits without an end for room in a socket that was destroyed while a large command was being written.
 */
export class BoundedClient {
  readonly client: MongoClient;
  readonly #deadlineMs: number;
  readonly #whenOverrun: (client: BoundedClient) => void;
  #isRetired = false;
  #isClosed = false;

  constructor(client: MongoClient, whenOverrun: (client: BoundedClient) => void = () => undefined) {
    this.client = client;
    this.#deadlineMs = deadlineOf(client);
    this.#whenOverrun = whenOverrun;
  }

  /** The answer, or `unavailable` at the deadline. One that comes later is dropped. */
  bounded<T>(answer: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(unavailable(NO_ANSWER));
        if (!this.#isClosed) this.#whenOverrun(this);
      }, this.#deadlineMs);
      answer.then(
        (value) => {
          clearTimeout(timer);
          resolve(value);
        },
        (error) => {
          clearTimeout(timer);
          reject(this.#isRetired ? asPassing(error) : error);
        },
      );
    });
  }

  /** For one that has a successor: calls under way may end, and then the connections are let go of, also those that are still in use. */
  async retire(): Promise<void> {
    this.#isRetired = true;
    await sleep(this.#deadlineMs, undefined, { ref: false });
    await this.close();
  }

  /** Closes every connection, and waits a while for the server to be notified. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const done = new AbortController();
    const closed = this.client.close(true).catch(() => undefined);
    const late = sleep(LONGEST_GOODBYE_MS, undefined, { signal: done.signal }).catch(() => undefined);
    await Promise.race([closed, late]);
    done.abort();
  }
}

/** As long as the driver needs to wait for one answer, and to find out that there is no other server to ask. */
function deadlineOf({ options }: MongoClient): number {
  const { socketTimeoutMS = 0, serverSelectionTimeoutMS, connectTimeoutMS } = options;
  if (socketTimeoutMS === 0) return LONGEST_TIMEOUT_MS;
  return socketTimeoutMS + Math.max(serverSelectionTimeoutMS, connectTimeoutMS) + HEAD_START_MS;
}

/** Makes errors of a retired client's calls retriable: it has a successor. */
function asPassing(error: unknown): unknown {
  return isUnavailable(error) ? unavailable(NO_ANSWER, error) : error;
}
