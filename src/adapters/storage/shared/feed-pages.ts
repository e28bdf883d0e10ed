import { type FeedEntry, type FeedPage, type HostReach, PAGE_CHARACTERS, StoredJson } from '../../../ports/index.ts';
import { FeedCursors, type Place } from './feed-cursors.ts';
import type { FeedNote, FeedRow } from './feed-notes.ts';

/** A row with its place among all of them. Places only grow. */
export interface PlacedRow<Reference> extends FeedRow<Reference> {
  readonly place: number;
}

export interface ReadableRows<Reference> {
  readonly rows: readonly PlacedRow<Reference>[];
  /** Whether the one behind them may not be read yet. */
  readonly isOpen: boolean;
}

/** The part of a change that is still in the history. */
export interface KeptChange {
  /** The name that its host has by now. */
  readonly hostname: string;
  /** JSON. */
  readonly changes: string;
}

interface FeedState {
  /** Another one once what cursors mean is no longer true. */
  readonly feed: string;
  /** Rows up to this place are gone. */
  readonly pruned: number;
  /** Behind all rows that may be read. */
  readonly end: number;
}

/** How a store reads its feed. */
export interface FeedReader<Reference> {
  state(): Promise<FeedState>;
  /** Rows in order from a place on, at most `limit`; those that may be read. */
  rows(from: number, limit: number): Promise<ReadableRows<Reference>>;
  /** Reads the changes that are still in the history, by reference. */
  changes(references: readonly Reference[]): Promise<ReadonlyMap<string, KeptChange>>;
  /** Identifies a change that has no reference. */
  idOf(note: FeedNote<Reference>, place: Place): string;
}

/** A row of a bulk fills a page, and others have one note each: more are read where the first ones were small. */
const FIRST_ROWS = 2;
const MOST_ROWS = 32;
/** Limit for notes handled at once, because the history may hold a lot for one change. */
const NOTES_AT_ONCE = 50;
/** Largest number of notes examined for a page. */
const MOST_LOOKED_AT = 5_000;

/** `ChangeFeed.after`. */
export async function feedPage<Reference extends number | string>(
  reader: FeedReader<Reference>,
  since: string,
  limit: number,
): Promise<FeedPage | 'gone'> {
  const state = await reader.state();
  const cursors = new FeedCursors(state.feed);
  const from = placeOf(since, state, cursors);
  if (from === undefined) return 'gone';
  const page = await readOn(reader, cursors, from, limit);
  // Rows may have gone between the two.
  const now = await reader.state();
  return now.feed !== state.feed || from.place <= now.pruned ? 'gone' : page;
}

function placeOf(since: string, { pruned, end }: FeedState, cursors: FeedCursors): Place | undefined {
  if (since === 'start') return { place: pruned + 1, offset: 0 };
  if (since === 'now') return { place: Math.max(end, pruned + 1), offset: 0 };
  const found = cursors.place(since);
  return found !== undefined && found.place > pruned && found.place <= end ? found : undefined;
}

async function readOn<Reference extends number | string>(
  reader: FeedReader<Reference>,
  cursors: FeedCursors,
  from: Place,
  limit: number,
): Promise<FeedPage> {
  const entries: FeedEntry[] = [];
  let at = from;
  let looked = 0;
  let characters = 0;
  for (let count = FIRST_ROWS; ; count = Math.min(2 * count, MOST_ROWS)) {
    const { rows, isOpen } = await reader.rows(at.place, count);
    for (const row of rows) {
      let offset = row.place === at.place ? at.offset : 0;
      while (offset < row.notes.length) {
        const room = limit - entries.length;
        if (room <= 0 || looked >= MOST_LOOKED_AT || characters >= PAGE_CHARACTERS) {
          return { entries, next: cursors.text({ place: row.place, offset }), more: true, isOpen };
        }
        const notes = row.notes.slice(offset, offset + Math.min(room, NOTES_AT_ONCE));
        const kept = await reader.changes(notes.flatMap(({ change }) => change ?? []));
        for (const note of notes) {
          if (characters >= PAGE_CHARACTERS) break;
          const place = { place: row.place, offset };
          offset++;
          looked++;
          const next = offset < row.notes.length ? { place: row.place, offset } : { place: row.place + 1, offset: 0 };
          const change = note.change === undefined ? undefined : kept.get(String(note.change));
          characters += change?.changes.length ?? 0;
          const entry = entryOf(note, change, row);
          if (entry === undefined) continue;
          entries.push({ ...entry, id: cursors.id(reader.idOf(note, place)), next: cursors.text(next) });
        }
      }
      at = { place: row.place + 1, offset: 0 };
    }
    if (rows.length < count) return { entries, next: cursors.text(at), more: false, isOpen };
  }
}

/** For these kinds, no history shows what became of the host. */
const WHOLE: ReadonlySet<FeedEntry['kind']> = new Set(['created', 'renamed', 'templates']);

/** `undefined` if there is nothing left to report. */
function entryOf<Reference>(
  { kind, hostname, from, late, change, after, ...reached }: FeedNote<Reference>,
  kept: KeptChange | undefined,
  { at, actor }: FeedRow<Reference>,
): Omit<FeedEntry, 'id' | 'next'> | undefined {
  const reach = reachOf(reached);
  if (change !== undefined && kept === undefined && reach === null) return undefined;
  const renamed = from === undefined ? [] : [{ path: 'hostname', before: from, after: hostname }];
  return {
    hostname,
    at,
    actor,
    kind,
    changes: kept === undefined ? StoredJson.ofValue(renamed) : StoredJson.ofText(kept.changes),
    whole: late === true || WHOLE.has(kind),
    current: kept?.hostname ?? null,
    reach,
    reachAfter: reachOf(after ?? {}),
  };
}

function reachOf({ account, templates = [] }: Pick<FeedNote<never>, 'account' | 'templates'>): HostReach | null {
  return account === undefined ? null : { accountId: account, templates };
}
