import { LRUCache } from 'lru-cache';

/**
 * Returns a cache of the `most` entries used last, which allocates memory as it fills. Given as `max`, the same bound would
 * allocate room for all of them at once: 50 ms of every start for the counters of a process that mostly count nothing.
 */
export function growingCache<Value extends object | string | number | boolean>(
  most: number,
  { ttl = 0 }: { readonly ttl?: number } = {},
): LRUCache<string, Value> {
  return new LRUCache({ maxSize: most, sizeCalculation: () => 1, ttl });
}
