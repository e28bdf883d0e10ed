import type { Filter } from 'mongodb';
import type { EntryFilter, PlanStart, PlanStore } from '../../../ports/index.ts';
import {
  DISCARDABLE,
  newPlan,
  type StoredPlan,
  storedEntry,
  storedPlanCounts,
  toEntry,
  toPlan,
} from '../shared/stored-plan.ts';
import { batchesOf } from './batches.ts';
import { deleteMatching } from './deletions.ts';
import { AN_ANSWER, DocumentReader } from './document-reader.ts';
import type { PlanDoc, PlanEntryDoc } from './documents.ts';
import { isDuplicateKey } from './errors.ts';
import { SERVER_NOW } from './leases.ts';
import { literally, noteNames, numbersNamed } from './plan-names.ts';
import type { Database } from './schema.ts';
import type { Context, Session } from './session.ts';

const NEWEST_FIRST = { madeAt: -1, _id: -1 } as const;
const ENTRIES_A_WRITE = 1_000;
/** Entries examined for each one requested, step by step, and finally all of them. */
const LOOKED_AT = [10, 100, Number.POSITIVE_INFINITY];
const HELD = { $gt: ['$leaseUntil', SERVER_NOW] };
const FREE = { $lte: ['$leaseUntil', SERVER_NOW] };
const WITH_LEASE = { $addFields: { isHeld: HELD } };

