import type { AuditStore, KeptAuditEntry } from '../../../ports/index.ts';
import type { Connection } from './connection.ts';
import { conditionsOf } from './journals.ts';
import { AUDIT_COLUMNS, type AuditRow, toAuditEntry, toKeptAuditEntry } from './rows.ts';
import type { WriterClient } from './writer-client.ts';

export function sqliteAudit(read: () => Connection, writer: () => WriterClient): AuditStore {
  return {
    async append(entries, step) {
      const rows = entries.map(toRow);
      const found = await writer().call('appendAudit', { rows, step: step ?? null }, rows.length);
      return found ?? undefined;
    },
    chain: async () => read().getRaw<[string]>('SELECT state FROM audit_chain WHERE id = 1')?.[0] ?? null,
    async *linked({ after, batchSize }) {
      const sql = `SELECT ${AUDIT_COLUMNS} FROM audit_entries WHERE seq > ? ORDER BY seq LIMIT ?`;
      let last = after;
      for (;;) {
        const rows = read().all<AuditRow>(sql, last, batchSize);
        if (rows.length > 0) yield rows.map(toKeptAuditEntry);
        if (rows.length < batchSize) return;
        last = rows.at(-1)?.seq ?? last;
      }
    },
    async lastLinkedBefore(before) {
      // Newer entries are few next to all that are older, and both are found by an index.
      const first = read().getRaw<[number | null]>(
        'SELECT min(seq) FROM audit_entries WHERE at >= ? AND seq IS NOT NULL',
        before.getTime(),
      )?.[0];
      const end = first === null || first === undefined ? '' : `AND seq < ${first}`;
      const row = read().getRaw<[number, string]>(
        `SELECT seq, mark FROM audit_entries WHERE seq IS NOT NULL ${end} ORDER BY seq DESC LIMIT 1`,
      );
      return row === undefined ? undefined : { seq: row[0], mark: row[1] };
    },
    async unlinked({ since, before, limit }) {
      const from = since?.getTime() ?? Number.MIN_SAFE_INTEGER;
      const to = before?.getTime() ?? Number.MAX_SAFE_INTEGER;
      const where = 'WHERE seq IS NULL AND at >= ? AND at < ?';
      return read().snapshot(() => ({
        count: read().getRaw<[number]>(`SELECT count(*) FROM audit_entries ${where}`, from, to)?.[0] ?? 0,
        first: read()
          .all<AuditRow>(`SELECT ${AUDIT_COLUMNS} FROM audit_entries ${where} ORDER BY at, id LIMIT ?`, from, to, limit)
          .map(toKeptAuditEntry),
      }));
    },
    async latest({ limit, actor, operation, before }) {
      const { where, values } = conditionsOf({ actor, operation }, before);
      const sql = `SELECT ${AUDIT_COLUMNS} FROM audit_entries ${where} ORDER BY at DESC, id DESC LIMIT ?`;
      return read()
        .all<AuditRow>(sql, ...values, limit)
        .map(toAuditEntry);
    },
    pruneUnlinked: async (before) => writer().call('pruneUnlinkedAudit', before.getTime()),
    pruneLinked: async (through, step) => (await writer().call('pruneLinkedAudit', { through, step })) ?? undefined,
    async forwarded() {
      const rows = read().all<{ target: string; seq: number; mark: string }>(
        'SELECT target, seq, mark FROM audit_forwarded ORDER BY target',
      );
      return new Map(rows.map(({ target, seq, mark }) => [target, { seq, mark }]));
    },
    noteForwarded: async (target, { from, to }) =>
      writer().call('noteForwardedAudit', { target, from: from ?? null, to }),
  };
}

function toRow({ link, at, ...entry }: KeptAuditEntry): AuditRow {
  return { ...entry, at: at.getTime(), seq: link?.seq ?? null, mark: link?.mark ?? null };
}
