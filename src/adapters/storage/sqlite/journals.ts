import {
  type AccessStore,
  type Actor,
  HISTORY_CHARACTERS,
  type HistoryStore,
  type KeptChange,
  type LogPlace,
  type LogStore,
} from '../../../ports/index.ts';
import { keptChange } from '../shared/kept-change.ts';
import { wellFormed } from '../shared/utf8-order.ts';
import type { Connection } from './connection.ts';
import {
  CHANGE_COLUMNS,
  type ChangeRow,
  LOG_COLUMNS,
  type LogRow,
  toHostChange,
  toLogEntry,
  toLogHead,
} from './rows.ts';
import type { WriterClient } from './writer-client.ts';

type Read = () => Connection;
type Write = () => WriterClient;
type LogHeadRow = Omit<LogRow, 'details'>;

/** Goes from source to source in the index, since reading every entry takes as long as the log is. */
const NEWEST_BY_SOURCE = `
  WITH RECURSIVE sources(source) AS (
    SELECT min(source) FROM log_entries
    UNION ALL
    SELECT (SELECT min(e.source) FROM log_entries e WHERE e.source > s.source) FROM sources s WHERE s.source IS NOT NULL
  )
  SELECT e.id, e.at, e.source, e.has_error AS hasError, e.message, e.wording
  FROM sources s
  JOIN log_entries e
    ON e.id = (SELECT n.id FROM log_entries n WHERE n.source = s.source ORDER BY n.at DESC, n.id DESC LIMIT 1)
  ORDER BY e.source`;

const NEWEST_CHANGES = `
  SELECT ${CHANGE_COLUMNS} FROM host_changes WHERE hostname = ? ORDER BY at DESC, seq DESC LIMIT ?`;

/** The hosts and moments of changes, in the order of the index by time. */
const LATEST_CHANGES = `
  SELECT hostname, at
  FROM host_changes INDEXED BY host_changes_at
  WHERE at <= ? AND at >= ? AND NOT (at = ? AND hostname <= ?)
  ORDER BY at DESC, hostname
  LIMIT ?`;
const CHANGES_OF_MOMENT = `
  SELECT ${CHANGE_COLUMNS} FROM host_changes WHERE hostname = ? AND at = ? ORDER BY seq DESC`;
const MOVES = `
  SELECT ${CHANGE_COLUMNS} FROM host_changes
  WHERE hostname IN (SELECT value FROM json_each(?)) AND kind = 'account'
  ORDER BY at DESC, seq DESC`;
const END_OF_TIME = Number.MAX_SAFE_INTEGER;

export function sqliteHistory(read: Read, writer: Write): HistoryStore {
  return {
    async ofHost(given, limit) {
      const hostname = wellFormed(given);
      return read().snapshot(() => {
        const host = read().getRaw<[string, number, Actor['kind'], string]>(
          'SELECT hostname, created_at, created_kind, created_by FROM hosts WHERE hostname = ?',
          hostname,
        );
        if (host === undefined) return [];
        const changes: KeptChange[] = [];
        let room = HISTORY_CHARACTERS;
        let isCut = false;
        read().take<ChangeRow>(NEWEST_CHANGES, [hostname, limit], (row) => {
          isCut = room <= 0;
          if (!isCut) changes.push(toHostChange(row));
          room -= row.changes.length;
          return isCut;
        });
        if (isCut || changes.length >= limit) return changes;
        // The creation is not stored a second time: the host carries it.
        const actor = { kind: host[2], name: host[3] };
        return [...changes, keptChange({ hostname: host[0], at: new Date(host[1]), actor, kind: 'created' }, '[]')];
      });
    },
    latest: async ({ limit, from, before }) =>
      read().snapshot(() => {
        const at = before?.at.getTime();
        const places = read().all<{ readonly hostname: string; readonly at: number }>(
          LATEST_CHANGES,
          at ?? END_OF_TIME,
          from?.getTime() ?? 0,
          at ?? -1,
          before === undefined ? '' : wellFormed(before.hostname),
          limit,
        );
        const changes: KeptChange[] = [];
        const done = new Set<string>();
        let characters = 0;
        for (const place of places) {
          const key = `${place.at} ${place.hostname}`;
          if (done.has(key)) continue;
          if (characters >= HISTORY_CHARACTERS) break;
          done.add(key);
          for (const row of read().all<ChangeRow>(CHANGES_OF_MOMENT, place.hostname, place.at)) {
            characters += row.changes.length;
            changes.push(toHostChange(row));
          }
        }
        return changes;
      }),
    moves: async (hostnames) =>
      read()
        .all<ChangeRow>(MOVES, JSON.stringify(hostnames.map(wellFormed)))
        .map(toHostChange),
    prune: async (before) => writer().call('pruneHistory', before.getTime()),
  };
}

export function sqliteLogs(read: Read, writer: Write): LogStore {
  return {
    async append({ id, at, source, hasError, message, details, wording }) {
      const row = {
        id,
        at: at.getTime(),
        source,
        hasError: hasError ? 1 : 0,
        message,
        details: JSON.stringify(details),
        wording: wording === undefined ? null : JSON.stringify(wording),
      };
      await writer().call('appendLog', row, 1, row.details.length);
    },
    async latest({ limit, source, before }) {
      const { where, values } = conditionsOf({ source }, before);
      const sql = `SELECT ${LOG_COLUMNS} FROM log_entries ${where} ORDER BY at DESC, id DESC LIMIT ?`;
      return read()
        .all<LogRow>(sql, ...values, limit)
        .map(toLogEntry);
    },
    async newestBySource() {
      return read().all<LogHeadRow>(NEWEST_BY_SOURCE).map(toLogHead);
    },
    prune: async (before) => writer().call('pruneLogs', before.getTime()),
  };
}

/** The entries with these values in their columns, and before a place. */
export function conditionsOf(columns: Readonly<Record<string, string | undefined>>, before: LogPlace | undefined) {
  const given = Object.entries(columns).filter(([, value]) => value !== undefined) as [string, string][];
  const conditions = given.map(([column]) => `${column} = ?`);
  const values: (string | number)[] = given.map(([, value]) => value);
  if (before !== undefined) {
    conditions.push('(at, id) < (?, ?)');
    values.push(before.at.getTime(), before.id);
  }
  return { where: conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`, values };
}

export function sqliteAccess(read: Read, writer: Write): AccessStore {
  return {
    async recordTokenUse(uses) {
      const sent = uses.map((use) => ({ tokenId: use.tokenId, at: use.at.getTime() }));
      await writer().call('recordTokenUse', sent, sent.length);
    },
    async tokenUses(tokenIds) {
      const rows = read().allRaw<[string, number]>(
        'SELECT token_id, at FROM token_uses WHERE token_id IN (SELECT value FROM json_each(?))',
        JSON.stringify(tokenIds),
      );
      return new Map(rows.map(([id, at]) => [id, new Date(at)]));
    },
    useOnce: async ({ key, now, until }) =>
      writer().call('useOnce', { key, now: now.getTime(), until: until.getTime() }),
  };
}
