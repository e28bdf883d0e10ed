import type { Actor, ChangeFeed, HostChange } from '../../../ports/index.ts';
import { type FeedNote, rowsOf, type TimedNote } from '../shared/feed-notes.ts';
import { feedPage, type KeptChange } from '../shared/feed-pages.ts';
import type { Sql } from './database.ts';
import { type Column, listsOf } from './lists.ts';

/** Moves a revision. Its row stays locked until the transaction ends, so callers move revisions last. */
export async function bumpRevision(sql: Sql, name: string): Promise<void> {
  await sql.run(
    'INSERT INTO muster.revisions AS r VALUES ($1, 1) ON CONFLICT (name) DO UPDATE SET value = r.value + 1',
    [name],
  );
}

/** Numbers for changes of the history. */
export async function nextNumbers(sql: Sql, count: number): Promise<readonly number[]> {
  if (count === 0) return [];
  const rows = await sql.rows<[number]>(
    `SELECT nextval(pg_get_serial_sequence('muster.host_changes', 'seq')) FROM generate_series(1, ${count})`,
  );
  return rows.map(([number]) => number).sort((a, b) => a - b);
}

export async function rememberChanges(
  sql: Sql,
  entries: readonly HostChange[],
  numbers: readonly number[],
): Promise<void> {
  if (entries.length === 0) return;
  const { names, rows, values } = listsOf(
    entries.map((entry, index) => ({ ...entry, seq: numbers[index] ?? 0 })),
    [
      ['seq', 'bigint'],
      ['hostname', 'text'],
      ['at', 'bigint', ({ at }) => at.getTime()],
      ['actor_kind', 'text', ({ actor }) => actor.kind],
      ['actor_name', 'text', ({ actor }) => actor.name],
      ['kind', 'text'],
      ['changes', 'text', ({ changes }) => JSON.stringify(changes)],
    ],
  );
  await sql.run(`INSERT INTO muster.host_changes (${names}) SELECT ${names} FROM ${rows}`, values);
}

/** Adds notes to the feed. Places are given under a lock until the transaction ends, so readers meet them in their order. */
export async function addToFeed(sql: Sql, notes: readonly TimedNote<number>[]): Promise<void> {
  const feedRows = rowsOf(notes);
  if (feedRows.length === 0) return;
  const columns: readonly Column<(typeof feedRows)[number]>[] = [
    ['at', 'bigint', ({ at }) => at.getTime()],
    ['actor_kind', 'text', ({ actor }) => actor.kind],
    ['actor_name', 'text', ({ actor }) => actor.name],
    ['notes', 'text', (row) => JSON.stringify(row.notes)],
  ];
  const { names, rows, values } = listsOf(feedRows, columns, [feedRows.length]);
  await sql.run(
    `WITH state AS (UPDATE muster.host_feed_state SET last_place = last_place + $1 RETURNING last_place - $1 AS before)
     INSERT INTO muster.host_feed (place, ${names}) SELECT state.before + u.number, ${names} FROM state, ${rows}`,
    values,
  );
}

/** Forgets what the feed has, and cursors of before lead nowhere. */
export async function renewFeed(sql: Sql): Promise<void> {
  await sql.run('DELETE FROM muster.host_feed');
  await sql.run('UPDATE muster.host_feed_state SET feed = gen_random_uuid()::text, pruned = last_place');
}

export function postgresqlFeed(sql: Sql): ChangeFeed {
  return {
    after: (since, limit) =>
      feedPage<number>(
        {
          async state() {
            const [row] = await sql.rows<[string, number, number]>(
              'SELECT feed, pruned, last_place + 1 FROM muster.host_feed_state',
            );
            const [feed = '', pruned = 0, end = 1] = row ?? [];
            return { feed, pruned, end };
          },
          async rows(from, count) {
            const rows = await sql.rows<[number, number, Actor['kind'], string, string]>(
              `SELECT place, at, actor_kind, actor_name, notes FROM muster.host_feed WHERE place >= $1 ORDER BY place LIMIT $2`,
              [from, count],
            );
            const placed = rows.map(([place, at, kind, name, notes]) => ({
              place,
              at: new Date(at),
              actor: { kind, name },
              notes: JSON.parse(notes) as FeedNote<number>[],
            }));
            return { rows: placed, isOpen: false };
          },
          async changes(references) {
            if (references.length === 0) return new Map();
            const rows = await sql.rows<[number, string, string]>(
              'SELECT seq, hostname, changes FROM muster.host_changes WHERE seq = ANY($1::bigint[])',
              [references],
            );
            return new Map(
              rows.map(([seq, hostname, changes]): [string, KeptChange] => [`${seq}`, { hostname, changes }]),
            );
          },
          idOf: (_note, { place, offset }) => `${place}.${offset}`,
        },
        since,
        limit,
      ),
  };
}
