import { type AnyBulkWriteOperation, ObjectId } from 'mongodb';
import { readByKeys } from './batches.ts';
import type { HistoryDoc, HostDoc } from './documents.ts';
import { duplicateKeys } from './errors.ts';
import type { Difference, Planned } from './host-plan.ts';
import { isVersion } from './host-version.ts';
import type { Context, SessionReach } from './session.ts';

/** Writes the planned changes and answers those whose host was changed by another writer first. */
export function writeHosts<T>(context: Context, planned: readonly Planned<T>[]): Promise<ReadonlySet<Planned<T>>> {
  return context.causally((reach) => writeAndLook(reach, planned));
}

/** Later reads of the hosts must not return anything older than what was written. */
async function writeAndLook<T>(commit: SessionReach, planned: readonly Planned<T>[]): Promise<ReadonlySet<Planned<T>>> {
  const { database, session } = commit;
  const token = new ObjectId();
  const updates = planned.filter((plan) => plan.original !== undefined);
  const lost = new Set<Planned<T>>();
  let matched: number;
  try {
    const result = await database.hosts.bulkWrite(
      planned.map((plan) => writeOf(plan, token)),
      { ordered: false, session },
    );
    matched = result.matchedCount;
  } catch (error) {
    const duplicates = duplicateKeys(error);
    if (duplicates === undefined) throw error;
    for (const position of duplicates.positions) {
      const plan = planned[position];
      if (plan !== undefined) lost.add(plan);
    }
    matched = duplicates.matched;
  }
  if (matched === updates.length) return lost;
  const compared = updates.filter((plan) => !isSeenAgain(plan));
  for (const plan of await unapplied(commit, compared, token)) lost.add(plan);
  for (const plan of await unseen(commit, updates.filter(isSeenAgain))) lost.add(plan);
  return lost;
}

function writeOf<T>(plan: Planned<T>, token: ObjectId): AnyBulkWriteOperation<HostDoc> {
  const { original, difference } = plan;
  const host = plan.host as HostDoc;
  if (original === undefined || difference === undefined)
    return { insertOne: { document: { ...host, v: 1, w: token } } };
  if (isSeenAgain(plan)) return seenAgainWrite(original, host, difference);
  const { set, unset } = difference;
  const update = { $set: { ...set, v: original.v + 1, w: token } };
  return {
    updateOne: {
      filter: isVersion(original),
      update: Object.keys(unset).length === 0 ? update : { ...update, $unset: unset },
    },
  };
}

/** Fields that change when a host is seen again without other changes. */
const SEEN_AGAIN: ReadonlySet<string> = new Set<keyof HostDoc>(['lastSeen', 'sight', 'run']);

/**
 * True if the host was only seen again. Such a write is valid whatever others wrote since the host was read, as long as the host
 * is active, of the same account and was seen before: it undoes nothing, and times only move forward. It therefore names no
 * version, which avoids contention between writers; it moves the version all the same, so that others who read before it do not
 * move the time back, and a writer about to archive the host as unseen reads it again.
 */
function isSeenAgain({ draft, original, difference }: Planned<unknown>): boolean {
  // A host that was never seen has another `sight` than its `lastSeen`, which could be later.
  if (difference === undefined || original?.lastSeen == null || draft.relations !== undefined) return false;
  return (
    Object.keys(difference.unset).length === 0 && Object.keys(difference.set).every((name) => SEEN_AGAIN.has(name))
  );
}

function seenAgainWrite(original: HostDoc, host: HostDoc, { set }: Difference): AnyBulkWriteOperation<HostDoc> {
  const { lastSeen, sight } = host;
  const filter = { _id: host._id, archived: false, account: original.account, lastSeen: { $ne: null } };
  const update = { $max: { lastSeen, sight }, $inc: { v: 1 } };
  const run = 'run' in set ? { $set: { run: host.run } } : {};
  return { updateOne: { filter, update: { ...update, ...run } } };
}

