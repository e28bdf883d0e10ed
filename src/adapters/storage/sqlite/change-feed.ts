import type { Actor, ChangeFeed } from '../../../ports/index.ts';
import type { FeedNote } from '../shared/feed-notes.ts';
import { feedPage, type KeptChange } from '../shared/feed-pages.ts';
import type { Connection } from './connection.ts';

type Row = readonly [place: number, at: number, actorKind: Actor['kind'], actorName: string, notes: string];

const ROWS = 'SELECT place, at, actor_kind, actor_name, notes FROM host_feed WHERE place >= ? ORDER BY place LIMIT ?';
const KEPT = 'SELECT seq, hostname, changes FROM host_changes WHERE seq IN (SELECT value FROM json_each(?))';

/**
 * Entries are written by transactions, which end in the order of their places: none appears before a row that a reader has
 * passed.
 */
export function sqliteFeed(read: () => Connection): ChangeFeed {
  return {
    after: (since, limit) =>
      feedPage<number>(
        {
          async state() {
            const found = read().getRaw<[string, number, number]>(
              'SELECT feed, pruned, last_place FROM host_feed_state',
            );
            const [feed, pruned, last] = found ?? ['', 0, 0];
            return { feed, pruned, end: last + 1 };
          },
          rows: async (from, count) => ({
            rows: read()
              .allRaw<Row>(ROWS, from, count)
              .map(([place, at, kind, name, notes]) => ({
                place,
                at: new Date(at),
                actor: { kind, name },
                notes: JSON.parse(notes) as FeedNote<number>[],
              })),
            isOpen: false,
          }),
          async changes(references) {
            if (references.length === 0) return new Map();
            const rows = read().allRaw<[number, string, string]>(KEPT, JSON.stringify(references));
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
