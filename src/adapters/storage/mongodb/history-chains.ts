import type { Filter, FindOptions } from 'mongodb';
import { groupBy } from '../shared/group-by.ts';
import { readByKeys } from './batches.ts';
import { AN_ANSWER, DocumentReader } from './document-reader.ts';
import type { HistoryDoc, HostDoc } from './documents.ts';
import type { Database } from './schema.ts';

/** The fields that link the changes of a host into a chain. */
export type Link = Pick<HistoryDoc, '_id' | 'hostname' | 'seq' | 'prev'>;
export const LINK = { hostname: 1, seq: 1, prev: 1 } as const;

/** Keeps those of the changes of one host that happened, newest first. */
export function chainOf<Change extends Link>(
  changes: readonly Change[],
  newest: HostDoc['change'] | undefined,
): readonly Change[] {
  let next = newest?.id ?? null;
  const chain: Change[] = [];
  for (const change of changes) {
    if (next === null || !change._id.equals(next)) continue;
    chain.push(change);
    next = change.prev;
  }
  return chain;
}

/** The newest change of each host that has one. */
export async function newestChanges(
  { hosts }: Database,
  hostnames: readonly string[],
  options: FindOptions = {},
): Promise<ReadonlyMap<string, HostDoc['change']>> {
  const docs = await readByKeys(
    hostnames,
    (keys) => hosts.find({ _id: { $in: keys } }, { projection: { change: 1 }, ...options }).toArray(),
    options,
  );
  return new Map(docs.map((doc) => [doc._id, doc.change]));
}

/** Some may come twice where a cursor was lost. */
async function changesOf<Change extends Link>(
  { history }: Database,
  hostnames: readonly string[],
  options: FindOptions,
): Promise<Change[]> {
  const reader = new DocumentReader<Change>((last) => {
    const wanted = { hostname: { $in: [...hostnames] } };
    // The same number once more: changes of writers that lost have it too.
    const filter: Filter<HistoryDoc> =
      last === undefined
        ? wanted
        : {
            ...wanted,
            $or: [{ hostname: last.hostname, seq: { $lte: last.seq } }, { hostname: { $gt: last.hostname } }],
          };
    return history.find<Change>(filter, { ...options, sort: { hostname: 1, seq: -1 } });
  });
  const changes: Change[] = [];
  for await (const batch of reader.batches(AN_ANSWER)) for (const change of batch) changes.push(change);
  return changes;
}

/**
 * The changes of these hosts that happened, newest first. The hosts are read before their changes: each change is stored
 * before its host names it, so none of a chain is missing, however many are added meanwhile.
 */
export async function readChains<Change extends Link>(
  database: Database,
  hostnames: readonly string[],
  options: FindOptions = {},
): Promise<ReadonlyMap<string, readonly Change[]>> {
  const newest = await newestChanges(database, hostnames);
  const changes = await readByKeys(hostnames, (keys) => changesOf<Change>(database, keys, options), options);
  const byHost = groupBy(changes, (change) => change.hostname);
  return new Map([...byHost].map(([hostname, own]) => [hostname, chainOf(own, newest.get(hostname))]));
}
