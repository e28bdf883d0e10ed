import type { Filter } from 'mongodb';
import type { AuditChainStep, AuditStore, KeptAuditEntry } from '../../../ports/index.ts';
import { batchesOf } from './batches.ts';
import { deleteMatching } from './deletions.ts';
import { DocumentReader } from './document-reader.ts';
import type { AuditDoc, AuditForwardedDoc } from './documents.ts';
import { duplicateKeys, isDuplicateKey } from './errors.ts';
import { beforePlace, NEWEST_FIRST } from './journal-stores.ts';
import type { Database } from './schema.ts';
import type { Session } from './session.ts';
import { toAuditEntry, toKeptAuditEntry } from './stored-records.ts';

/** The one document that holds the state of the chain. */
const CHAIN = 'chain';

/** Without a valid place in the chain. */
const OUTSIDE: Filter<AuditDoc> = { seq: { $not: { $gt: Number.NEGATIVE_INFINITY } } };

const LINKED: Filter<AuditDoc> = { seq: { $exists: true } };

/** Entries in one step: far from what one document can hold. */
const ENTRIES_A_STEP = 1_000;

/**
 * The audit log in MongoDB. Without transactions, entries are first kept in the document of the chain, which is moved by
 * compare-and-set, and are then copied out of it: the next caller finishes for a node that died in between. All nodes thus write
 * one chain, and no entry can be lost or stored twice.
 */
export function mongodbAudit(session: Session): AuditStore {
  return {
    append: (entries, step) =>
      session.run(async ({ database }) => {
        if (step === undefined) await insertUnlinked(database, entries);
        else return moveChain(database, step, entries.map(toDoc));
        return undefined;
      }),

    chain: () => session.run(({ database }) => settledChain(database)),

    linked: ({ after, batchSize }) =>
      session.stream(async function* ({ database }) {
        await settledChain(database);
        const docs = new DocumentReader<AuditDoc>((last) =>
          database.audit.find({ seq: { $gt: last?.seq ?? after } }, { sort: { seq: 1 } }),
        );
        for await (const batch of docs.batches(batchSize)) yield batch.map(toKeptAuditEntry);
      }),

    lastLinkedBefore: (before) =>
      session.run(async ({ database }) => {
        await settledChain(database);
        const sort = { seq: 1 } as const;
        const first = await database.audit.findOne({ ...LINKED, at: { $gte: before } }, { sort });
        const filter = first?.seq === undefined ? LINKED : { seq: { $lt: first.seq } };
        const last = await lastLinked(database, filter);
        return last?.seq === undefined ? undefined : { seq: last.seq, mark: last.mark ?? '' };
      }),

    unlinked: ({ since, before, limit }) =>
      session.run(async ({ database }) => {
        const at = {
          ...(since === undefined ? {} : { $gte: since }),
          ...(before === undefined ? {} : { $lt: before }),
        };
        const filter = { ...OUTSIDE, ...(Object.keys(at).length === 0 ? {} : { at }) };
        const count = await database.audit.countDocuments(filter);
        if (limit <= 0) return { count, first: [] };
        const docs = await database.audit.find(filter, { sort: { at: 1, _id: 1 }, limit }).toArray();
        return { count, first: docs.map(toKeptAuditEntry) };
      }),

    latest: ({ limit, actor, operation, before }) =>
      session.run(async ({ database }) => {
        if (limit <= 0) return [];
        const filter = {
          ...(actor === undefined ? {} : { actor }),
          ...(operation === undefined ? {} : { operation }),
          ...beforePlace(before),
        };
        const docs = await database.audit.find(filter, { sort: NEWEST_FIRST, limit, batchSize: limit }).toArray();
        return docs.map(toAuditEntry);
      }),

    pruneUnlinked: (before) =>
      session.run(async ({ database }) => {
        return deleteMatching(database.audit, { ...OUTSIDE, at: { $lt: before } });
      }),

    pruneLinked: (through, step) =>
      session.run(async ({ database }) => {
        if ((await moveChain(database, step, [])) !== undefined) return undefined;
        return deleteMatching(database.audit, { seq: { $lte: through } }, { sort: { seq: 1 } });
      }),

    forwarded: () =>
      session.run(async ({ database }) => {
        const notes = await database.auditForwarded.find({}, { sort: { _id: 1 } }).toArray();
        return new Map(notes.map(({ _id, seq, mark = '' }) => [_id, { seq, mark }]));
      }),

    noteForwarded: (target, { from, to }) =>
      session.run(async ({ database }) => {
        const { seq, mark } = to;
        if (from === undefined) {
          return database.auditForwarded.insertOne({ _id: target, seq, mark }).then(
            () => true,
            (error: unknown) => (isDuplicateKey(error) ? false : Promise.reject(error)),
          );
        }
        const isNoted = { _id: target, seq: from.seq, mark: from.mark === '' ? { $in: ['', null] } : from.mark };
        const result = await database.auditForwarded.updateOne(isNoted as Filter<AuditForwardedDoc>, {
          $set: { seq, mark },
        });
        return result.matchedCount === 1;
      }),
  };
}

