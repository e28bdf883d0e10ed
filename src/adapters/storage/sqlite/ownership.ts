import { setImmediate as turn } from 'node:timers/promises';
import type { OwnershipStore } from '../../../ports/index.ts';
import { storedObject, toOwnedObject } from '../shared/owned-objects.ts';
import type { Connection, SqlValue } from './connection.ts';
import { PART_ROWS } from './transfer-rows.ts';
import type { WriterClient } from './writer-client.ts';

const ROWS = PART_ROWS.ownership;

/** Objects of remote systems that are ours. Their rows are those of the transfer. */
export function sqliteOwnership(read: () => Connection, writer: () => WriterClient): OwnershipStore {
  return {
    async save(accountId, objects) {
      const rows = objects.map((object) => ROWS.values(storedObject(accountId, object)));
      await writer().call('saveOwnership', rows, rows.length);
    },

    async remove(accountId, keys) {
      const sent = keys.map(({ kind, key }) => ({ kind, key }));
      await writer().call('removeOwnership', { accountId, keys: sent }, sent.length);
    },

    async *scan(accountId, batchSize) {
      const sql = `${ROWS.select} WHERE account_id = ? AND (kind, key) > (?, ?) ORDER BY kind, key LIMIT ?`;
      let last: [string, string] = ['', ''];
      for (;;) {
        const objects = read()
          .allRaw<SqlValue[]>(sql, accountId, ...last, batchSize)
          .map((row) => toOwnedObject(ROWS.item(row)));
        const end = objects.at(-1);
        if (end === undefined) return;
        yield objects;
        if (objects.length < batchSize) return;
        last = [end.kind, end.key];
        await turn();
      }
    },

    async count(accountId) {
      return read().getRaw<[number]>('SELECT count(*) FROM ownership WHERE account_id = ?', accountId)?.[0] ?? 0;
    },

    clear: async (accountId) => writer().call('clearOwnership', accountId),
  };
}
