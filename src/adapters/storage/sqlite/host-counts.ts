import type { HostCountStore } from '../../../ports/index.ts';
import { storedCounts, toCounts } from '../shared/host-counts.ts';
import type { Connection, SqlValue } from './connection.ts';
import { PART_ROWS } from './transfer-rows.ts';
import type { WriterClient } from './writer-client.ts';

const ROWS = PART_ROWS.host_counts;

/** How many hosts there were, a row a day. They are written as rows of the transfer. */
export function sqliteHostCounts(read: () => Connection, writer: () => WriterClient): HostCountStore {
  return {
    async keep(counts) {
      await writer().call('keepHostCounts', ROWS.values(storedCounts(counts)));
    },

    async since(day) {
      const rows = read().allRaw<SqlValue[]>(`${ROWS.select} WHERE day >= ? ORDER BY day`, day);
      return rows.map((row) => toCounts(ROWS.item(row)));
    },

    prune: async (before) => writer().call('pruneHostCounts', before),
  };
}
