import { setImmediate as turn } from 'node:timers/promises';
import type { HostMark, KeyedHost, MarkStore } from '../../../ports/index.ts';
import { wellFormed } from '../shared/utf8-order.ts';
import type { Connection } from './connection.ts';
import type { WriterClient } from './writer-client.ts';

const MARKS = 'SELECT account_id AS accountId, kind, value, hostname, at FROM account_marks';

const MARKS_OF_HOST = `${MARKS} WHERE hostname = ? ORDER BY kind, value, account_id`;
const MARKS_OF_HOSTS = `${MARKS} WHERE hostname IN (SELECT value FROM json_each(?)) ORDER BY hostname, kind, value, account_id`;

type MarkRow = Omit<HostMark, 'at'> & { readonly at: number };

/** Records what accounts did to hosts, in SQLite. */
export function sqliteMarks(read: () => Connection, writer: () => WriterClient): MarkStore {
  return {
    async put({ accountId, kind, value, hostnames, at }) {
      if (hostnames.length === 0) return;
      const message = { accountId, kind, value, hostnames: hostnames.map(wellFormed), at: at.getTime() };
      await writer().call('putMarks', message, hostnames.length);
    },

    async putKeys({ accountId, keys, at }) {
      if (keys.length === 0) return;
      await writer().call('putKeys', { accountId, keys: keys.map(pairOf), at: at.getTime() }, keys.length);
    },

    async holders(values) {
      const rows = read().all<MarkRow>(
        `${MARKS}
         WHERE kind = 'key' AND value IN (SELECT value FROM json_each(?)) ORDER BY value, hostname, account_id`,
        JSON.stringify(values.map(wellFormed)),
      );
      return rows.map(toMark);
    },

    async *unrenewedKeys({ accountId, since, batchSize }) {
      const sql = `SELECT value, hostname FROM account_marks
        WHERE account_id = ? AND kind = 'key' AND (value, hostname) > (?, ?) AND at < ? ORDER BY value, hostname LIMIT ?`;
      let last: readonly [string, string] = ['', ''];
      for (;;) {
        const rows = read().allRaw<[string, string]>(sql, accountId, ...last, since.getTime(), batchSize);
        const end = rows.at(-1);
        if (end === undefined) return;
        yield rows.map(([value, hostname]) => ({ hostname, value }));
        if (rows.length < batchSize) return;
        last = end;
        await turn();
      }
    },

    async removeKeys({ accountId, keys, since }) {
      if (keys.length === 0) return;
      await writer().call('removeKeys', { accountId, keys: keys.map(pairOf), since: since.getTime() }, keys.length);
    },

    async count({ accountId, kind, value }) {
      const sql = 'SELECT count(*) FROM account_marks WHERE account_id = ? AND kind = ? AND value = ?';
      return read().getRaw<[number]>(sql, accountId, kind, value)?.[0] ?? 0;
    },

    async values({ accountId, kind }) {
      const sql = 'SELECT DISTINCT value FROM account_marks WHERE account_id = ? AND kind = ? ORDER BY value';
      return read()
        .allRaw<[string]>(sql, accountId, kind)
        .map(([value]) => value);
    },

    async *unrenewed({ accountId, kind, value, since, batchSize }) {
      const sql = `SELECT hostname FROM account_marks
        WHERE account_id = ? AND kind = ? AND value = ? AND hostname > ? AND at < ? ORDER BY hostname LIMIT ?`;
      let last = '';
      for (;;) {
        const rows = read().allRaw<[string]>(sql, accountId, kind, value, last, since.getTime(), batchSize);
        const end = rows.at(-1);
        if (end === undefined) return;
        yield rows.map(([hostname]) => hostname);
        if (rows.length < batchSize) return;
        last = end[0];
        await turn();
      }
    },

    async of(hostnames) {
      const [name] = hostnames;
      // Each read of a single host asks for its marks, and a list of one costs twice as much.
      const rows =
        name !== undefined && hostnames.length === 1
          ? read().all<MarkRow>(MARKS_OF_HOST, wellFormed(name))
          : read().all<MarkRow>(MARKS_OF_HOSTS, JSON.stringify(hostnames.map(wellFormed)));
      return rows.map(toMark);
    },

    async remove({ accountId, kind, value, hostnames, since }) {
      if (hostnames.length === 0) return;
      const message = { accountId, kind, value, hostnames: hostnames.map(wellFormed), since: since.getTime() };
      await writer().call('removeMarks', message, hostnames.length);
    },

    clear: async (accountId) => writer().call('clearMarks', accountId),
  };
}

function toMark({ at, ...mark }: MarkRow): HostMark {
  return { ...mark, at: new Date(at) };
}

/** Texts in pairs are cheaper to send than objects. */
function pairOf({ hostname, value }: KeyedHost): readonly [hostname: string, value: string] {
  return [wellFormed(hostname), wellFormed(value)];
}
