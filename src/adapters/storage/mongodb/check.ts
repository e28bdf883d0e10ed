import type { Filter, ObjectId } from 'mongodb';
import { FOLDER_POOL_TYPE } from '../../../app/hosts/decisions/folder-seats.ts';
import { layeredLabels } from '../../../app/hosts/decisions/label-layers.ts';
import { templatesOf } from '../../../kit/document/templates.ts';
import { jsonMembers, jsonOfMembers, sameJson } from '../../../kit/json/json-text.ts';
import { counted } from '../../../kit/words/amounts.ts';
import type { StorageProblem } from '../../../ports/index.ts';
import { HOSTS_A_BATCH, readByKeys } from './batches.ts';
import { DocumentReader } from './document-reader.ts';
import type { HistoryDoc, HostDoc, RelationDoc, RuleDoc } from './documents.ts';
import { LINK, type Link, newestChanges, readChains } from './history-chains.ts';
import { finishPurges } from './host-purge.ts';
import { finishRenames } from './host-renames.ts';
import { isVersion } from './host-version.ts';
import { applyPendingEffects } from './pending-effects.ts';
import { finishPlan } from './rule-journal.ts';
import { checkIndexes, type Database } from './schema.ts';
import type { Context } from './session.ts';

/** A change this young may be about to happen: its host is written right behind it. */
const YOUNG_MS = 60_000;
/** Documents that are decoded and parsed at once: this many take a few milliseconds. */
const DOCUMENTS_A_STEP = 100;

/** Goes through everything that is stored. */
export async function* checkDatabase(
  context: Context,
  fix: boolean,
  only: 'damage' | undefined,
): AsyncIterable<StorageProblem> {
  // The server finds damage by the checksum of each page, and answers with an error.
  if (only === 'damage') return;
  yield* checkIndexes(context, fix);
  yield* checkRemainders(context, fix);
  yield* checkHosts(context, fix);
  yield* checkAccounts(context);
  yield* checkHistory(context, fix);
  yield* checkRelations(context, fix);
  yield* checkRules(context);
}

/** Finds the remains of writers that died. */
async function* checkRemainders(context: Context, fix: boolean): AsyncIterable<StorageProblem> {
  const { database, revisions } = context;
  const state = await revisions.read(database);
  if (state.unfinishedPlan) {
    if (fix) await finishPlan(context);
    yield { subject: 'rules', message: 'A change of rules was not finished.', fixed: fix };
  }
  const pending = await database.hosts.countDocuments({ 'debts.id': { $exists: true } });
  if (pending > 0) {
    if (fix) await applyPendingEffects(context);
    yield {
      subject: FOLDER_POOL_TYPE,
      message: `Seats of ${counted(pending, 'host')} were not given back.`,
      fixed: fix,
    };
  }
  const purges = await database.purges.countDocuments();
  if (purges > 0) {
    if (fix) await finishPurges(context);
    yield { subject: 'archive', message: `The purge of ${counted(purges, 'host')} was not finished.`, fixed: fix };
  }
  const renames = await database.renames.countDocuments();
  if (renames > 0) {
    if (fix) await finishRenames(context);
    yield { subject: 'hosts', message: `The renaming of ${counted(renames, 'host')} was not finished.`, fixed: fix };
  }
  if (state.abandoned.length > 0) {
    if (fix) await revisions.forgetWriters(database, state.abandoned);
    yield { subject: 'revisions', message: 'A writer died before it moved the revision of hosts.', fixed: fix };
  }
}

async function* checkHosts({ database }: Context, fix: boolean): AsyncIterable<StorageProblem> {
  const hosts = new DocumentReader<HostDoc>((last) => {
    const filter = last === undefined ? {} : { _id: { $gt: last._id } };
    return database.hosts.find(filter, { sort: { _id: 1 } });
  });
  for await (const batch of hosts.batches(DOCUMENTS_A_STEP)) yield* checkBatchOfHosts(database, batch, fix);
}