/**
 * Returns the writes whose host was archived, taken over, replaced or purged just before, so that they must be decided again.
 * They may include a host to which that happened just after the write: its writer is still waiting for the answer.
 */
async function unseen<T>(
  { database, session }: SessionReach,
  seenAgain: readonly Planned<T>[],
): Promise<readonly Planned<T>[]> {
  const names = seenAgain.map((plan) => plan.draft.hostname);
  const projection = { archived: 1, account: 1, lastSeen: 1, run: 1 };
  const docs = await readByKeys(
    names,
    (keys) => database.hosts.find({ _id: { $in: keys } }, { projection, session }).toArray(),
    { session },
  );
  const now = new Map(docs.map((doc) => [doc._id, doc]));
  return seenAgain.filter((plan) => !isSeen(plan, now.get(plan.draft.hostname)));
}

type Seen = Pick<HostDoc, 'archived' | 'account' | 'lastSeen' | 'run'>;

function isSeen({ host, original, difference }: Planned<unknown>, now: Seen | undefined): boolean {
  if (host?.lastSeen == null || now?.lastSeen == null) return false;
  // No other writer stores the id of the run.
  if (difference !== undefined && 'run' in difference.set) return now.run === host.run;
  return !now.archived && now.account === original?.account && now.lastSeen >= host.lastSeen;
}

/** Returns the updates that found their host changed. A bulk write reports how many, not which. */
async function unapplied<T>(
  commit: SessionReach,
  updates: readonly Planned<T>[],
  token: ObjectId,
): Promise<readonly Planned<T>[]> {
  const { database, session } = commit;
  const names = updates.map((plan) => plan.draft.hostname);
  const projection = { w: 1, change: 1 };
  const docs = await readByKeys(
    names,
    (keys) => database.hosts.find({ _id: { $in: keys } }, { projection, session }).toArray(),
    { session },
  );
  const now = new Map(docs.map((doc) => [doc._id, doc]));
  const lost: Planned<T>[] = [];
  for (const plan of updates) {
    const doc = now.get(plan.draft.hostname);
    if (doc?.w.equals(token)) continue;
    if (await followed(commit, plan)) continue;
    lost.push(plan);
  }
  return lost;
}

/**
 * True if the host has another writer's token because that one wrote after us. Our newest change is then on the chain: only a
 * writer that read it can have named it. A write without a change in the history may be done twice.
 */
async function followed<T>(commit: SessionReach, { draft, history }: Planned<T>): Promise<boolean> {
  const last = history.at(-1);
  if (last === undefined) return false;
  const { hostname } = draft;
  const { database, session } = commit;
  const host = await database.hosts.findOne({ _id: hostname }, { projection: { change: 1 }, session });
  if (host?.change?.id.equals(last._id)) return true;
  const names = { $in: [hostname, ...(await laterNames(commit, hostname, last._id))] };
  const next = await database.history.findOne({ hostname: names, seq: last.seq + 1, prev: last._id }, { session });
  return next !== null;
}

/** Names that a host may have got since: history goes with it in the end, and until then the rename is noted. */
async function laterNames(
  { database: { renames, history }, session }: SessionReach,
  hostname: string,
  change: ObjectId,
): Promise<readonly string[]> {
  const rename = await renames.findOne({ _id: hostname }, { projection: { to: 1 }, session });
  const moved = await history.findOne({ _id: change }, { projection: { hostname: 1 }, session });
  return [rename?.to, moved?.hostname].filter((name) => name !== undefined && name !== hostname) as string[];
}

/** Deletes changes that did not happen. They are on no chain, so they were never visible. */
export async function forget(context: Pick<Context, 'database'>, history: readonly HistoryDoc[]): Promise<void> {
  if (history.length === 0) return;
  await context.database.history.bulkWrite(
    history.map((item) => ({ deleteOne: { filter: { _id: item._id } } })),
    { ordered: false },
  );
}
