import { type StorageTransfer, TRANSFER_PARTS } from '../../../ports/index.ts';
import { compareUtf8 } from '../shared/utf8-order.ts';
import type { MemoryState } from './state.ts';
import { recordsOf } from './transfer-reads.ts';
import { writeRecords } from './transfer-writes.ts';

/** Moving everything that the memory holds. */
export function memoryTransfer(state: () => MemoryState): StorageTransfer {
  return {
    async *read(part, { after, batchSize }) {
      const records = recordsOf(state(), part);
      yield* batches(
        after === undefined ? records : records.filter(({ key }) => compareUtf8(key, after) > 0),
        batchSize,
      );
    },

    async *snapshot(batchSize) {
      const parts = TRANSFER_PARTS.map((part) => ({ part, records: recordsOf(state(), part) }));
      for (const { part, records } of parts) {
        for (const batch of batches(records, batchSize)) yield { part, records: batch };
      }
    },

    write: async (part, records) => writeRecords(state(), part, records),

    count: async (part) => recordsOf(state(), part).length,

    clear: async () => state().clear(),
  };
}

function* batches<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size);
}
