import { randomUUID } from 'node:crypto';
import { ObjectId } from 'mongodb';
import type { ChangeFeed } from '../../../ports/index.ts';
import type { FeedNote } from '../shared/feed-notes.ts';
import { feedPage, type KeptChange, type PlacedRow, type ReadableRows } from '../shared/feed-pages.ts';
import { readByKeys } from './batches.ts';
import type { FeedRowDoc, HistoryDoc } from './documents.ts';
import { feedState } from './feed-rows.ts';
import { LINK, type Link, readChains } from './history-chains.ts';
import { SERVER_NOW } from './leases.ts';
import type { Context, Session } from './session.ts';

/**
 * The change feed in MongoDB. Readers never pass a row whose writer is at work, so rows are read in the order of their places.
 */
export function mongodbFeed(session: Session): ChangeFeed {
  return {
    after: (since, limit) =>
      session.run((context) =>
        feedPage<string>(
          {
            state: () => stateOf(context),
            rows: (from, count) => rowsFrom(context, from, count),
            changes: (references) => keptChanges(context, references),
            idOf: ({ change }, { place, offset }) => change ?? `${place}.${offset}`,
          },
          since,
          limit,
        ),
      ),
  };
}

async function stateOf(context: Context) {
  const { hostFeed } = context.database;
  const [state, open, last] = await Promise.all([
    feedState(context, randomUUID()),
    hostFeed.findOne({ state: 'open' }, { sort: { _id: 1 }, projection: { _id: 1 } }),
    hostFeed.findOne({}, { sort: { _id: -1 }, projection: { _id: 1 } }),
  ]);
  return { ...state, end: open?._id ?? (last?._id ?? 0) + 1 };
}

async function rowsFrom(context: Context, from: number, limit: number): Promise<ReadableRows<string>> {
  const docs = await context.database.hostFeed
    .find({ _id: { $gte: from } })
    .sort({ _id: 1 })
    .limit(limit)
    .toArray();
  const rows: PlacedRow<string>[] = [];
  for (const doc of docs) {
    const isOpen = doc.state === 'open';
    if (isOpen && (await isAtWork(context, doc))) return { rows, isOpen };
    const { _id: place, at, actor, notes } = isOpen ? await judge(context, doc) : doc;
    rows.push({ place, at, actor, notes });
  }
  return { rows, isOpen: false };
}

/**
 * Returns whether the writer of an open row may still be at work, by the clock of the server. A row from the future comes from a
 * clock that was changed since, or from a node that used its own: its age is unknown. A writer whose row is judged too early
 * reports its changes again.
 */
async function isAtWork({ database, leaseMs }: Context, { _id }: FeedRowDoc): Promise<boolean> {
  const age = { $subtract: [SERVER_NOW, '$openedAt'] };
  const stages = [{ $match: { _id, state: 'open' } }, { $project: { age } }];
  const [row] = await database.hostFeed.aggregate<{ readonly age: unknown }>(stages).toArray();
  const ageMs = Number(row?.age);
  return ageMs >= 0 && ageMs < leaseMs;
}

async function keptChanges(
  { database }: Context,
  references: readonly string[],
): Promise<ReadonlyMap<string, KeptChange>> {
  if (references.length === 0) return new Map();
  const ids = references.map((reference) => new ObjectId(reference));
  const docs = await database.history
    .find({ _id: { $in: ids } }, { projection: { hostname: 1, changes: 1 } })
    .toArray();
  return new Map(
    docs.map(({ _id, hostname, changes }): [string, KeptChange] => [_id.toHexString(), { hostname, changes }]),
  );
}

/** Closes the row of a writer that died, with what of it happened. */
async function judge(context: Context, doc: FeedRowDoc): Promise<FeedRowDoc> {
  const { hosts, renames, history, hostFeed } = context.database;
  const names = [
    ...new Set(doc.notes.flatMap(({ hostname, from }) => (from === undefined ? hostname : [hostname, from]))),
  ];
  const present = await readByKeys(names, (keys) =>
    hosts.find({ _id: { $in: keys } }, { projection: { _id: 1 } }).toArray(),
  );
  const there = new Set(present.map(({ _id }) => _id));
  // A rename that was cut off is undone while the old document is there.
  const cutOff = await readByKeys(names, (keys) => renames.find({ _id: { $in: keys } }).toArray());
  const undone = new Set(cutOff.flatMap(({ _id }) => (there.has(_id) ? _id : [])));
  const ids = doc.notes.flatMap(({ change }) => (change === undefined ? [] : new ObjectId(change)));
  const changes = await history
    .find<Pick<HistoryDoc, '_id' | 'hostname'>>({ _id: { $in: ids } }, { projection: { hostname: 1 } })
    .toArray();
  const chains = await readChains<Link>(context.database, [...new Set(changes.map(({ hostname }) => hostname))], {
    projection: LINK,
  });
  const happened = new Set([...chains.values()].flat().map(({ _id }) => _id.toHexString()));
  const isTrue = ({ kind, hostname, from, change }: FeedNote<string>): boolean => {
    if (kind === 'created') return there.has(hostname);
    if (kind === 'deleted') return !there.has(hostname);
    if (from !== undefined && undone.has(from)) return false;
    return change === undefined || happened.has(change);
  };
  const notes = doc.notes.filter(isTrue);
  const judged = await hostFeed.findOneAndUpdate(
    { _id: doc._id, state: 'open' },
    { $set: { state: 'judged', notes } },
    { returnDocument: 'after' },
  );
  return judged ?? (await hostFeed.findOne({ _id: doc._id })) ?? { ...doc, notes };
}