/** Plans, and their entries as separate documents. The server's clock determines whether a lease lasts. */
export function mongodbPlans(session: Session): PlanStore {
  return {
    begin: (plan) =>
      session.run(async ({ database }) => {
        // In two steps, because only a pipeline knows the server's time.
        await database.plans.insertOne(planDoc(newPlan(plan, 0)));
        const held = { leaseUntil: leaseOf(plan.leaseMs), ...(plan.isExclusive ? { holds: plan.accountId } : {}) };
        if (await takingAccount(database, plan, (own) => database.plans.updateOne(own, [{ $set: held }]))) return true;
        await database.plans.deleteOne({ _id: plan.id });
        return false;
      }),

    append: ({ id, entries, leaseMs }) =>
      session.run(async ({ database }) => {
        const kept = await database.plans.updateOne({ _id: id, status: 'planning' }, [
          { $set: { leaseUntil: leaseOf(leaseMs) } },
        ]);
        if (kept.matchedCount === 0) return false;
        for (const batch of batchesOf(entries, ENTRIES_A_WRITE)) {
          // Entries that a lost answer hides are written again, and are the same.
          await noteNames(database, id, batch);
          const writes = batch.map((entry) => {
            const { planId: plan, ...stored } = storedEntry(id, entry);
            const replacement = { plan, ...stored };
            return { replaceOne: { filter: { plan, number: entry.number }, replacement, upsert: true } };
          });
          await database.planEntries.bulkWrite(writes, { ordered: false });
        }
        return true;
      }),

    settle: ({ id, counts, drift, ...end }) =>
      session.run(async ({ database }) => {
        const values = { $set: { ...end, counts: storedPlanCounts({ counts, drift }) } };
        const { matchedCount } = await database.plans.updateOne({ _id: id, status: 'planning' }, values);
        if (matchedCount === 0) return false;
        const isHolding = end.status === 'ready' ? { holds: { $exists: false } } : {};
        await database.plans.updateOne({ _id: id, status: end.status, ...isHolding }, LET_GO);
        return true;
      }),

    find: (id) =>
      session.run(async ({ database }) => {
        const match = { $match: { _id: id, status: { $ne: 'removed' } } };
        const [doc] = await database.plans.aggregate<ReadPlan>([match, WITH_LEASE]).toArray();
        return doc === undefined ? undefined : planOf(doc);
      }),

    list: ({ limit, accounts, before }) =>
      session.run(async ({ database }) => {
        if (limit <= 0) return [];
        const match: Filter<PlanDoc> = {
          status: { $ne: 'removed' },
          ...(accounts === null ? {} : { accountId: { $in: [...accounts] } }),
          ...(before === undefined ? {} : earlierThan(before.madeAt, before.id)),
        };
        const stages = [{ $match: match }, { $sort: NEWEST_FIRST }, { $limit: limit }, WITH_LEASE];
        return (await database.plans.aggregate<ReadPlan>(stages).toArray()).map(planOf);
      }),

    entries: ({ id, filter, after, limit }) =>
      session.run(async ({ database }) => {
        const options = { projection: { hasNames: 1 } } as const;
        const plan = await database.plans.findOne({ _id: id, status: { $ne: 'removed' } }, options);
        if (plan === null || limit <= 0) return [];
        const { text } = filter;
        const docs =
          text === undefined || plan.hasNames === undefined
            ? await walked(database, id, filter, after, limit)
            : await named(database, id, { ...filter, text }, after, limit);
        return docs.map(({ _id, plan: planId, ...entry }) => toEntry({ planId, ...entry }));
      }),

    approve: ({ id, by: approvedBy, at: approvedAt }) =>
      changed(session, { _id: id, status: 'ready', needsApproval: true, approvedBy: null }, { approvedBy, approvedAt }),

    claim: ({ id, holder, by, at, leaseMs }) =>
      session.run(async ({ database }) => {
        const filter: Filter<PlanDoc> = {
          _id: id,
          $and: [
            { $or: [{ status: 'ready' }, { status: 'applying', $expr: FREE }] },
            { $or: [{ needsApproval: false }, { approvedBy: { $ne: null } }] },
          ],
        };
        const taken = {
          status: 'applying',
          holder,
          holds: '$accountId',
          appliedBy: { $literal: by },
          appliedAt: at,
          leaseUntil: leaseOf(leaseMs),
        };
        const plan = await database.plans.findOne({ _id: id }, { projection: { accountId: 1 } });
        if (plan === null) return false;
        const account = { id, accountId: plan.accountId, isExclusive: true };
        return takingAccount(database, account, (own) =>
          database.plans.updateOne({ ...own, ...filter }, [{ $set: taken }]),
        );
      }),

    keep: ({ id, holder, leaseMs, done, failed }) =>
      session.run(async ({ database }) => {
        const kept = { leaseUntil: leaseOf(leaseMs), done, failed };
        const held = { _id: id, holder, status: 'applying', holds: { $exists: true } } as const;
        return (await database.plans.updateOne(held, [{ $set: kept }])).matchedCount === 1;
      }),

    noteOutcomes: ({ id: plan, outcomes }) =>
      session.run(async ({ database }) => {
        for (const batch of batchesOf(outcomes, ENTRIES_A_WRITE)) {
          const writes = batch.map(({ number, outcome, reason }) => {
            return { updateOne: { filter: { plan, number }, update: { $set: { outcome, reason } } } };
          });
          await database.planEntries.bulkWrite(writes, { ordered: false });
        }
      }),

    finish: ({ id, holder, at: endedAt, status, ...end }) =>
      session.run(async ({ database }) => {
        const kept = status === 'interrupted' ? 'applying' : status;
        const values = { ...end, status: kept, endedAt, holder: null, leaseUntil: 0 } as const;
        const update = { $set: values, $unset: { holds: '' as const } };
        return (await database.plans.updateOne({ _id: id, holder, status: 'applying' }, update)).matchedCount === 1;
      }),

    holding: (holds) =>
      session.run(async ({ database }) => {
        const held = { holds, holder: { $ne: null }, $expr: HELD };
        const plan = await database.plans.findOne(held, { projection: { holder: 1 } });
        return plan === null || plan.holder === null ? undefined : { id: plan._id, holder: plan.holder };
      }),

    takeBack: ({ id: _id, holder }) =>
      session.run(async ({ database }) => {
        const held = { _id, holder, holds: { $exists: true } } as const;
        return (await database.plans.updateOne(held, LET_GO)).matchedCount === 1;
      }),

    release: (_id) =>
      session.run(async ({ database }) => {
        const holding = { _id, status: 'ready', holds: { $exists: true } } as const;
        return (await database.plans.updateOne(holding, LET_GO)).matchedCount === 1;
      }),

    discard: ({ id: _id, at: endedAt, message }) =>
      session.run(async ({ database }) => {
        const ended = { status: 'discarded', endedAt, message, holder: null, leaseUntil: 0 } as const;
        const update = { $set: ended, $unset: { holds: '' as const } };
        const free = { _id, status: { $in: [...DISCARDABLE] }, $expr: FREE };
        return (await database.plans.updateOne(free, update)).matchedCount === 1;
      }),

    remove: (_id) => session.run(async (context) => (await remove(context, { _id })) > 0),
    prune: (before) => session.run((context) => remove(context, { madeAt: { $lt: before } })),
  };
}

/** Entries behind a number that a filter lets through. */
async function walked(
  { planEntries }: Database,
  plan: string,
  filter: EntryFilter,
  after: number,
  limit: number,
): Promise<readonly PlanEntryDoc[]> {
  const wanted = { plan, ...entryFilter(filter) };
  const spans = Object.keys(wanted).length === 1 ? [1, Number.POSITIVE_INFINITY] : LOOKED_AT;
  const docs: PlanEntryDoc[] = [];
  let from = after;
  // First among few: a server that sorts, though an index has the order, does it with all that the range holds.
  for (const span of spans) {
    const last = after + span * limit;
    await readEntries(planEntries, { wanted, numbers: { $gt: from, $lte: last }, limit }, docs);
    if (docs.length >= limit) break;
    from = last;
  }
  return docs;
}

