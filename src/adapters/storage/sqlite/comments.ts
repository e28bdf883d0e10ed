import type { CommentStore } from '../../../ports/index.ts';
import { wellFormed } from '../shared/utf8-order.ts';
import type { Connection, SqlValue } from './connection.ts';
import { PART_ROWS } from './transfer-rows.ts';
import type { WriterClient } from './writer-client.ts';

const ROWS = PART_ROWS.host_comments;

/** Comments on hosts. They are written as rows of the transfer. */
export function sqliteComments(read: () => Connection, writer: () => WriterClient): CommentStore {
  return {
    add: ({ at, hostname, ...comment }) =>
      writer().call('addComment', ROWS.values({ ...comment, hostname: wellFormed(hostname), at: at.getTime() })),

    async list({ hostname, limit, before }) {
      const behind = before === undefined ? '' : 'AND id < ?';
      const values = [wellFormed(hostname), ...(before === undefined ? [] : [before]), Math.max(limit, 0)];
      const rows = read().allRaw<SqlValue[]>(
        `${ROWS.select} WHERE hostname = ? ${behind} ORDER BY id DESC LIMIT ?`,
        ...values,
      );
      return rows.map((row) => ROWS.item(row)).map(({ at, ...comment }) => ({ ...comment, at: new Date(at) }));
    },

    count: async (hostname) =>
      read().getRaw<[number]>('SELECT count(*) FROM host_comments WHERE hostname = ?', wellFormed(hostname))?.[0] ?? 0,

    remove: ({ hostname, id }) => writer().call('removeComment', { hostname: wellFormed(hostname), id }),
  };
}
