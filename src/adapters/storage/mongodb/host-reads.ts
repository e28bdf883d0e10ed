import type { AggregateOptions, Filter, FindOptions } from 'mongodb';
import { charactersOf } from '../../../app/hosts/decisions/host-size.ts';
import { compareLayers } from '../../../app/hosts/decisions/label-layers.ts';
import {
  type AccountHosts,
  type Contribution,
  type HostCounters,
  type HostFilter,
  type HostRecord,
  type HostScope,
  type HostSearch,
  type HostSearchStep,
  type HostStore,
  PAGE_CHARACTERS,
  StoredJson,
} from '../../../ports/index.ts';
import { accountHostsOf } from '../shared/host-counts.ts';
import { sizedBatches } from '../shared/sized-batches.ts';
import { wellFormed } from '../shared/utf8-order.ts';
import { oneAnswer, readByKeys } from './batches.ts';
import { AN_ANSWER, DocumentReader } from './document-reader.ts';
import type { HostDoc } from './documents.ts';
import { isMissingHint } from './errors.ts';
import type { Context } from './session.ts';
import { toHostRecord } from './stored-records.ts';

/** All but what only writers need. */
const RECORD = {
  v: 0,
  w: 0,
  createdBy: 0,
  sight: 0,
  run: 0,
  change: 0,
  templates: 0,
  contributions: 0,
  debts: 0,
} as const;

/** From this offset on the start of a page is looked up in the index first, so that no record is fetched to be skipped. */
const DEEP = 1_000;

function inScopeFilter(scope: HostScope): Filter<HostDoc> {
  const { accounts = null, templates = null } = scope ?? {};
  return {
    ...(accounts !== null && { account: { $in: [...accounts] } }),
    ...(templates !== null && { templates: { $in: [...templates] } }),
  };
}

function filterOf({ scope, kind, state }: HostFilter): Filter<HostDoc> {
  return {
    ...inScopeFilter(scope),
    // Both values are named where any will do, so that the index still gives the order: the server merges the ranges.
    archived: state === 'any' ? { $in: [false, true] } : state === 'archived',
    isObject: kind === 'all' ? { $in: [false, true] } : kind === 'objects',
  };
}

export async function getHost(context: Context, hostname: string, scope: HostScope): Promise<HostRecord | undefined> {
  const filter = { _id: wellFormed(hostname), archived: false, ...inScopeFilter(scope) };
  const doc = await context.database.hosts.findOne(filter, { projection: RECORD });
  return doc === null ? undefined : toHostRecord(doc);
}

export async function findHost(context: Context, hostname: string): Promise<HostRecord | undefined> {
  const doc = await context.database.hosts.findOne({ _id: wellFormed(hostname) }, { projection: RECORD });
  return doc === null ? undefined : toHostRecord(doc);
}

export async function findEachHost(
  context: Context,
  hostnames: readonly string[],
): Promise<(HostRecord | undefined)[]> {
  const names = hostnames.map(wellFormed);
  const docs = await readByKeys([...new Set(names)], (keys) =>
    context.database.hosts.find({ _id: { $in: keys } }, { projection: RECORD, batchSize: oneAnswer(keys) }).toArray(),
  );
  const byName = new Map(docs.map((doc) => [doc._id, toHostRecord(doc)]));
  return names.map((name) => byName.get(name));
}

export async function visibleHosts(
  context: Context,
  hostnames: readonly string[],
  scope: HostScope,
): Promise<ReadonlySet<string>> {
  const names = [...new Set(hostnames.map(wellFormed))];
  const docs = await readByKeys(names, (keys) =>
    context.database.hosts
      .find({ _id: { $in: keys }, archived: false, ...inScopeFilter(scope) }, { projection: { _id: 1 } })
      .toArray(),
  );
  return new Set(docs.map((doc) => doc._id));
}

export async function contributionsOf(context: Context, hostname: string): Promise<Contribution[]> {
  const projection = { contributions: 1 };
  const doc = await context.database.hosts.findOne({ _id: wellFormed(hostname) }, { projection });
  const layers = (doc?.contributions ?? []).map((item) => ({ ...item, accountId: item.account }));
  return layers.sort(compareLayers).map(({ accountId, precedence, owner, labels, at }) => ({
    accountId,
    precedence,
    owner,
    labels: StoredJson.ofText(labels),
    at,
  }));
}

export async function countHosts(context: Context, filter: HostFilter): Promise<number> {
  return context.database.hosts.countDocuments(filterOf(filter));
}

export async function countersOf(
  context: Context,
  { scope, checkpoint }: { readonly scope: HostScope; readonly checkpoint: Date },
): Promise<HostCounters> {
  const { hosts: collection } = context.database;
  const active = { ...inScopeFilter(scope), archived: false };
  const [hosts, objects, notSeenSince] = await Promise.all([
    collection.countDocuments({ ...active, isObject: false }),
    collection.countDocuments({ ...active, isObject: true }),
    collection.countDocuments({ ...active, isObject: false, sight: { $lt: checkpoint } }),
  ]);
  return { hosts, objects, notSeenSince };
}

interface AccountGroup {
  readonly _id: { readonly account: string | null; readonly isArchived: boolean; readonly isObject: boolean };
  readonly count: number;
}

/** The index holds everything the query needs, so no host is read. While it is being rebuilt, the server manages without it. */
export async function countsByAccount({ database }: Context): Promise<AccountHosts[]> {
  const members = { account: '$account', isArchived: '$archived', isObject: '$isObject' };
  const count = (options: AggregateOptions) =>
    database.hosts.aggregate<AccountGroup>([{ $group: { _id: members, count: { $sum: 1 } } }], options).toArray();
  const groups = await count({ hint: 'by_account' }).catch((error: unknown) => {
    if (isMissingHint(error)) return count({});
    throw error;
  });
  return accountHostsOf(groups.map(({ _id, count }) => ({ ..._id, count })));
}