/** The same, where a text is looked for: no index has a part of a text, so it is looked for in the names that are noted together. */
async function named(
  database: Database,
  plan: string,
  filter: EntryFilter & { readonly text: string },
  after: number,
  limit: number,
): Promise<readonly PlanEntryDoc[]> {
  const wanted = { plan, ...entryFilter(filter) };
  const docs: PlanEntryDoc[] = [];
  const read = async (numbers: number[]): Promise<void> => {
    await readEntries(database.planEntries, { wanted, numbers: { $in: numbers }, limit }, docs);
  };
  let waiting: number[] = [];
  for await (const numbers of numbersNamed(database, plan, filter.text, after)) {
    waiting.push(...numbers);
    if (waiting.length < limit - docs.length) continue;
    await read(waiting);
    waiting = [];
    if (docs.length >= limit) return docs;
  }
  if (waiting.length > 0) await read(waiting);
  return docs;
}

interface WantedEntries {
  readonly wanted: Filter<PlanEntryDoc>;
  readonly numbers: { readonly $gt: number; readonly $lte: number } | { readonly $in: number[] };
  readonly limit: number;
}

/** Puts entries behind those that were read, up to the limit. */
async function readEntries(
  planEntries: Database['planEntries'],
  { wanted, numbers, limit }: WantedEntries,
  docs: PlanEntryDoc[],
): Promise<void> {
  const reader = new DocumentReader<PlanEntryDoc>((last) => {
    const number = last === undefined ? numbers : { ...numbers, $gt: last.number };
    return planEntries.find({ ...wanted, number }, { sort: { number: 1 }, limit: limit - docs.length });
  });
  for await (const batch of reader.batches(AN_ANSWER)) docs.push(...batch);
}

async function changed(session: Session, filter: Filter<PlanDoc>, values: Partial<PlanDoc>): Promise<boolean> {
  return session.run(
    async ({ database }) => (await database.plans.updateOne(filter, { $set: values })).matchedCount === 1,
  );
}

const LET_GO = { $set: { leaseUntil: 0 }, $unset: { holds: '' as const } };

/**
 * Does an update by which a plan takes its account, after it was taken away from plans whose lease is over. False when another plan holds it:
 * two of one account are refused by an index.
 */
async function takingAccount(
  { plans }: Database,
  { id, accountId, isExclusive }: Pick<PlanStart, 'id' | 'accountId' | 'isExclusive'>,
  update: (own: { _id: string }) => Promise<{ readonly matchedCount: number }>,
): Promise<boolean> {
  if (isExclusive) {
    await plans.updateMany({ holds: accountId, _id: { $ne: id }, $expr: FREE }, { $unset: { holds: '' } });
  }
  try {
    return (await update({ _id: id })).matchedCount === 1;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

/**
 * Makes plans invisible first, then deletes their entries, then the plans; an interrupted removal is finished by the next one.
 */
async function remove({ database }: Context, which: Filter<PlanDoc>): Promise<number> {
  const marked = { ...which, status: { $ne: 'removed' as const }, $expr: FREE };
  const { modifiedCount } = await database.plans.updateMany(marked, { $set: { status: 'removed' } });
  const removed = await database.plans.find({ status: 'removed' }, { projection: { _id: 1 } }).toArray();
  for (const { _id } of removed) {
    await deleteMatching(database.planEntries, { plan: _id });
    await deleteMatching(database.planNames, { plan: _id });
    await database.plans.deleteOne({ _id });
  }
  return modifiedCount;
}

type ReadPlan = PlanDoc & { readonly isHeld: boolean };

function planOf({ _id, isHeld, hasNames: _, madeAt, approvedAt, appliedAt, endedAt, ...doc }: ReadPlan) {
  const stored: StoredPlan = {
    ...doc,
    holds: doc.holds ?? null,
    id: _id,
    madeAt: madeAt.getTime(),
    approvedAt: approvedAt?.getTime() ?? null,
    appliedAt: appliedAt?.getTime() ?? null,
    endedAt: endedAt?.getTime() ?? null,
  };
  return toPlan(stored, isHeld);
}

function planDoc({ id: _id, madeAt, holds: _, ...plan }: StoredPlan): PlanDoc {
  return { _id, ...plan, hasNames: true, madeAt: new Date(madeAt), approvedAt: null, appliedAt: null, endedAt: null };
}

function leaseOf(milliseconds: number): object {
  return { $add: [SERVER_NOW, milliseconds] };
}

function earlierThan(madeAt: Date, id: string): Filter<PlanDoc> {
  return { $or: [{ madeAt: { $lt: madeAt } }, { madeAt, _id: { $lt: id } }] };
}

function entryFilter({ action, kind, text, outcome }: EntryFilter): Filter<PlanEntryDoc> {
  const part = text === undefined ? undefined : literally(text);
  return {
    ...(action === undefined ? {} : { action }),
    ...(kind === undefined ? {} : { kind }),
    ...(outcome === undefined ? {} : { outcome: outcome === 'open' ? null : outcome }),
    ...(part === undefined ? {} : { $or: [{ key: part }, { previousKey: part }, { hostname: part }] }),
  };
}
