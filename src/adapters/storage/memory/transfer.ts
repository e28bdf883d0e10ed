import { type StorageTransfer, TRANSFER_PARTS, type TransferPart, type TransferRecord } from '../../../ports/index.ts';
import { itemOf, recordOf } from '../shared/transfer-table.ts';
import { compareUtf8 } from '../shared/utf8-order.ts';
import type { MemoryState } from './state.ts';
import { PART_PLACES } from './transfer-parts.ts';

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

/** All records of a part in byte order of their keys. */
function recordsOf<Part extends TransferPart>(state: MemoryState, part: Part): readonly TransferRecord[] {
  const records = PART_PLACES[part].items(state).map((item) => recordOf(part, item));
  return records.sort((left, right) => compareUtf8(left.key, right.key));
}

/** Stores records as they are. All of them are understood before the first is stored. */
function writeRecords<Part extends TransferPart>(
  state: MemoryState,
  part: Part,
  records: readonly TransferRecord[],
): void {
  PART_PLACES[part].put(
    state,
    records.map((record) => itemOf(part, record)),
  );
}

function* batches<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size);
}
