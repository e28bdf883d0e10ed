import { setImmediate as turn } from 'node:timers/promises';
import type { OwnedObject, OwnershipStore } from '../../../ports/index.ts';
import { storedObject } from '../shared/owned-objects.ts';
import type { Connection } from './connection.ts';
import { PART_ROWS } from './transfer-rows.ts';
import type { WriterClient } from './writer-client.ts';

const ROWS = PART_ROWS.ownership;

/** A plan reads all of them, and in half the time if each is made from its row directly. */
const COLUMNS = 'kind, key, remote_id, hostname, digest, secrets, written_at, pending';

type Row = [
  kind: string,
  key: string,
  remoteId: string | null,
  hostname: string,
  digest: string,
  secrets: string,
  writtenAt: number,
  pending: string | null,
];

function toOwnedObject([kind, key, remoteId, hostname, digest, secrets, writtenAt, names]: Row): OwnedObject {
  const pending = names === null ? null : JSON.parse(names);
  return { kind, key, remoteId, hostname, digest, secrets, pending, writtenAt: new Date(writtenAt) };
}

/** Objects of remote systems that are ours. They are written as rows of the transfer. */
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
      const sql = `SELECT ${COLUMNS} FROM ownership WHERE account_id = ? AND (kind, key) > (?, ?) ORDER BY kind, key LIMIT ?`;
      let last: [string, string] = ['', ''];
      for (;;) {
        const objects = read()
          .allRaw<Row>(sql, accountId, ...last, batchSize)
          .map(toOwnedObject);
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
