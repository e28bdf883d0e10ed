import { setTimeout } from 'node:timers/promises';
import type { ChangeFeed, FeedPage, HostRecord, Storage } from '../../ports/index.ts';

const LOOK_EVERY_MS = 1_000;

/** How a page of the feed and its hosts are read. */
export interface FeedReads {
  after(since: string, limit: number): Promise<FeedPage | 'gone'>;
  hosts(names: readonly string[]): Promise<readonly (HostRecord | undefined)[]>;
}

/** Returns reads that go directly to a storage. */
export function plainReads({ feed, hosts }: Pick<Storage, 'feed' | 'hosts'>): FeedReads {
  return { after: (since, limit) => feed.after(since, limit), hosts: (names) => hosts.findEach([...names]) };
}

/**
 * One look at the feed each second for all streams of this process, instead of one for each. `turn` grows with everything that is new: a stream notes
 * it before it reads, and waits until it has grown.
 */
export class FeedWatch {
  turn = 0;
  readonly #storage: Pick<Storage, 'feed' | 'hosts'>;
  readonly #waiting = new Set<() => void>();
  readonly #reading = new Map<string, Promise<unknown>>();
  #isLooking = false;

  constructor(storage: Pick<Storage, 'feed' | 'hosts'>) {
    this.#storage = storage;
  }

  /** Resolves on an entry after the turn, at the latest after `ms`. `cursor`: position of the stream. Throws when aborted. */
  async after(turn: number, cursor: string, { ms, signal }: { readonly ms: number; readonly signal: AbortSignal }) {
    signal.throwIfAborted();
    if (turn !== this.turn) return;
    const ends = new AbortController();
    const wake = (): void => ends.abort();
    this.#waiting.add(wake);
    if (!this.#isLooking) void this.#look(cursor);
    try {
      const either = AbortSignal.any([signal, ends.signal]);
      await setTimeout(ms, undefined, { signal: either, ref: false }).catch(() => undefined);
    } finally {
      this.#waiting.delete(wake);
    }
    signal.throwIfAborted();
  }

  /** Reads of a turn: streams at the same place read together. */
  readsOf(turn: number): FeedReads {
    const plain = plainReads(this.#storage);
    return {
      after: (since, limit) => this.#together(`${turn} after ${since} ${limit}`, () => plain.after(since, limit)),
      hosts: (names) => this.#together(`${turn} hosts ${names.join('\n')}`, () => plain.hosts(names)),
    };
  }

  #together<T>(key: string, read: () => Promise<T>): Promise<T> {
    const reading = this.#reading.get(key) as Promise<T> | undefined;
    if (reading !== undefined) return reading;
    const begun = read().finally(() => this.#reading.delete(key));
    this.#reading.set(key, begun);
    return begun;
  }

  async #look(from: string): Promise<void> {
    this.#isLooking = true;
    const { feed } = this.#storage;
    let head = from;
    try {
      // A stream that was reading when the last look ended was not woken for changes before this one.
      this.turn++;
      while (this.#waiting.size > 0) {
        await setTimeout(LOOK_EVERY_MS, undefined, { ref: false });
        if (this.#waiting.size === 0) return;
        head = (await this.#newHead(feed, head)) ?? head;
      }
    } catch {
      // The streams read by themselves, and say what is wrong.
      this.#wakeAll();
    } finally {
      this.#isLooking = false;
    }
  }

  /** Returns the end of the feed, if entries were added behind the head. All waiting streams are woken then. */
  async #newHead(feed: ChangeFeed, head: string): Promise<string | undefined> {
    const page = await feed.after(head, 1);
    if (page !== 'gone' && page.entries.length === 0 && page.next === head) return undefined;
    const end = await feed.after('now', 1);
    this.#wakeAll();
    return end === 'gone' ? undefined : end.next;
  }

  #wakeAll(): void {
    this.turn++;
    for (const wake of this.#waiting) wake();
  }
}

const watches = new WeakMap<ChangeFeed, FeedWatch>();

/** The one watch of a storage in this process. */
export function feedWatchOf(storage: Pick<Storage, 'feed' | 'hosts'>): FeedWatch {
  const known = watches.get(storage.feed) ?? new FeedWatch(storage);
  watches.set(storage.feed, known);
  return known;
}
