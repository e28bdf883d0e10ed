import type { ClientSession, Document, Filter, FindOptions, Sort } from 'mongodb';
import type { TransferPart, TransferRecord } from '../../../ports/index.ts';
import { keyParts } from '../shared/transfer-key.ts';
import type { NextPage } from '../shared/transfer-pages.ts';
import {
  auditRecord,
  contributionRecord,
  hostRecord,
  logRecord,
  relationRecord,
  ruleRecord,
  tokenUseRecord,
} from '../shared/transfer-records.ts';
import { compareUtf8 } from '../shared/utf8-order.ts';
import { type HostDoc, type RuleDoc, ruleKey } from './documents.ts';
import type { Database } from './schema.ts';
import { readChanges, readVersions } from './transfer-series.ts';

/** Where to read, and as of when. */
export interface Reading {
  readonly database: Database;
  /** Present for reads of one moment. */
  readonly session?: ClientSession;
}

/** Options of every read of a transfer. */
export function readOptions({ session }: Reading): Pick<FindOptions, 'session' | 'readConcern'> {
  // Said with each read: the client's own read concern would otherwise win over the session's.
  return session === undefined ? {} : { session, readConcern: { level: 'snapshot' } };
}

/** Reads a part in order of its keys, from behind `after` on. */
export function readPart(reading: Reading, part: TransferPart, after: string | undefined): NextPage {
  return READERS[part](reading, after ?? '');
}

const READERS: Readonly<Record<TransferPart, (reading: Reading, after: string) => NextPage>> = {
  rules: readRules,
  rule_versions: readVersions,
  hosts: (reading, after) =>
    byId(reading, after, (filter, options) => reading.database.hosts.find(filter, options).toArray(), toHost),
  contributions: readContributions,
  relations: readRelations,
  host_changes: readChanges,
  logs: (reading, after) =>
    byId(
      reading,
      after,
      (filter, options) => reading.database.logs.find(filter, options).toArray(),
      ({ _id, ...entry }) => logRecord({ ...entry, id: _id, at: entry.at.getTime() }),
    ),
  audit: (reading, after) =>
    byId(
      reading,
      after,
      (filter, options) => reading.database.audit.find(filter, options).toArray(),
      ({ _id, ...entry }) => auditRecord({ ...entry, id: _id, at: entry.at.getTime() }),
    ),
  token_uses: (reading, after) =>
    byId(
      reading,
      after,
      (filter, options) => reading.database.tokenUses.find(filter, options).toArray(),
      ({ _id, at }) => tokenUseRecord({ tokenId: _id, at: at.getTime() }),
    ),
};

/** Pages of a collection whose `_id` is the key. */
function byId<Doc extends { readonly _id: string }>(
  reading: Reading,
  after: string,
  find: (filter: { readonly _id: { readonly $gt: string } }, options: FindOptions) => Promise<readonly Doc[]>,
  toRecord: (doc: Doc) => TransferRecord,
): NextPage {
  let last = after;
  return async (limit) => {
    const sort: Sort = { _id: 1 };
    const docs = await find({ _id: { $gt: last } }, { sort, limit, batchSize: limit, ...readOptions(reading) });
    last = docs.at(-1)?._id ?? last;
    return { records: docs.map(toRecord), done: docs.length < limit };
  };
}

function toHost(host: HostDoc): TransferRecord {
  const { archivedAt, archivedBy } = host;
  return hostRecord({
    hostname: host._id,
    accountId: host.account,
    isObject: host.isObject,
    objectType: host.objectType,
    labels: host.labels,
    inventory: host.inventory,
    members: host.members,
    folder: host.folder,
    createdAt: host.createdAt.getTime(),
    createdBy: host.createdBy,
    lastSeen: host.lastSeen?.getTime() ?? null,
    lastUpdate: host.lastUpdate?.getTime() ?? null,
    archive: archivedAt === null || archivedBy === null ? null : { at: archivedAt.getTime(), by: archivedBy },
    runId: host.run,
  });
}