async function* checkBatchOfHosts(
  database: Database,
  batch: readonly HostDoc[],
  fix: boolean,
): AsyncIterable<StorageProblem> {
  for (const host of batch) {
    const subject = `host ${host._id}`;
    const damage = damageOf(host);
    if (damage !== undefined) {
      yield { subject, message: damage, fixed: false };
      continue;
    }
    const derived = derivedOf(host);
    if (
      derived.archived === host.archived &&
      derived.sight.getTime() === host.sight.getTime() &&
      sameJson(derived.labels, host.labels) &&
      JSON.stringify(derived.templates) === JSON.stringify(host.templates)
    ) {
      continue;
    }
    let fixed = false;
    if (fix) {
      const update = { $set: derived, $inc: { v: 1 } };
      fixed = (await database.hosts.updateOne(isVersion(host), update)).matchedCount === 1;
    }
    yield { subject, message: 'Derived members do not match the members that they come from.', fixed };
  }
}

/** Why the host cannot be read, if so. */
function damageOf(host: HostDoc): string | undefined {
  const texts = { labels: host.labels, inventory: host.inventory, members: host.members };
  for (const [name, text] of Object.entries(texts))
    if (!isJsonObject(text)) return `Its ${name} are not a JSON object.`;
  for (const item of host.contributions ?? []) {
    if (!isJsonObject(item.labels)) return `The labels of account ${item.account} are not a JSON object.`;
  }
  const dates = [host.createdAt, host.sight, host.lastSeen, host.lastUpdate, host.archivedAt];
  if (!dates.every((date) => date === null || date instanceof Date)) return 'One of its times is not a date.';
  return undefined;
}

function derivedOf(host: HostDoc): Pick<HostDoc, 'archived' | 'sight' | 'labels' | 'templates'> {
  const layers = (host.contributions ?? []).map((item) => ({ ...item, accountId: item.account }));
  return {
    archived: host.archivedAt !== null,
    sight: host.lastSeen ?? host.createdAt,
    labels: layers.length === 0 ? host.labels : jsonOfMembers(layeredLabels(layers)),
    templates: templatesOf(host.members),
  };
}

function isJsonObject(text: unknown): boolean {
  if (typeof text !== 'string') return false;
  try {
    JSON.parse(text);
    jsonMembers(text);
    return true;
  } catch {
    return false;
  }
}

async function* checkAccounts({ database }: Context): AsyncIterable<StorageProblem> {
  const owners = await database.hosts
    .aggregate<{ _id: string | null; count: number }>([{ $group: { _id: '$account', count: { $sum: 1 } } }])
    .toArray();
  const accounts = await database.rules.find({ type: 'accounts' }, { projection: { id: 1 } }).toArray();
  const known = new Set(accounts.map((account) => account.id));
  for (const { _id, count } of owners) {
    if (_id === null || known.has(_id)) continue;
    const message = `${counted(count, 'host belongs', 'hosts belong')} to an account that does not exist`;
    yield { subject: `account ${_id}`, message, fixed: false };
  }
}

/** Changes that did not happen: their writer lost a race or died. */
async function* checkHistory({ database }: Context, fix: boolean): AsyncIterable<StorageProblem> {
  const sort = { hostname: 1, seq: -1 } as const;
  /** The change that comes next on the chain of the host, by hostname of the hosts of this batch. */
  let next = new Map<string, string | undefined>();
  let count = 0;
  const changes = new DocumentReader<Link>((last) => {
    // If several changes share a number, those not seen before a cut are left to the next check.
    const filter: Filter<HistoryDoc> =
      last === undefined
        ? {}
        : { $or: [{ hostname: last.hostname, seq: { $lt: last.seq } }, { hostname: { $gt: last.hostname } }] };
    return database.history.find<Link>(filter, { projection: LINK, sort });
  });
  for await (const batch of changes.batches(HOSTS_A_BATCH)) {
    next = await nextOnChains(database, batch, next);
    const suspects: Link[] = [];
    for (const change of batch) {
      if (change._id.toHexString() === next.get(change.hostname)) {
        next.set(change.hostname, change.prev?.toHexString());
      } else if (isOld(change._id)) {
        suspects.push(change);
      }
    }
    const orphans = await offChain(database, suspects);
    count += orphans.length;
    if (!fix || orphans.length === 0) continue;
    await database.history.bulkWrite(orphans.map(({ _id }) => ({ deleteOne: { filter: { _id } } })));
  }
  if (count > 0) yield { subject: 'history', message: `${counted(count, 'change')} did not happen.`, fixed: fix };
}

