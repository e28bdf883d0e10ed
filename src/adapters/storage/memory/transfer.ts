import {
  type RecordStore,
  type StorageTransfer,
  TRANSFER_PARTS,
  type TransferPart,
  type TransferRecord,
} from '../../../ports/index.ts';
import { isRecordPart, TransferredRecords } from '../records/transfer-records.ts';
import { itemOf, recordOf } from '../shared/transfer-table.ts';
import { compareUtf8 } from '../shared/utf8-order.ts';
import type { MemoryState } from './state.ts';
import { type OwnPart, PART_PLACES } from './transfer-parts.ts';

/** Moving everything that the memory holds. */
export function memoryTransfer(state: () => MemoryState, records: RecordStore): StorageTransfer {
  const transferred = new TransferredRecords(records);
  const all = async (part: TransferPart): Promise<readonly TransferRecord[]> =>
    isRecordPart(part) ? transferred.read(part, '', Number.MAX_SAFE_INTEGER) : recordsOf(state(), part);
  return {
    async *read(part, { after, batchSize }) {
      const found = await all(part);
      yield* batches(after === undefined ? found : found.filter(({ key }) => compareUtf8(key, after) > 0), batchSize);
    },

    async *snapshot(batchSize) {
      const parts = await Promise.all(TRANSFER_PARTS.map(async (part) => ({ part, records: await all(part) })));
      for (const { part, records: found } of parts)
        for (const batch of batches(found, batchSize)) yield { part, records: batch };
    },

    async write(part, given) {
      if (isRecordPart(part)) await transferred.write(part, given);
      else writeRecords(state(), part, given);
    },

    count: async (part) => (await all(part)).length,

    clear: async () => state().clear(),
  };
}

/** All records of a part in byte order of their keys. */
function recordsOf<Part extends OwnPart>(state: MemoryState, part: Part): readonly TransferRecord[] {
  const records = PART_PLACES[part].items(state).map((item) => recordOf(part, item));
  return records.sort((left, right) => compareUtf8(left.key, right.key));
}

/** Stores records as they are. All of them are understood before the first is stored. */
function writeRecords<Part extends OwnPart>(state: MemoryState, part: Part, records: readonly TransferRecord[]): void {
  PART_PLACES[part].put(
    state,
    records.map((record) => itemOf(part, record)),
  );
}

function* batches<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size);
}
