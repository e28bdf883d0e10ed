import type { Document } from 'mongodb';
import type { NewOutboxMessage, OutboxState, OutboxStore } from '../../../ports/index.ts';
import {
  claimable,
  NO_OUTBOX_MESSAGES,
  newOutboxMessage,
  retriedMessage,
  type StoredOutboxMessage,
  settledMessage,
  toOutboxMessage,
} from '../shared/outbox.ts';
import { wellFormed } from '../shared/utf8-order.ts';
import { deleteMatching } from './deletions.ts';
import type { OutboxDoc } from './documents.ts';
import { isDuplicateKey, unavailable } from './errors.ts';
import { type KeptLease, SERVER_NOW, withKeptLease } from './leases.ts';
import { pause } from './pause.ts';
import type { Context, Session } from './session.ts';

const TIMEOUT_MS = 30_000;
const PLACE = ' place';
const MOST_ATTEMPTS = 100;

/**
 * Messages for receivers, one document per message. Each put holds a lease, so that places follow the order in which messages are
 * stored; an interrupted put has stored the first of its messages and no mark, and the next one continues after them.
 */
export function mongodbOutbox(session: Session): OutboxStore {
  return {
    put: ({ messages, mark }) =>
      session.run(async (context) => {
        const fresh = messages.length === 0 ? 0 : await locked(context, (kept) => insertNew(context, messages, kept));
        if (mark !== undefined) await setMark(context, mark.name, wellFormed(mark.text));
        return fresh;
      }),

    mark: (name) => session.run(async ({ database }) => (await database.outboxMarks.findOne({ _id: name }))?.text),

    newest: (topic) =>
      session.run(async ({ database }) => {
        const wanted = { topic, state: { $ne: 'held_back' as const } };
        const [doc] = await database.outbox.find(wanted).sort({ place: -1 }).limit(1).toArray();
        return doc === undefined ? undefined : toOutboxMessage(storedOf(doc));
      }),

    claim: ({ holder, leaseMs }) =>
      session.run(async (context) => {
        for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
          const { heads, now } = await headsOf(context);
          const message = claimable(heads, now);
          if (message === undefined) return undefined;
          const { id, leaseUntil, place } = message;
          const taken = await context.database.outbox.updateOne(
            { _id: id, state: 'waiting', leaseUntil, place },
            { $set: { holder, leaseUntil: now + leaseMs } },
          );
          if (taken.modifiedCount === 1) return toOutboxMessage(message);
          await pause(attempt, 20);
        }
        throw unavailable('Others have been sending the same messages for a long time. Try again shortly.');
      }),

    settle: ({ id, holder, outcome }) =>
      session.run(async (context) => {
        const { outbox } = context.database;
        const [doc] = await timed(context, [{ $match: { _id: id, state: 'waiting', holder } }]);
        if (doc === undefined) return false;
        const { _id, ...members } = docOf(settledMessage(storedOf(doc), outcome, Number(doc.now)));
        return (await outbox.updateOne({ _id, state: 'waiting', holder }, { $set: members })).matchedCount === 1;
      }),

    retry: (id) =>
      session.run((context) =>
        locked(context, async () => {
          const { outbox } = context.database;
          const doc = await outbox.findOne({ _id: id, state: 'dead' });
          if (doc === null) return false;
          const { _id, ...members } = docOf(retriedMessage(storedOf(doc), await nextPlace(context)));
          return (await outbox.updateOne({ _id, state: 'dead' }, { $set: members })).matchedCount === 1;
        }),
      ),

    list: ({ limit, state, receiver, before = Number.MAX_SAFE_INTEGER }) =>
      session.run(async ({ database }) => {
        const wanted = {
          ...(state === undefined ? {} : { state }),
          ...(receiver === undefined ? {} : { receiver }),
          place: { $lt: before },
        };
        const docs = limit === 0 ? [] : await database.outbox.find(wanted).sort({ place: -1 }).limit(limit).toArray();
        return docs.map((doc) => toOutboxMessage(storedOf(doc)));
      }),

    counts: () =>
      session.run(async ({ database }) => {
        const groups = [{ $group: { _id: '$state', count: { $sum: 1 } } }];
        const docs = await database.outbox.aggregate<{ _id: OutboxState; count: number }>(groups).toArray();
        return { ...NO_OUTBOX_MESSAGES, ...Object.fromEntries(docs.map(({ _id, count }) => [_id, count])) };
      }),

    backlog: () =>
      session.run(async ({ database }) => {
        const groups = [
          { $match: { state: 'waiting' as const } },
          { $group: { _id: null, count: { $sum: 1 }, oldest: { $min: '$at' } } },
        ];
        const [waiting] = await database.outbox.aggregate<{ count: number; oldest: number }>(groups).toArray();
        const dead = await database.outbox.countDocuments({ state: 'dead' });
        if (waiting === undefined) return { waiting: 0, dead, oldestWaitingAt: null };
        return { waiting: waiting.count, dead, oldestWaitingAt: new Date(waiting.oldest) };
      }),

    prune: (before) =>
      session.run(async ({ database }) => {
        const old = { at: { $lt: before.getTime() }, state: { $ne: 'waiting' as const } };
        return deleteMatching(database.outbox, old, { still: old });
      }),
  };
}

