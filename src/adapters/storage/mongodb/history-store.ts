import type { Filter } from 'mongodb';
import { type ChangePlace, HISTORY_CHARACTERS, type HistoryStore } from '../../../ports/index.ts';
import { keptChange } from '../shared/kept-change.ts';
import { wellFormed } from '../shared/utf8-order.ts';
import { deleteMatching } from './deletions.ts';
import { AN_ANSWER, DocumentReader } from './document-reader.ts';
import type { HistoryDoc, HostDoc } from './documents.ts';
import { pruneFeed } from './feed-rows.ts';
import { LINK, type Link, readChains } from './history-chains.ts';
import type { Context, Session } from './session.ts';
import { toHostChange } from './stored-records.ts';

/** Room for changes that did not happen. */
const MORE_AN_ANSWER = 10;

/** The history of changes to hosts in MongoDB. */
export function mongodbHistory(session: Session): HistoryStore {
  return {
    ofHost: (hostname, limit) =>
      session.run(async (context) => {
        const filter = { _id: wellFormed(hostname) };
        const projection = { change: 1, createdAt: 1, createdBy: 1 };
        const host = await context.database.hosts.findOne(filter, { projection });
        if (host === null || limit <= 0) return [];
        const { chain, isCut } = await chainOf(context, host, limit);
        const changes = chain.map(toHostChange).sort((left, right) => right.at.getTime() - left.at.getTime());
        if (isCut) return changes;
        // The creation is in the host itself: a bulk of new hosts would otherwise cost twice the writes.
        const created = keptChange(
          { hostname: host._id, at: host.createdAt, actor: host.createdBy, kind: 'created' },
          '[]',
        );
        return [...changes, created].slice(0, limit);
      }),

    latest: ({ limit, from, before }) =>
      session.run(async ({ database }) => {
        const since = from === undefined ? {} : { $gte: from };
        let place = before === undefined ? undefined : { ...before, hostname: wellFormed(before.hostname) };
        if (limit <= 0) return [];
        for (;;) {
          const docs = await nextDocs(database, { limit, since, before: place });
          const last = docs.at(-1);
          if (last === undefined) return [];
          // Other changes of a host come from writers that lost a race or died.
          const chains = await readChains<Link>(database, [...new Set(docs.map(({ hostname }) => hostname))], {
            projection: LINK,
          });
          const happened = new Set([...chains.values()].flat().map(({ _id }) => _id.toHexString()));
          const changes = docs.filter(({ _id }) => happened.has(_id.toHexString()));
          if (changes.length > 0) return changes.map(toHostChange);
          place = { at: last.at, hostname: last.hostname };
        }
      }),

    moves: (hostnames) =>
      session.run(async ({ database }) => {
        const projection = { ...LINK, kind: 1 };
        const chains = await readChains<Link & Pick<HistoryDoc, 'kind'>>(database, hostnames.map(wellFormed), {
          projection,
        });
        const moves = [...chains.values()].flat().filter(({ kind }) => kind === 'account');
        const filter = { _id: { $in: moves.map(({ _id }) => _id) } };
        const docs = moves.length === 0 ? [] : await database.history.find(filter).sort({ at: -1, seq: -1 }).toArray();
        return docs.map(toHostChange);
      }),

    prune: (before) =>
      session.run(async (context) => {
        await pruneFeed(context, before);
        return deleteMatching(context.database.history, { at: { $lt: before } });
      }),
  };
}

interface Next {
  readonly limit: number;
  readonly since: { readonly $gte?: Date };
  readonly before: ChangePlace | undefined;
}

/** Reads the stored changes after a place, with the remaining changes of the last host at that moment. */
async function nextDocs(
  { history }: Context['database'],
  { limit, since, before }: Next,
): Promise<readonly HistoryDoc[]> {
  const sort = { at: -1, hostname: 1, seq: -1 } as const;
  const docs: HistoryDoc[] = [];
  let characters = 0;
  const filters: Filter<HistoryDoc>[] =
    before === undefined
      ? [{ ...(since.$gte === undefined ? {} : { at: since }) }]
      : [{ at: before.at, hostname: { $gt: before.hostname } }, { at: { ...since, $lt: before.at } }];
  const known = new Set<string>();
  for (const filter of filters) {
    const reader = new DocumentReader<HistoryDoc>(
      (last) => history.find(last === undefined ? filter : { $and: [filter, notBefore(last)] }, { sort }),
      limit + MORE_AN_ANSWER,
    );
    for await (const batch of reader.batches(AN_ANSWER)) {
      for (const doc of batch) {
        const last = docs.at(-1);
        const isFull = docs.length >= limit || characters >= HISTORY_CHARACTERS;
        if (isFull && last !== undefined && !(last.hostname === doc.hostname && +last.at === +doc.at)) return docs;
        if (known.has(doc._id.toHexString())) continue;
        known.add(doc._id.toHexString());
        docs.push(doc);
        characters += doc.changes.length;
      }
    }
  }
  return docs;
}

/**
 * Matches the changes from this one on; it may be read again: changes of writers that lost have the same number as one that
 * happened.
 */
function notBefore({ at, hostname, seq }: HistoryDoc): Filter<HistoryDoc> {
  return { $or: [{ at, hostname, seq: { $lte: seq } }, { at, hostname: { $gt: hostname } }, { at: { $lt: at } }] };
}

/**
 * The changes that happened, newest first. Other changes of the host come from writers that lost a race or died. `isCut` if there
 * are more than their size allows.
 */
async function chainOf(
  { database }: Context,
  host: Pick<HostDoc, '_id' | 'change'>,
  limit: number,
): Promise<{ readonly chain: readonly HistoryDoc[]; readonly isCut: boolean }> {
  const chain: HistoryDoc[] = [];
  let next = host.change?.id ?? null;
  if (host.change === null || next === null) return { chain, isCut: false };
  const newest = host.change.seq;
  // One that comes again is passed by: the chain has gone on.
  const reader = new DocumentReader<HistoryDoc>(
    (last) => database.history.find({ hostname: host._id, seq: { $lte: last?.seq ?? newest } }, { sort: { seq: -1 } }),
    limit + MORE_AN_ANSWER,
  );
  let characters = 0;
  for await (const batch of reader.batches(AN_ANSWER)) {
    for (const doc of batch) {
      if (next === null || !doc._id.equals(next)) continue;
      if (characters >= HISTORY_CHARACTERS) return { chain, isCut: true };
      chain.push(doc);
      characters += doc.changes.length;
      next = doc.prev;
      if (chain.length >= limit) return { chain, isCut: false };
    }
  }
  return { chain, isCut: false };
}
