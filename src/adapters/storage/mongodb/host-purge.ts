import { isProtected } from '../../../app/hosts/decisions/protection.ts';
import { batchesOf, readByKeys } from './batches.ts';
import { hasDebts, settleDebts } from './debts.ts';
import type { Context } from './session.ts';

const HOSTS_A_PURGE = 500;

/**
 * Deletes for good what was archived before the date. Names are noted first, the records go next, history and relations last:
 * a purge that was cut off is finished by the next one, by `start` and by `check`.
 */
export async function purgeArchived(context: Context, before: Date): Promise<number> {
  const { hosts, purges } = context.database;
  if (await hasDebts(context)) await settleDebts(context);
  await finishPurges(context);
  const options = { projection: { v: 1 }, batchSize: 10_000 } as const;
  const old = await hosts
    .find({ archived: true, isObject: { $in: [false, true] }, archivedAt: { $lt: before } }, options)
    .toArray();
  let count = 0;
  for (const found of batchesOf(old, HOSTS_A_PURGE)) {
    const left = await protectedOf(
      context,
      found.map(({ _id }) => _id),
    );
    const batch = found.filter(({ _id }) => !left.has(_id));
    if (batch.length === 0) continue;
    await purges.bulkWrite(
      batch.map(({ _id }) => ({ updateOne: { filter: { _id }, update: { $setOnInsert: { _id } }, upsert: true } })),
      { ordered: false },
    );
    // A host that was restored or written meanwhile has another version and stays.
    const result = await hosts.bulkWrite(
      batch.map(({ _id, v }) => ({ deleteOne: { filter: { _id, v } } })),
      { ordered: false },
    );
    count += result.deletedCount;
    await finishPurge(
      context,
      batch.map((host) => host._id),
    );
  }
  return count;
}

/** Those of the hosts whose record protects them. Few say anything about it, and only their members are read. */
async function protectedOf({ database }: Context, hostnames: readonly string[]): Promise<ReadonlySet<string>> {
  const docs = await readByKeys(hostnames, (keys) =>
    database.hosts
      .find({ _id: { $in: keys }, members: { $regex: '"no_autodelete"' } }, { projection: { members: 1 } })
      .toArray(),
  );
  return new Set(docs.filter(({ members }) => isProtected(members)).map(({ _id }) => _id));
}

/** Finishes what earlier purges left. Answers how many hosts that were. */
export async function finishPurges(context: Context): Promise<number> {
  const names = (await context.database.purges.find().toArray()).map((purge) => purge._id);
  for (const batch of batchesOf(names, HOSTS_A_PURGE)) await finishPurge(context, batch);
  return names.length;
}

/**
 * Deletes what belonged to the hosts that are gone. It is looked up before the hosts are: what is added later belongs to a
 * host that somebody made anew.
 */
async function finishPurge(context: Context, hostnames: readonly string[]): Promise<void> {
  const { hosts, history, relations, accountMarks, purges } = context.database;
  const projection = { hostname: 1, target: 1 } as const;
  const changes = await readByKeys(hostnames, (keys) =>
    history.find({ hostname: { $in: keys } }, { projection: { hostname: 1 } }).toArray(),
  );
  const outgoing = await readByKeys(hostnames, (keys) =>
    relations.find({ hostname: { $in: keys } }, { projection }).toArray(),
  );
  const inbound = await readByKeys(hostnames, (keys) =>
    relations.find({ target: { $in: keys } }, { projection }).toArray(),
  );
  const marks = await readByKeys(hostnames, (keys) =>
    accountMarks.find({ hostname: { $in: keys } }, { projection: { hostname: 1 } }).toArray(),
  );
  const left = await readByKeys(hostnames, (keys) =>
    hosts.find({ _id: { $in: keys } }, { projection: { _id: 1 } }).toArray(),
  );
  const gone = new Set(hostnames);
  for (const host of left) gone.delete(host._id);
  const oldChanges = changes.filter((change) => gone.has(change.hostname));
  const oldEdges = [...outgoing, ...inbound].filter((edge) => gone.has(edge.hostname) || gone.has(edge.target));
  const oldMarks = marks.filter((mark) => gone.has(mark.hostname));
  if (oldMarks.length > 0) await accountMarks.bulkWrite(deletionsOf(oldMarks), { ordered: false });
  if (oldChanges.length > 0) await history.bulkWrite(deletionsOf(oldChanges), { ordered: false });
  if (oldEdges.length > 0) await relations.bulkWrite(deletionsOf(oldEdges), { ordered: false });
  await purges.bulkWrite(deletionsOf(hostnames.map((_id) => ({ _id }))), { ordered: false });
}

function deletionsOf<Id>(docs: readonly { readonly _id: Id }[]): { deleteOne: { filter: { _id: Id } } }[] {
  return docs.map(({ _id }) => ({ deleteOne: { filter: { _id } } }));
}
