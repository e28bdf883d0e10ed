import type { FindOptions } from 'mongodb';
import { isLostCursor } from './errors.ts';

/**
 * Hosts that one round of reading, deciding and writing takes. Large enough that round trips do not count, small enough that
 * encoding a batch does not hold the event loop.
 */
export const HOSTS_A_BATCH = 1_000;

/**
 * Keys in one `$in`. A real server takes thousands; the substitute of the tests compares each document with each key, so
 * that 1,000 cost it 0.8 s and ten times 100 cost 0.14 s.
 */
const KEYS_A_READ = 100;

/** Reads that are under way at once: enough to hide the round trips, and the pool keeps connections for others. */
const READS_AT_ONCE = 4;

/** Reads by key, however many keys there are. Results are in no order. In a session one read follows the other: the driver's are for one call at a time. */
export async function readByKeys<T>(
  keys: readonly string[],
  read: (keys: string[]) => Promise<readonly T[]>,
  { session }: Pick<FindOptions, 'session'> = {},
): Promise<T[]> {
  const found: T[] = [];
  const parts = batchesOf(keys, KEYS_A_READ)[Symbol.iterator]();
  async function readOn(): Promise<void> {
    for (let part = parts.next(); !part.done; part = parts.next()) {
      const keys = part.value;
      for (const item of await onceMore(() => read(keys))) found.push(item);
    }
  }
  await Promise.all(Array.from({ length: session === undefined ? READS_AT_ONCE : 1 }, readOn));
  return found;
}

/** Repeats a read of several answers if its cursor was lost: none of it was handed out. */
async function onceMore<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!isLostCursor(error)) throw error;
    return read();
  }
}

/** How many documents an answer may hold so that these keys take one: behind one that is full the driver asks for another. */
export function oneAnswer(keys: readonly string[]): number {
  return keys.length + 1;
}

export function* batchesOf<T>(items: readonly T[], size: number): Iterable<T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