function isOld(id: ObjectId): boolean {
  return id.getTimestamp().getTime() < Date.now() - YOUNG_MS;
}

/**
 * Which of these are on no chain. Their hosts may have changed since the changes were read, or a lost cursor may have left a
 * change out, so what would be deleted is looked at again, host by host.
 */
async function offChain(database: Database, suspects: readonly Link[]): Promise<readonly Link[]> {
  if (suspects.length === 0) return [];
  const hostnames = [...new Set(suspects.map((change) => change.hostname))];
  const chains = await readChains<Link>(database, hostnames, { projection: LINK });
  const happened = new Set([...chains.values()].flatMap((chain) => chain.map((change) => change._id.toHexString())));
  return suspects.filter((change) => !happened.has(change._id.toHexString()));
}

/** Goes on where the batch before ended in the middle of a host, and begins with the newest change of the others. */
async function nextOnChains(
  database: Database,
  batch: readonly Pick<HistoryDoc, 'hostname'>[],
  before: ReadonlyMap<string, string | undefined>,
): Promise<Map<string, string | undefined>> {
  const names = [...new Set(batch.map((change) => change.hostname))];
  const newest = await newestChanges(
    database,
    names.filter((name) => !before.has(name)),
  );
  return new Map(names.map((name) => [name, before.has(name) ? before.get(name) : newest.get(name)?.id.toHexString()]));
}

/** Relations without their host. A target may come later, and so may the host of a young one: it is written behind them. */
async function* checkRelations({ database }: Context, fix: boolean): AsyncIterable<StorageProblem> {
  const edges = new DocumentReader<RelationDoc>((last) => {
    const filter = last === undefined ? {} : { _id: { $gt: last._id } };
    return database.relations.find(filter, { sort: { _id: 1 } });
  });
  for await (const batch of edges.batches(HOSTS_A_BATCH)) {
    const names = [...new Set(batch.map((edge) => edge.hostname))];
    const hosts = await readByKeys(names, (keys) =>
      database.hosts.find({ _id: { $in: keys } }, { projection: { _id: 1 } }).toArray(),
    );
    const known = new Set(hosts.map((host) => host._id));
    const loose = batch.filter((edge) => !known.has(edge.hostname) && isOld(edge._id));
    if (fix && loose.length > 0) {
      await database.relations.bulkWrite(loose.map(({ _id }) => ({ deleteOne: { filter: { _id } } })));
    }
    for (const edge of loose) {
      const message = `Its relation ${edge.type} to ${edge.target} exists, but that host does not.`;
      yield { subject: `host ${edge.hostname}`, message, fixed: fix };
    }
  }
}

async function* checkRules({ database }: Context): AsyncIterable<StorageProblem> {
  const rules = new DocumentReader<RuleDoc>((last) => {
    const filter = last === undefined ? {} : { _id: { $gt: last._id } };
    return database.rules.find(filter, { sort: { _id: 1 } });
  });
  for await (const batch of rules.batches(DOCUMENTS_A_STEP)) {
    for (const { type, name, document } of batch) {
      if (isJsonObject(document)) continue;
      yield { subject: `${type} ${name}`, message: 'The document is not a JSON object.', fixed: false };
    }
  }
}
