import type { PublishedFile, PublishedStore } from '../../../ports/index.ts';
import type { Connection } from './connection.ts';
import type { WriterClient } from './writer-client.ts';

type Row = [name: string, contentType: string, digest: string, size: number, publishedAt: number];
const COLUMNS = 'name, content_type, digest, size, published_at';

/** Files that exports publish, one row each. */
export function sqlitePublished(read: () => Connection, writer: () => WriterClient): PublishedStore {
  return {
    async replace(accountId, files) {
      const rows = files.map((file) => {
        const { name, contentType, digest, size, publishedAt, body } = file;
        return [name, contentType, digest, size, publishedAt.getTime(), body];
      });
      await writer().call('replacePublished', { accountId, rows }, Math.max(rows.length, 1));
    },

    async list(accountId) {
      const sql = `SELECT ${COLUMNS} FROM published WHERE account_id = ? ORDER BY name`;
      return read().allRaw<Row>(sql, accountId).map(toFile);
    },

    async read(accountId, name) {
      const sql = `SELECT ${COLUMNS}, body FROM published WHERE account_id = ? AND name = ?`;
      const row = read().getRaw<[...Row, body: string]>(sql, accountId, name);
      return row === undefined ? undefined : { ...toFile(row), body: row[5] };
    },
  };
}

function toFile([name, contentType, digest, size, publishedAt]: readonly [...Row, ...unknown[]]): PublishedFile {
  return { name, contentType, digest, size, publishedAt: new Date(publishedAt) };
}
