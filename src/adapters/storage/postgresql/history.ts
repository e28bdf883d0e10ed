import {
  type Actor,
  HISTORY_CHARACTERS,
  type HistoryStore,
  type HostChange,
  type KeptChange,
} from '../../../ports/index.ts';
import { keptChange } from '../shared/kept-change.ts';
import { wellFormed } from '../shared/utf8-order.ts';
import type { Database } from './database.ts';
import { sized } from './lists.ts';

const COLUMNS = 'hostname, at, actor_kind, actor_name, kind, changes';
type ChangeRow = readonly [string, number, Actor['kind'], string, HostChange['kind'], string];

const firstOf = (inner: string, order: string) => sized(COLUMNS, 'changes', inner, order, HISTORY_CHARACTERS);

export function postgresqlHistory(database: Database): HistoryStore {
  return {
    ofHost: (given, limit) =>
      database.snapshot(async (sql) => {
        const hostname = wellFormed(given);
        const [host] = await sql.rows<[number, Actor['kind'], string]>(
          'SELECT created_at, created_kind, created_by FROM muster.hosts WHERE hostname = $1',
          [hostname],
        );
        if (host === undefined) return [];
        const order = 'at DESC, seq DESC';
        const inner = `SELECT seq, ${COLUMNS} FROM muster.host_changes WHERE hostname = $1 ORDER BY ${order} LIMIT $2`;
        const rows = await sql.rows<ChangeRow>(firstOf(inner, order), [hostname, limit]);
        const changes = rows.map(toChange);
        const held = changes.reduce((sum, { characters }) => sum + characters, 0);
        if (changes.length >= limit || held >= HISTORY_CHARACTERS) return changes;
        // The creation is not stored a second time: the host carries it.
        const [createdAt, kind, name] = host;
        const actor = { kind, name };
        return [...changes, keptChange({ hostname, at: new Date(createdAt), actor, kind: 'created' }, '[]')];
      }),

    async latest({ limit, from, before }) {
      if (limit <= 0) return [];
      const order = 'at DESC, hostname, seq DESC';
      // All changes of one host at one moment are given together: whole groups up to the one that contains the limit.
      const inner = `SELECT seq, ${COLUMNS} FROM (SELECT *, rank() OVER (ORDER BY at DESC, hostname) AS place FROM
        (SELECT * FROM muster.host_changes WHERE at >= $1 AND at <= $2 AND NOT (at = $2 AND hostname <= $3)
         ORDER BY at DESC, hostname FETCH FIRST ${limit} ROWS WITH TIES) f) g WHERE place <= ${limit}`;
      const rows = await database.rows<ChangeRow>(firstOf(inner, order), [
        from?.getTime() ?? Number.MIN_SAFE_INTEGER,
        before?.at.getTime() ?? Number.MAX_SAFE_INTEGER,
        before === undefined ? '' : wellFormed(before.hostname),
      ]);
      return rows.map(toChange);
    },

    async moves(hostnames) {
      const rows = await database.rows<ChangeRow>(
        `SELECT ${COLUMNS} FROM muster.host_changes WHERE hostname = ANY($1::text[]) AND kind = 'account' ORDER BY at DESC, seq DESC`,
        [hostnames.map(wellFormed)],
      );
      return rows.map(toChange);
    },

    prune: (before) =>
      database.transaction(async (sql) => {
        await sql.run(
          `UPDATE muster.host_feed_state SET pruned = greatest(pruned,
             (SELECT coalesce(max(place), 0) FROM muster.host_feed WHERE at < $1))`,
          [before.getTime()],
        );
        await sql.run('DELETE FROM muster.host_feed WHERE place <= (SELECT pruned FROM muster.host_feed_state)');
        return sql.run('DELETE FROM muster.host_changes WHERE at < $1', [before.getTime()]);
      }),
  };
}

function toChange([hostname, at, actorKind, name, kind, changes]: ChangeRow): KeptChange {
  return keptChange({ hostname, at: new Date(at), actor: { kind: actorKind, name }, kind }, changes);
}
