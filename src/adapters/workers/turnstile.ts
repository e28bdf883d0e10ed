import { AppError } from '../../ports/index.ts';

export interface TurnstileOptions {
  /** How many may be inside at once. */
  readonly capacity: number;
  /** How many may wait, and what they may hold in memory together, bytes; beyond, callers are told to come again. */
  readonly maxWaiting: number;
  readonly maxWaitingBytes: number;
}

interface Waiting {
  readonly bytes: number;
  enter(): void;
}

/** Lets so many in at once, in the order in which they came; the others wait, and not too many of them. */
export class Turnstile {
  readonly #options: TurnstileOptions;
  readonly #waiting = new Set<Waiting>();
  #inside = 0;
  #waitingBytes = 0;

  constructor(options: TurnstileOptions) {
    this.#options = options;
  }

  /** Resolves with the way out, which may be taken more than once, when there is room. Ends early when the signal aborts. */
  async enter(bytes: number, signal: AbortSignal | undefined): Promise<() => void> {
    if (this.#inside < this.#options.capacity) {
      this.#inside++;
      return this.#wayOut();
    }
    const { maxWaiting, maxWaitingBytes } = this.#options;
    if (this.#waiting.size >= maxWaiting || this.#waitingBytes + bytes > maxWaitingBytes) {
      throw new AppError('unavailable', 'too much heavy work is waiting; try again', { retryAfterSeconds: 2 });
    }
    await this.#turn(bytes, signal);
    return this.#wayOut();
  }

  #turn(bytes: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leaveLine = (): void => {
        this.#waiting.delete(waiting);
        this.#waitingBytes -= bytes;
        signal?.removeEventListener('abort', abort);
      };
      const abort = (): void => {
        leaveLine();
        reject(new AppError('cancelled', 'the caller went away'));
      };
      const waiting: Waiting = {
        bytes,
        enter: () => {
          leaveLine();
          resolve();
        },
      };
      this.#waiting.add(waiting);
      this.#waitingBytes += bytes;
      if (signal?.aborted) abort();
      else signal?.addEventListener('abort', abort, { once: true });
    });
  }

  #wayOut(): () => void {
    let left = false;
    return () => {
      if (left) return;
      left = true;
      const [next] = this.#waiting;
      if (next === undefined) this.#inside--;
      else next.enter();
    };
  }
}
