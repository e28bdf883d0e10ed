import { isProtected } from '../../../app/hosts/decisions/protection.ts';
import { type ScopeTest, scopeTest } from '../../../app/hosts/decisions/scope.ts';
import type { Actor, HostStore, PurgeOutcome } from '../../../ports/index.ts';
import { reachNote } from '../shared/feed-notes.ts';
import { wellFormed } from '../shared/utf8-order.ts';
import { batchesOf, readByKeys } from './batches.ts';
import type { HostDoc } from './documents.ts';
import { closeRows, openRows } from './feed-rows.ts';
import { isVersion } from './host-version.ts';
import { applyPendingEffects, hasPendingEffects } from './pending-effects.ts';
import type { Context } from './session.ts';

const HOSTS_A_PURGE = 500;
const PURGED = { v: 1, w: 1, account: 1, templates: 1 } as const;

interface PurgedBy {
  readonly at: Date;
  readonly actor: Actor;
}

/**
 * Deletes for good what was archived before the date. Names are noted first, the records go next, history and relations last:
 * a purge that was cut off is finished by the next one, by `start` and by `check`.
 */
export async function purgeArchived(context: Context, before: Date, by: PurgedBy): Promise<number> {
  const { hosts } = context.database;
  if (await hasPendingEffects(context)) await applyPendingEffects(context);
  await finishPurges(context);
  const options = { projection: PURGED, batchSize: 10_000 } as const;
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
    if (batch.length > 0) count += await purgeBatch(context, batch, by);
  }
  return count;
}

/** How many were deleted. A host that was restored or written meanwhile has another version and stays. */
async function purgeBatch(
  context: Context,
  batch: readonly Pick<HostDoc, '_id' | 'v' | 'w' | 'account' | 'templates'>[],
  by: PurgedBy,
): Promise<number> {
  const { hosts, purges } = context.database;
  await purges.bulkWrite(
    batch.map(({ _id }) => ({ updateOne: { filter: { _id }, update: { $setOnInsert: { _id } }, upsert: true } })),
    { ordered: false },
  );
  const rows = await openRows(
    context,
    batch.map(({ _id: hostname, account, templates = [] }) => {
      return { ...by, note: { kind: 'deleted', hostname, ...reachNote({ accountId: account, templates }) } };
    }),
  );
  const { deletedCount } = await hosts.bulkWrite(
    batch.map((host) => ({ deleteOne: { filter: isVersion(host) } })),
    { ordered: false },
  );
  const names = batch.map(({ _id }) => _id);
  const left =
    deletedCount === batch.length
      ? []
      : await readByKeys(names, (keys) => hosts.find({ _id: { $in: keys } }, { projection: { _id: 1 } }).toArray());
  await closeRows(context, rows, new Set(left.map(({ _id }) => _id)));
  await finishPurge(
    context,
    batch.map(({ _id }) => _id),
  );
  return deletedCount;
}

/** The hosts of these names that are archived and in scope. */
export async function purgeNamed(
  context: Context,
  { hostnames, scope, at, actor }: Parameters<HostStore['purge']>[0],
): Promise<readonly PurgeOutcome[]> {
  if (await hasPendingEffects(context)) await applyPendingEffects(context);
  await finishPurges(context);
  const reaches = scopeTest(scope);
  const names = hostnames.map(wellFormed);
  const purged = new Set<string>();
  for (const batch of batchesOf([...new Set(names)], HOSTS_A_PURGE)) {
    const found = await archivedOf(context, batch, reaches);
    if (found.length === 0) continue;
    await purgeBatch(context, found, { at, actor });
    const left = new Set((await archivedOf(context, batch, reaches)).map(({ _id }) => _id));
    for (const { _id } of found) if (!left.has(_id)) purged.add(_id);
  }
  // A name that is repeated was gone when its turn came.
  return names.map((name) => (purged.delete(name) ? 'purged' : 'not_found'));
}

async function archivedOf({ database }: Context, hostnames: readonly string[], reaches: ScopeTest) {
  const docs = await readByKeys(hostnames, (keys) =>
    database.hosts.find({ _id: { $in: keys }, archived: true }, { projection: { ...PURGED, members: 1 } }).toArray(),
  );
  return docs.filter(({ account, members }) => reaches({ accountId: account, members }));
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
 * Deletes everything that belonged to the deleted hosts. It is looked up before the hosts are: anything added later belongs to a
 * host that was created again.
 */
async function finishPurge(context: Context, hostnames: readonly string[]): Promise<void> {
  const { hosts, history, relations, accountMarks, hostComments, purges } = context.database;
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
  const comments = await readByKeys(hostnames, (keys) =>
    hostComments.find({ hostname: { $in: keys } }, { projection: { hostname: 1 } }).toArray(),
  );
  const left = await readByKeys(hostnames, (keys) =>
    hosts.find({ _id: { $in: keys } }, { projection: { _id: 1 } }).toArray(),
  );
  const gone = new Set(hostnames);
  for (const host of left) gone.delete(host._id);
  const oldChanges = changes.filter((change) => gone.has(change.hostname));
  const oldEdges = [...outgoing, ...inbound].filter((edge) => gone.has(edge.hostname) || gone.has(edge.target));
  const oldMarks = marks.filter((mark) => gone.has(mark.hostname));
  const oldComments = comments.filter((comment) => gone.has(comment.hostname));
  if (oldComments.length > 0) await hostComments.bulkWrite(deletionsOf(oldComments), { ordered: false });
  if (oldMarks.length > 0) await accountMarks.bulkWrite(deletionsOf(oldMarks), { ordered: false });
  if (oldChanges.length > 0) await history.bulkWrite(deletionsOf(oldChanges), { ordered: false });
  if (oldEdges.length > 0) await relations.bulkWrite(deletionsOf(oldEdges), { ordered: false });
  await purges.bulkWrite(deletionsOf(hostnames.map((_id) => ({ _id }))), { ordered: false });
}

function deletionsOf<Id>(docs: readonly { readonly _id: Id }[]): { deleteOne: { filter: { _id: Id } } }[] {
  return docs.map(({ _id }) => ({ deleteOne: { filter: { _id } } }));
}
