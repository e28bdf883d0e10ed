import { AppError } from '../../ports/index.ts';

export interface FairQueueOptions {
  /** How many may be inside at once. */
  readonly capacity: number;
  /** Number that may wait, and memory that they may hold together, in bytes; callers beyond are asked to try again later. */
  readonly maxWaiting: number;
  readonly maxWaitingBytes: number;
  /** Memory that those inside may hold together, in bytes. One alone is always let in. */
  readonly maxInsideBytes: number;
  /** The part of each that one user may have, between 0 and 1, so that there is room for others at any time. */
  readonly share: number;
}

interface Waiting {
  readonly bytes: number;
  /** Memory that it will hold once inside: its bytes, and those it has not read yet. */
  readonly inside: number;
  enter(): void;
}

/** A user with calls inside or waiting. */
interface User {
  readonly waiting: Set<Waiting>;
  inside: number;
  insideBytes: number;
  waitingBytes: number;
}

const RETRY_AFTER_SECONDS = 2;

/**
 * Admits up to a number of calls at once; the others wait, also up to a limit. Users take turns, however many calls of each are
 * waiting, and none gets more than a share: users who exceed it wait for their own calls, without delaying others.
 */
export class FairQueue {
  readonly #options: FairQueueOptions;
  readonly #insideOfOne: number;
  /** Users in order of their turns, the next one first. */
  readonly #users = new Map<string, User>();
  #inside = 0;
  #insideBytes = 0;
  #waiting = 0;
  #waitingBytes = 0;

  constructor(options: FairQueueOptions) {
    this.#options = options;
    this.#insideOfOne = Math.max(1, Math.floor(options.capacity * options.share));
  }

  /**
   * Resolves with the way out, which may be taken more than once, when there is room for `bytes`, which are held already, and for `more`, which
   * are read inside. Ends early when the signal aborts.
   */
  async enter(userName: string, bytes: number, signal: AbortSignal | undefined, more = 0): Promise<() => void> {
    const inside = bytes + more;
    const user = this.#users.get(userName) ?? { waiting: new Set(), inside: 0, insideBytes: 0, waitingBytes: 0 };
    this.#users.set(userName, user);
    if (this.#hasRoom(user, inside)) this.#count(user, inside);
    else {
      try {
        this.#refuseTooMany(user, bytes);
        await this.#turn(user, bytes, inside, signal);
      } catch (error) {
        this.#forgetIdle(userName, user);
        throw error;
      }
    }
    return this.#wayOut(userName, user, inside);
  }

  #hasRoom(user: User, bytes: number): boolean {
    const { capacity, maxInsideBytes, share } = this.#options;
    if (this.#inside >= capacity || user.inside >= this.#insideOfOne) return false;
    if (user.inside > 0 && user.insideBytes + bytes > maxInsideBytes * share) return false;
    return this.#inside === 0 || this.#insideBytes + bytes <= maxInsideBytes;
  }

  #refuseTooMany(user: User, bytes: number): void {
    const { maxWaiting, maxWaitingBytes, share } = this.#options;
    const retry = { retryAfterSeconds: RETRY_AFTER_SECONDS };
    if (this.#waiting >= maxWaiting || this.#waitingBytes + bytes > maxWaitingBytes) {
      throw new AppError('unavailable', 'too much heavy work is waiting; try again', retry);
    }
    if (user.waiting.size === 0) return;
    if (user.waiting.size >= maxWaiting * share || user.waitingBytes + bytes > maxWaitingBytes * share) {
      throw new AppError('unavailable', 'too much heavy work of this user is waiting; try again', retry);
    }
  }

  #turn(user: User, bytes: number, inside: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leaveLine = (): void => {
        user.waiting.delete(waiting);
        user.waitingBytes -= bytes;
        this.#waiting--;
        this.#waitingBytes -= bytes;
        signal?.removeEventListener('abort', abort);
      };
      const abort = (): void => {
        leaveLine();
        reject(new AppError('cancelled', 'the caller went away'));
      };
      const waiting: Waiting = {
        bytes,
        inside,
        enter: () => {
          leaveLine();
          resolve();
        },
      };
      user.waiting.add(waiting);
      user.waitingBytes += bytes;
      this.#waiting++;
      this.#waitingBytes += bytes;
      if (signal?.aborted) abort();
      else signal?.addEventListener('abort', abort, { once: true });
    });
  }

  #count(user: User, bytes: number): void {
    user.inside++;
    user.insideBytes += bytes;
    this.#inside++;
    this.#insideBytes += bytes;
  }

  #wayOut(userName: string, user: User, bytes: number): () => void {
    let left = false;
    return () => {
      if (left) return;
      left = true;
      user.inside--;
      user.insideBytes -= bytes;
      this.#inside--;
      this.#insideBytes -= bytes;
      this.#letIn();
      this.#forgetIdle(userName, user);
    };
  }

  /** Admits the first call that waits and may enter; its user moves to the end of the line. */
  #letIn(): void {
    for (;;) {
      const next = this.#next();
      if (next === undefined) return;
      const { userName, user, waiting } = next;
      this.#users.delete(userName);
      this.#users.set(userName, user);
      waiting.enter();
      this.#count(user, waiting.inside);
    }
  }

  #next(): { readonly userName: string; readonly user: User; readonly waiting: Waiting } | undefined {
    for (const [userName, user] of this.#users) {
      const [waiting] = user.waiting;
      if (waiting !== undefined && this.#hasRoom(user, waiting.inside)) return { userName, user, waiting };
    }
    return undefined;
  }

  #forgetIdle(userName: string, user: User): void {
    if (user.inside === 0 && user.waiting.size === 0 && this.#users.get(userName) === user) {
      this.#users.delete(userName);
    }
  }
}
