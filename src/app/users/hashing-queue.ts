import { worded } from '../../kit/worded.ts';
import { AppError } from '../../ports/index.ts';

export interface HashingQueueOptions {
  /** Hashes at a time. Threads that hash do nothing else meanwhile, and files and names need some too. */
  readonly atOnce?: number;
  readonly mostWaiting?: number;
}

interface Waiter {
  start(): void;
  refuse(error: AppError): void;
}

interface Turn {
  /** Whose turn it is: those of one share wait for each other, and the shares take turns. */
  readonly share: string;
  /** True if the same credentials were accepted a short while ago. */
  readonly known: boolean;
}

const AT_ONCE = 2;
const MOST_WAITING = 128;
/** How many known clients are served for each newcomer, if both wait. */
const KNOWN_FOR_A_NEWCOMER = 3;

/**
 * A queue of passwords to be hashed, which is slow on purpose. A client that sends many of them waits behind its own only: the
 * shares, by client address, take turns; credentials accepted before are served first; and if the queue is full, the largest
 * share loses its last entry, with newcomers dropped before known clients.
 */
export class HashingQueue {
  readonly #options: Required<HashingQueueOptions>;
  readonly #known = new Lane();
  readonly #newcomers = new Lane();
  #running = 0;
  #knownInARow = 0;

  constructor(options: HashingQueueOptions = {}) {
    this.#options = { atOnce: AT_ONCE, mostWaiting: MOST_WAITING, ...options };
  }

  /** Runs the work when its turn comes. Throws `unavailable` when there is no room for it. */
  async run<T>(turn: Turn, work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#options.atOnce) await this.#wait(turn);
    else this.#running++;
    try {
      return await work();
    } finally {
      this.#next();
    }
  }

  #wait(turn: Turn): Promise<void> {
    const { share, known } = turn;
    const lane = known ? this.#known : this.#newcomers;
    if (this.#known.size + this.#newcomers.size >= this.#options.mostWaiting) this.#makeRoom(turn);
    return new Promise((start, refuse) => lane.add(share, { start, refuse }));
  }

  /** Passes the slot of the finished work to the next waiter. */
  #next(): void {
    const isTurnOfNewcomer = this.#newcomers.size > 0 && this.#knownInARow >= KNOWN_FOR_A_NEWCOMER;
    const known = isTurnOfNewcomer ? undefined : this.#known.take();
    const waiter = known ?? this.#newcomers.take();
    if (waiter === undefined) {
      this.#running--;
      return;
    }
    this.#knownInARow = known === undefined ? 0 : this.#knownInARow + 1;
    waiter.start();
  }

  #makeRoom({ share, known }: Turn): void {
    const lane = this.#newcomers.size > 0 ? this.#newcomers : this.#known;
    const largest = lane.largest();
    // A flood from many addresses has one entry in each share. Newcomers rank equally; a known client precedes all of them.
    const isBefore = known && lane === this.#newcomers;
    if (largest === undefined || (!isBefore && largest.size <= lane.sizeOf(share) + 1)) throw tooMany();
    lane.takeLast(largest.share)?.refuse(tooMany());
  }
}

/** Waiters by share; the shares take turns. */
class Lane {
  readonly #shares = new Map<string, Waiter[]>();
  size = 0;

  add(share: string, waiter: Waiter): void {
    const waiters = this.#shares.get(share);
    if (waiters === undefined) this.#shares.set(share, [waiter]);
    else waiters.push(waiter);
    this.size++;
  }

  take(): Waiter | undefined {
    const [first] = this.#shares;
    if (first === undefined) return undefined;
    const [share, waiters] = first;
    const waiter = waiters.shift();
    this.#shares.delete(share);
    // Behind all others, with what is left.
    if (waiters.length > 0) this.#shares.set(share, waiters);
    this.size--;
    return waiter;
  }

  takeLast(share: string): Waiter | undefined {
    const waiters = this.#shares.get(share);
    const waiter = waiters?.pop();
    if (waiters?.length === 0) this.#shares.delete(share);
    if (waiter !== undefined) this.size--;
    return waiter;
  }

  sizeOf(share: string): number {
    return this.#shares.get(share)?.length ?? 0;
  }

  largest(): { readonly share: string; readonly size: number } | undefined {
    let found: { share: string; size: number } | undefined;
    for (const [share, { length }] of this.#shares) if (length > (found?.size ?? 0)) found = { share, size: length };
    return found;
  }
}

function tooMany(): AppError {
  return new AppError('unavailable', worded`too many logins at once; try again`, { retryAfterSeconds: 1 });
}
