import { type StorageTransfer, TRANSFER_PARTS } from '../../../ports/index.ts';
import { pagesOf, sizeOfRecord } from '../shared/transfer-pages.ts';
import { Connection } from './connection.ts';
import { readPart } from './transfer-reads.ts';
import { PART_ROWS } from './transfer-rows.ts';
import type { WriterClient } from './writer-client.ts';

/** Moving everything that the database holds. A snapshot reads over a connection of its own, in one transaction. */
export function sqliteTransfer(
  read: () => Connection,
  writer: () => WriterClient,
  lockTimeoutMs: number,
): StorageTransfer {
  return {
    async *read(part, { after, batchSize }) {
      yield* pagesOf(readPart(read(), part, after), batchSize);
    },

    async *snapshot(batchSize) {
      const connection = new Connection(read().path, lockTimeoutMs);
      try {
        connection.run('BEGIN');
        for (const part of TRANSFER_PARTS) {
          for await (const records of pagesOf(readPart(connection, part, undefined), batchSize))
            yield { part, records };
        }
      } finally {
        connection.close();
      }
    },

    async write(part, records) {
      const size = records.reduce((sum, record) => sum + sizeOfRecord(record), 0);
      await writer().call('writeTransfer', { part, records }, records.length, size);
    },

    async count(part) {
      return read().getRaw<[number]>(`SELECT count(*) FROM ${PART_ROWS[part].table}`)?.[0] ?? 0;
    },

    async clear() {
      await writer().call('clearEverything', null);
    },
  };
}
