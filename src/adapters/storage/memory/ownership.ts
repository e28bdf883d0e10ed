import type { OwnershipStore } from '../../../ports/index.ts';
import { storedObject, toOwnedObject } from '../shared/owned-objects.ts';
import { transferKey } from '../shared/transfer-key.ts';
import { compareUtf8 } from '../shared/utf8-order.ts';
import type { MemoryState } from './state.ts';

export function memoryOwnership(state: () => MemoryState): OwnershipStore {
  const keysOf = (accountId: string): string[] => {
    const own = [...state().ownership].filter(([, object]) => object.accountId === accountId);
    return own.map(([key]) => key).sort(compareUtf8);
  };
  return {
    async save(accountId, objects) {
      for (const object of objects) {
        const key = transferKey(accountId, object.kind, object.key);
        state().ownership.set(key, storedObject(accountId, object));
      }
    },

    async remove(accountId, keys) {
      for (const { kind, key } of keys) state().ownership.delete(transferKey(accountId, kind, key));
    },

    async *scan(accountId, batchSize) {
      const keys = keysOf(accountId);
      for (let from = 0; from < keys.length; from += batchSize) {
        const batch = keys.slice(from, from + batchSize).flatMap((key) => state().ownership.get(key) ?? []);
        if (batch.length > 0) yield batch.map(toOwnedObject);
      }
    },

    count: async (accountId) => keysOf(accountId).length,
    clear: async (accountId) => keysOf(accountId).filter((key) => state().ownership.delete(key)).length,
  };
}
