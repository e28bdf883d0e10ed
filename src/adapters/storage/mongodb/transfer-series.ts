import type { Filter } from 'mongodb';
import type { TransferRecord } from '../../../ports/index.ts';
import { groupBy } from '../shared/group-by.ts';
import { keyParts } from '../shared/transfer-key.ts';
import type { NextPage } from '../shared/transfer-pages.ts';
import { type HostChangeItem, hostChangeRecord, ruleVersionRecord } from '../shared/transfer-records.ts';
import { compareUtf8 } from '../shared/utf8-order.ts';
import { readByKeys } from './batches.ts';
import type { HistoryDoc, HostDoc, RuleVersionDoc } from './documents.ts';
import { behind, type Reading, readOptions } from './transfer-reads.ts';

/**
 * Versions of rules and changes of hosts. Their indexes give the newest of each rule or host first, and their places count
 * from the oldest, so whole series are read: pages end where a series does.
 */

/** Documents at once; a longer series is read on until it ends. */
const DOCS_A_READ = 500;

/** Versions in order of type and id, oldest first. */
export function readVersions(reading: Reading, after: string): NextPage {
  const { ruleVersions } = reading.database;
  const [afterType, afterId] = keyParts(after);
  let type = afterType;
  let id = afterId;
  let isFirst = true;

  async function series(): Promise<{ readonly docs: readonly RuleVersionDoc[]; readonly done: boolean }> {
    const filter: Filter<RuleVersionDoc> = isFirst
      ? { $or: [{ type, id }, ...(behind({ type, id }).$or as Filter<RuleVersionDoc>[])] }
      : behind({ type, id });
    isFirst = false;
    const sort = { type: 1, id: 1, _id: -1 } as const;
    const docs = await ruleVersions.find(filter, { sort, limit: DOCS_A_READ, ...readOptions(reading) }).toArray();
    const done = docs.length < DOCS_A_READ;
    const end = docs.at(-1);
    if (end === undefined || done) return { docs, done };
    ({ type, id } = end);
    const rest = await ruleVersions
      .find({ type, id, _id: { $lt: end._id } }, { sort: { _id: -1 }, ...readOptions(reading) })
      .toArray();
    return { docs: [...docs, ...rest], done };
  }

  return async () => {
    const { docs, done } = await series();
    const groups = groupBy(docs, (doc) => `${doc.type}/${doc.id}`);
    const records = [...groups.values()].flatMap((group) =>
      group.toReversed().map(({ _id, at, ...doc }, place) => ruleVersionRecord({ ...doc, at: at.getTime(), place })),
    );
    return { records: recordsBehind(records, after), done };
  };
}

/** Changes of hosts in order of hostname and time. Those that did not happen are left out; see `HistoryDoc`. */
export function readChanges(reading: Reading, after: string): NextPage {
  const { history } = reading.database;
  const [afterHost] = keyParts(after);
  let hostname = afterHost;
  let isFirst = true;

  async function series(): Promise<{ readonly docs: readonly HistoryDoc[]; readonly done: boolean }> {
    const filter = { hostname: isFirst ? { $gte: hostname } : { $gt: hostname } };
    isFirst = false;
    const sort = { hostname: 1, seq: -1 } as const;
    const docs = await history.find(filter, { sort, limit: DOCS_A_READ, ...readOptions(reading) }).toArray();
    const done = docs.length < DOCS_A_READ;
    const end = docs.at(-1);
    if (end === undefined || done) return { docs, done };
    hostname = end.hostname;
    // Two writers may have used one number, so those of the last number are read again.
    const rest = await history
      .find({ hostname, seq: { $lte: end.seq } }, { sort: { seq: -1 }, ...readOptions(reading) })
      .toArray();
    return { docs: [...docs.filter((doc) => doc.hostname !== hostname || doc.seq > end.seq), ...rest], done };
  }

  return async () => {
    const { docs, done } = await series();
    const groups = groupBy(docs, (doc) => doc.hostname);
    const newest = await newestChanges(reading, [...groups.keys()]);
    const records = [...groups].flatMap(([name, group]) =>
      changeItems(chainOf(group, newest.get(name))).map(hostChangeRecord),
    );
    return { records: recordsBehind(records, after), done };
  };
}

/** How many changes happened. */
export async function countChanges(reading: Reading): Promise<number> {
  const next = readChanges(reading, '');
  for (let count = 0; ; ) {
    const { records, done } = await next(DOCS_A_READ);
    count += records.length;
    if (done) return count;
  }
}

async function newestChanges(reading: Reading, hostnames: readonly string[]): Promise<Map<string, HostDoc['change']>> {
  const options = { projection: { change: 1 }, ...readOptions(reading) };
  const find = (keys: string[]) => reading.database.hosts.find({ _id: { $in: keys } }, options).toArray();
  const docs = await readByKeys(hostnames, find);
  return new Map(docs.map((doc) => [doc._id, doc.change]));
}

/** Of the changes of one host, newest first, those that happened. */
export function chainOf(docs: readonly HistoryDoc[], newest: HostDoc['change'] | undefined): readonly HistoryDoc[] {
  let next = newest?.id ?? null;
  const chain: HistoryDoc[] = [];
  for (const doc of docs) {
    if (next === null || !doc._id.equals(next)) continue;
    chain.push(doc);
    next = doc.prev;
  }
  return chain;
}

/** Changes of one host in order of time, from its chain. */
export function changeItems(chain: readonly HistoryDoc[]): readonly HostChangeItem[] {
  const inOrder = chain.toReversed().sort((left, right) => left.at.getTime() - right.at.getTime());
  let last = Number.NaN;
  let next = 0;
  return inOrder.map(({ hostname, at, actor, kind, changes }) => {
    next = at.getTime() === last ? next + 1 : 0;
    last = at.getTime();
    return { hostname, at: last, place: next, actor, kind, changes };
  });
}

function recordsBehind(records: readonly TransferRecord[], after: string): readonly TransferRecord[] {
  return after === '' ? records : records.filter((record) => compareUtf8(record.key, after) > 0);
}