/** One type after the other, because `_id` (`<type>/<id>`) would put a type whose name goes on with `-` before its prefix. */
function readRules(reading: Reading, after: string): NextPage {
  const { rules } = reading.database;
  const [afterType, afterId] = keyParts(after);
  let types: string[] | undefined;
  let last = afterId;
  return async (limit) => {
    types ??= (await rules.distinct('type', {}, readOptions(reading)))
      .filter((type) => compareUtf8(type, afterType) >= 0)
      .sort(compareUtf8);
    const [type] = types;
    if (type === undefined) return { records: [], done: true };
    const from = type === afterType ? last : last === afterId ? '' : last;
    const docs = await rules
      .find(
        { type, _id: { $gt: ruleKey(type, from) } },
        { sort: { _id: 1 }, limit, batchSize: limit, ...readOptions(reading) },
      )
      .toArray();
    last = docs.at(-1)?.id ?? last;
    if (docs.length < limit) {
      types.shift();
      last = '';
    }
    return { records: docs.map(toRule), done: types.length === 0 };
  };
}

function toRule({ type, id, name, uniqueValue, version, changedAt, document }: RuleDoc): TransferRecord {
  return ruleRecord({
    type,
    id,
    name,
    uniqueValue: uniqueValue ?? null,
    version,
    changedAt: changedAt.getTime(),
    document,
  });
}

function readContributions(reading: Reading, after: string): NextPage {
  const [afterHost, afterAccount] = keyParts(after);
  let last: string | undefined;
  return async (limit) => {
    const from: Filter<HostDoc> = { _id: last === undefined ? { $gte: afterHost } : { $gt: last } };
    const docs = await reading.database.hosts
      .find(
        { ...from, 'contributions.account': { $exists: true } },
        { projection: { contributions: 1 }, sort: { _id: 1 }, limit, batchSize: limit, ...readOptions(reading) },
      )
      .toArray();
    last = docs.at(-1)?._id ?? last;
    const records = docs.flatMap(({ _id, contributions = [] }) =>
      contributions
        .filter((item) => _id !== afterHost || compareUtf8(item.account, afterAccount) > 0)
        .sort((left, right) => compareUtf8(left.account, right.account))
        .map(({ account, at, run, ...item }) =>
          contributionRecord({ ...item, hostname: _id, accountId: account, at: at.getTime(), runId: run }),
        ),
    );
    return { records, done: docs.length < limit };
  };
}

function readRelations(reading: Reading, after: string): NextPage {
  let [hostname, type, target] = keyParts(after) as [string, string, string];
  return async (limit) => {
    const docs = await reading.database.relations
      .find(behind({ hostname, type, target }), {
        sort: { hostname: 1, type: 1, target: 1 },
        limit,
        batchSize: limit,
        ...readOptions(reading),
      })
      .toArray();
    const end = docs.at(-1);
    if (end !== undefined) ({ hostname, type, target } = end);
    return { records: docs.map(relationRecord), done: docs.length < limit };
  };
}

/** What comes behind this in the order of its members: the same up to one of them, and greater there. */
export function behind(last: Readonly<Record<string, string>>): Document {
  const names = Object.keys(last);
  return {
    $or: names.map((name, index) => ({
      ...Object.fromEntries(names.slice(0, index).map((same) => [same, last[same]])),
      [name]: { $gt: last[name] },
    })),
  };
}

/** How many contributions there are. */
export async function countContributions({ database }: Reading): Promise<number> {
  const [sum] = await database.hosts
    .aggregate<{ readonly count: number }>([
      { $match: { 'contributions.account': { $exists: true } } },
      { $project: { count: { $size: '$contributions' } } },
      { $group: { _id: null, count: { $sum: '$count' } } },
    ])
    .toArray();
  return sum?.count ?? 0;
}
