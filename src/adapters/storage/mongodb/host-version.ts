import type { HostDoc } from './documents.ts';

/**
 * Finds a host only as it was read. The number of its version alone would not suffice: a host that was deleted and created again
 * in the meantime counts from the beginning, but has the token of another writer.
 */
export function isVersion({ _id, v, w }: Pick<HostDoc, '_id' | 'v' | 'w'>): Pick<HostDoc, '_id' | 'v' | 'w'> {
  return { _id, v, w };
}