async function insertUnlinked(database: Database, entries: readonly KeptAuditEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const docs = entries.map(toDoc);
  try {
    await database.audit.insertMany(docs, { ordered: true });
  } catch (error) {
    // All or nothing: those before the id that is taken go again. A writer that dies here leaves a part of the entries,
    // which is better than none in an audit log.
    const taken = duplicateKeys(error)?.positions[0] ?? 0;
    if (taken > 0) await database.audit.deleteMany({ _id: { $in: docs.slice(0, taken).map((doc) => doc._id) } });
    throw error;
  }
}

/** Moves the chain with these entries. Answers the state that it is in when that is not the expected one. */
async function moveChain(
  database: Database,
  { from, to }: AuditChainStep,
  docs: readonly AuditDoc[],
): Promise<{ readonly chain: string | null } | undefined> {
  // A chain that begins behind entries which are there, and with none of its own.
  const atFirst =
    from === null && docs.length === 0
      ? { $setOnInsert: { waiting: [], 'settled.seq': (await lastLinked(database, LINKED))?.seq ?? 0 } }
      : {};
  const moved = docs.length === 0 ? { state: to, 'settled.state': to } : { state: to, waiting: [...docs] };
  for (;;) {
    try {
      // One whose entries are not copied out yet is not matched, so nothing that waits is ever replaced.
      const filter = { _id: CHAIN, state: from ?? '', waiting: { $size: 0 } };
      const result = await database.auditChain.updateOne(
        filter,
        { $set: moved, ...atFirst },
        { upsert: from === null },
      );
      if (result.matchedCount + result.upsertedCount === 1) break;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
    const found = await settledChain(database);
    if (found !== from) return { chain: found };
  }
  await copyOut(database, to, docs);
  return undefined;
}

function lastLinked({ audit }: Database, filter: Filter<AuditDoc>): Promise<AuditDoc | null> {
  return audit.findOne(filter, { sort: { seq: -1 } });
}

/** The state of the chain, when everything up to it is among the entries. */
async function settledChain(database: Database): Promise<string | null> {
  const found = await database.auditChain.findOne({ _id: CHAIN });
  if (found === null) return null;
  if (found.waiting.length > 0) await copyOut(database, found.state, found.waiting);
  return found.state;
}

async function copyOut(database: Database, state: string, docs: readonly AuditDoc[]): Promise<void> {
  for (const batch of batchesOf(docs, ENTRIES_A_STEP)) {
    try {
      await database.audit.insertMany([...batch], { ordered: false });
    } catch (error) {
      if (duplicateKeys(error) === undefined && !isDuplicateKey(error)) throw error;
      await copyOutside(database, batch);
    }
  }
  const last = docs.at(-1)?.seq;
  if (last === undefined) return;
  const settled = { state, seq: last };
  await database.auditChain.updateOne({ _id: CHAIN, state }, { $set: { waiting: [], settled } });
}

/**
 * Most of the existing entries were copied out by another node; an entry must not be lost because its place is taken by another
 * writer.
 */
async function copyOutside(database: Database, docs: readonly AuditDoc[]): Promise<void> {
  const present = await database.audit
    .find({ _id: { $in: docs.map(({ _id }) => _id) } }, { projection: { _id: 1 } })
    .toArray();
  const known = new Set(present.map(({ _id }) => _id));
  for (const { seq: _seq, mark: _mark, ...doc } of docs.filter(({ _id }) => !known.has(_id))) {
    await database.audit.insertOne(doc).catch((error: unknown) => {
      if (!isDuplicateKey(error)) throw error;
    });
  }
}

function toDoc({ id: _id, link, ...entry }: KeptAuditEntry): AuditDoc {
  const { at, actor, entrance, address, operation, subject, outcome, requestId, details } = entry;
  const doc = { _id, at, actor, entrance, address, operation, subject, outcome, requestId, details };
  return link === null ? doc : { ...doc, seq: link.seq, mark: link.mark };
}
