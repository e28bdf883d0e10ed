import { type FeedRow, rowsOf, type TimedNote } from '../shared/feed-notes.ts';
import { deleteMatching } from './deletions.ts';
import type { FeedRowDoc } from './documents.ts';
import { duplicateKeys } from './errors.ts';
import { SERVER_NOW } from './leases.ts';
import { pause } from './pause.ts';
import type { Context } from './session.ts';

/**
 * Rows of the change feed are written before the hosts that they are about, and closed after them: a writer that dies in between
 * leaves an open row, and a reader of the feed then checks which of its changes happened (`feed-store.ts`). A row follows the
 * last existing one, by the unique `_id`, so no row ever appears before one that a reader has passed.
 */

type NewRow = FeedRow<string> & Pick<FeedRowDoc, 'state'>;

/** Says what is about to happen. */
export async function openRows(context: Context, notes: readonly TimedNote<string>[]): Promise<readonly FeedRowDoc[]> {
  if (notes.length === 0) return [];
  return append(
    context,
    rowsOf(notes).map((row) => ({ ...row, state: 'open' })),
  );
}

/** Says what of it did not happen: everything about these hosts, by the names that the notes have. */
export async function closeRows(
  context: Context,
  rows: readonly FeedRowDoc[],
  lost: ReadonlySet<string> = new Set(),
): Promise<void> {
  if (rows.length === 0) return;
  const { hostFeed } = context.database;
  const happened = rows.map((row) => ({ ...row, notes: row.notes.filter(({ hostname }) => !lost.has(hostname)) }));
  const { matchedCount } = await hostFeed.bulkWrite(
    happened.map(({ _id, notes }, index) => {
      const left = notes.length === rows[index]?.notes.length ? {} : { notes: [...notes] };
      return { updateOne: { filter: { _id, state: 'open' }, update: { $set: { state: 'done', ...left } } } };
    }),
    { ordered: false },
  );
  if (matchedCount === rows.length) return;
  // A reader held this writer for dead, and may have passed the rows.
  const docs = await hostFeed.find({ _id: { $in: rows.map(({ _id }) => _id) }, state: 'done' }).toArray();
  const closed = new Set(docs.map(({ _id }) => _id));
  const late = happened.filter(({ _id, notes }) => !closed.has(_id) && notes.length > 0);
  await append(
    context,
    late.map(({ at, actor, notes }) => ({
      at,
      actor,
      notes: notes.map((note) => ({ ...note, late: true })),
      state: 'done',
    })),
  );
}

interface Waiting {
  readonly rows: readonly NewRow[];
  resolve(docs: readonly FeedRowDoc[]): void;
  reject(error: unknown): void;
}

/** Writers of this node, whose rows go together. */
const queues = new WeakMap<Context, Waiting[]>();

function append(context: Context, rows: readonly NewRow[]): Promise<readonly FeedRowDoc[]> {
  if (rows.length === 0) return Promise.resolve([]);
  return new Promise((resolve, reject) => {
    const waiting = { rows, resolve, reject };
    const queue = queues.get(context);
    if (queue !== undefined) queue.push(waiting);
    else void appendWaiting(context, [waiting]);
  });
}

async function appendWaiting(context: Context, first: Waiting[]): Promise<void> {
  const queue: Waiting[] = [];
  queues.set(context, queue);
  for (let turn = first; turn.length > 0; turn = queue.splice(0)) {
    try {
      const docs = await insertBehind(
        context,
        turn.flatMap(({ rows }) => rows),
      );
      let start = 0;
      for (const { rows, resolve } of turn) {
        resolve(docs.slice(start, start + rows.length));
        start += rows.length;
      }
    } catch (error) {
      for (const { reject } of turn) reject(error);
    }
  }
  queues.delete(context);
}

interface Last {
  readonly _id: number;
  readonly now: unknown;
}

const LAST = [{ $sort: { _id: -1 } }, { $limit: 1 }, { $project: { now: SERVER_NOW } }];

/** Behind the last row; once more for those whose place another node took first. */
async function insertBehind(
  { database: { hostFeed } }: Context,
  rows: readonly NewRow[],
): Promise<readonly FeedRowDoc[]> {
  const inserted: FeedRowDoc[] = [];
  for (let attempt = 0; ; attempt++) {
    // Only the server knows the time, and it returns it with a document. The very first row has no predecessor.
    const [last] = await hostFeed.aggregate<Last>(LAST).toArray();
    const openedAt = Number(last?.now ?? Date.now());
    const docs = rows.slice(inserted.length).map((row, index): FeedRowDoc => {
      const { at, actor, notes, state } = row;
      return {
        _id: (last?._id ?? 0) + 1 + index,
        at,
        actor: { kind: actor.kind, name: actor.name },
        notes: [...notes],
        state,
        openedAt,
      };
    });
    try {
      await hostFeed.insertMany(docs, { ordered: true });
      return [...inserted, ...docs];
    } catch (error) {
      const [taken] = duplicateKeys(error)?.positions ?? [];
      if (taken === undefined) throw error;
      inserted.push(...docs.slice(0, taken));
      await pause(attempt, 20);
    }
  }
}

const STATE = 'feed';

/** Which feed it is, and up to which place its rows are gone. */
export async function feedState({ database: { control } }: Pick<Context, 'database'>, newId: string) {
  const known = await control.findOne({ _id: STATE });
  // A prune that runs before this leaves it without an id.
  const found =
    known?.feed === undefined
      ? await control.findOneAndUpdate(
          { _id: STATE },
          [{ $set: { kind: 'feed', n: { $ifNull: ['$n', 0] }, feed: { $ifNull: ['$feed', newId] } } }],
          { upsert: true, returnDocument: 'after' },
        )
      : known;
  return { feed: found?.feed ?? newId, pruned: found?.n ?? 0 };
}

/** Deletes rows older than the date with all rows before them. The last row always stays: the next one is placed after it. */
export async function pruneFeed({ database: { control, hostFeed } }: Context, before: Date): Promise<void> {
  const last = await hostFeed.findOne({ at: { $lt: before } }, { sort: { _id: -1 }, projection: { _id: 1 } });
  if (last === null) return;
  await control.updateOne({ _id: STATE }, { $max: { n: last._id }, $set: { kind: 'feed' } }, { upsert: true });
  await deleteMatching(hostFeed, { _id: { $lt: last._id } }, { sort: { _id: 1 } });
}

/** Drops all earlier entries of the feed and invalidates earlier cursors. */
export async function renewFeed({ database: { control, hostFeed } }: Context, feed: string): Promise<void> {
  const last = await hostFeed.findOne({}, { sort: { _id: -1 }, projection: { _id: 1 } });
  await control.updateOne({ _id: STATE }, { $set: { kind: 'feed', feed, n: last?._id ?? 0 } }, { upsert: true });
  if (last === null) return;
  await deleteMatching(hostFeed, { _id: { $lt: last._id } }, { sort: { _id: 1 } });
  await hostFeed.updateOne({ _id: last._id }, { $set: { notes: [] } });
}