type Timed = OutboxDoc & { readonly now: number };

/** Adds the time: only the server knows it, and it returns it with a document. */
function timed({ database }: Context, stages: readonly Document[]): Promise<Timed[]> {
  return database.outbox.aggregate<Timed>([...stages, { $addFields: { now: SERVER_NOW } }]).toArray();
}

/** The oldest message that waits of each receiver. */
async function headsOf(context: Context): Promise<{ heads: readonly StoredOutboxMessage[]; now: number }> {
  const docs = await timed(context, [
    { $match: { state: 'waiting' } },
    // In the order of an index, so that the server jumps from receiver to receiver.
    { $sort: { receiver: 1, place: 1 } },
    { $group: { _id: '$receiver', head: { $first: '$$ROOT' } } },
    { $replaceRoot: { newRoot: '$head' } },
  ]);
  return { heads: docs.map(storedOf), now: Number(docs[0]?.now ?? 0) };
}

function locked<T>({ database, leaseMs }: Context, work: (kept: KeptLease) => Promise<T>): Promise<T> {
  return withKeptLease(database.control, 'outbox', { leaseMs, timeoutMs: TIMEOUT_MS }, work);
}

async function insertNew(
  context: Context,
  messages: readonly NewOutboxMessage[],
  { lost }: KeptLease,
): Promise<number> {
  const { outbox } = context.database;
  const ids = messages.map(({ id }) => wellFormed(id));
  const known = new Set(
    (await outbox.find({ _id: { $in: ids } }, { projection: { _id: 1 } }).toArray()).map(({ _id }) => _id),
  );
  let fresh = 0;
  for (const message of messages) {
    if (known.has(wellFormed(message.id))) continue;
    // Behind a node that took over, the order of messages would be another one. They are put again, and those that are there are known.
    lost.throwIfAborted();
    try {
      await outbox.insertOne(docOf(newOutboxMessage(message, await nextPlace(context))));
      known.add(wellFormed(message.id));
      fresh++;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }
  return fresh;
}

async function nextPlace({ database }: Context): Promise<number> {
  const doc = await database.outboxMarks.findOneAndUpdate(
    { _id: PLACE },
    { $inc: { place: 1 } },
    { upsert: true, returnDocument: 'after' },
  );
  return doc?.place ?? 1;
}

async function setMark({ database }: Context, name: string, text: string): Promise<void> {
  await database.outboxMarks.updateOne({ _id: name }, { $set: { text } }, { upsert: true });
}

function docOf({ id, ...message }: StoredOutboxMessage): OutboxDoc {
  return { _id: id, ...message };
}

function storedOf(doc: OutboxDoc | Timed): StoredOutboxMessage {
  const { _id, now: _now, ...message } = doc as Timed;
  return { id: _id, ...message };
}