/**
 * Returns a page. By offset it costs a walk over that number of index entries (about a million a second), by `after` none:
 * callers that read everything use that.
 */
export async function pageOfHosts(
  context: Context,
  { filter, offset, limit, after }: Parameters<HostStore['page']>[0],
): Promise<HostRecord[]> {
  // To a server 0 means no limit.
  if (limit <= 0) return [];
  const matching = filterOf(filter);
  const start = after === undefined ? undefined : { $gt: wellFormed(after) };
  const from = offset < DEEP ? start : await nameAt(context, behind(matching, start), offset);
  if (from === null) return [];
  const records: HostRecord[] = [];
  const docs = new DocumentReader<HostDoc>((last) => {
    const skip = last === undefined && offset < DEEP ? offset : 0;
    const options = { projection: RECORD, sort: { _id: 1 }, skip, limit: limit - records.length } as const;
    return context.database.hosts.find(behind(matching, last === undefined ? from : { $gt: last._id }), options);
  });
  let characters = 0;
  for await (const batch of docs.batches(AN_ANSWER)) {
    for (const doc of batch) {
      const record = toHostRecord(doc);
      records.push(record);
      characters += charactersOf([record]);
      if (characters >= PAGE_CHARACTERS) return records;
    }
  }
  return records;
}

type NameRange = { readonly $gt: string } | { readonly $gte: string } | undefined;

function behind(filter: Filter<HostDoc>, range: NameRange): Filter<HostDoc> {
  return range === undefined ? filter : { ...filter, _id: range };
}

async function nameAt(
  context: Context,
  filter: Filter<HostDoc>,
  offset: number,
): Promise<{ readonly $gte: string } | null> {
  const options = { projection: { _id: 1 }, sort: { _id: 1 }, skip: offset } as const;
  const doc = await context.database.hosts.findOne(filter, options);
  return doc === null ? null : { $gte: doc._id };
}

/** Number of hosts that the server examines in one step: few at first, because callers often want no more than a page. */
const FIRST_SEARCHED = 250;
const MOST_SEARCHED = 2_000;

/** Yields a step for each range of names: the server examines texts, and the range shows how far it got. */
export async function* searchHosts(
  context: Context,
  { filter, holding, after: start }: HostSearch,
): AsyncGenerator<HostSearchStep> {
  const matching = filterOf(filter);
  let after = start === undefined ? undefined : wellFormed(start);
  for (let limit = FIRST_SEARCHED; ; limit = Math.min(2 * limit, MOST_SEARCHED)) {
    const range = after === undefined ? undefined : { $gt: after };
    const names = await namesBehind(context, matching, after, limit);
    const last = names.at(-1);
    if (last === undefined) return;
    const held = holding.map((texts) => ({ $or: texts.flatMap(heldBy) }));
    const docs = new DocumentReader<HostDoc>((read) => {
      const place = read === undefined ? range : { $gt: read._id };
      const within = { ...matching, _id: { ...place, $lte: last }, ...(held.length === 0 ? {} : { $and: held }) };
      return context.database.hosts.find(within, { projection: RECORD, sort: { _id: 1 } });
    });
    const hosts: HostRecord[] = [];
    let looked = 0;
    let characters = 0;
    for await (const batch of docs.batches(AN_ANSWER)) {
      for (const doc of batch) {
        const host = toHostRecord(doc);
        hosts.push(host);
        characters += charactersOf([host]);
        if (characters < PAGE_CHARACTERS) continue;
        const place = names.indexOf(host.hostname) + 1;
        yield { hosts: hosts.splice(0), looked: place - looked, last: host.hostname };
        looked = place;
        characters = 0;
      }
    }
    yield { hosts, looked: names.length - looked, last };
    after = last;
  }
}

async function namesBehind(
  { database }: Context,
  matching: Filter<HostDoc>,
  after: string | undefined,
  limit: number,
): Promise<readonly string[]> {
  const names: string[] = [];
  const docs = new DocumentReader<HostDoc>((last) => {
    const name = last?._id ?? after;
    const place = name === undefined ? undefined : { $gt: name };
    const options = { projection: { _id: 1 }, sort: { _id: 1 }, limit: limit - names.length } as const;
    return database.hosts.find(behind(matching, place), options);
  });
  for await (const batch of docs.batches(AN_ANSWER)) for (const { _id } of batch) names.push(_id);
  return names;
}

function heldBy(text: string): Filter<HostDoc>[] {
  // Only signs of ASCII mean something in a pattern; half of a character that takes two must not be escaped.
  const pattern = { $regex: text.replaceAll(/[!-/:-@[-^`{-~]/g, '\\$&'), $options: 'i' };
  return [{ _id: pattern }, { labels: pattern }, { inventory: pattern }];
}

export async function* scanHosts(
  context: Context,
  filter: HostFilter,
  batchSize: number,
  after: string | undefined,
): AsyncIterable<readonly HostRecord[]> {
  const matching = filterOf(filter);
  const start = after === undefined ? undefined : wellFormed(after);
  const options: FindOptions = { projection: RECORD, sort: { _id: 1 } };
  const docs = new DocumentReader<HostDoc>((last) => {
    const name = last?._id ?? start;
    const range = name === undefined ? undefined : { $gt: name };
    return context.database.hosts.find(behind(matching, range), options);
  });
  for await (const batch of docs.batches(batchSize))
    yield* sizedBatches(batch.map(toHostRecord), (record) => charactersOf([record]));
}
