import { batchesOf, readByKeys } from './batches.ts';
import { owesSeats, settleSeats } from './seats.ts';
import type { Context } from './session.ts';

const HOSTS_A_PURGE = 500;

/**
 * Deletes for good what was archived before the date. Names are noted first, the records go next, history and relations last:
 * a purge that was cut off is finished by the next one, by `start` and by `check`.
 */
export async function purgeArchived(context: Context, before: Date): Promise<number> {
  const { hosts, purges } = context.database;
  if (await owesSeats(context)) await settleSeats(context);
  await finishPurges(context);
  const options = { projection: { v: 1 }, batchSize: 10_000 } as const;
  const old = await hosts
    .find({ archived: true, isObject: { $in: [false, true] }, archivedAt: { $lt: before } }, options)
    .toArray();
  let count = 0;
  for (const batch of batchesOf(old, HOSTS_A_PURGE)) {
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

/** Finishes what earlier purges left. Answers how many hosts that were. */
export async function finishPurges(context: Context): Promise<number> {
  const names = (await context.database.purges.find().toArray()).map((purge) => purge._id);
  for (const batch of batchesOf(names, HOSTS_A_PURGE)) await finishPurge(context, batch);
  return names.length;
}

async function finishPurge(context: Context, hostnames: readonly string[]): Promise<void> {
  const { hosts, history, relations, purges } = context.database;
  const left = await readByKeys(hostnames, (keys) =>
    hosts.find({ _id: { $in: keys } }, { projection: { _id: 1 } }).toArray(),
  );
  const present = new Set(left.map((host) => host._id));
  const gone = hostnames.filter((hostname) => !present.has(hostname));
  if (gone.length > 0) {
    const ofHost = gone.map((hostname) => ({ deleteMany: { filter: { hostname } } }));
    const toHost = gone.map((target) => ({ deleteMany: { filter: { target } } }));
    await history.bulkWrite(ofHost, { ordered: false });
    await relations.bulkWrite([...ofHost, ...toHost], { ordered: false });
  }
  await purges.bulkWrite(
    hostnames.map((_id) => ({ deleteOne: { filter: { _id } } })),
    { ordered: false },
  );
}
