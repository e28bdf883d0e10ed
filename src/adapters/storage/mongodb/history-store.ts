import { type HistoryStore, type HostChange, PAGE_CHARACTERS } from '../../../ports/index.ts';
import { wellFormed } from '../shared/utf8-order.ts';
import type { HistoryDoc, HostDoc } from './documents.ts';
import type { Context, Session } from './session.ts';
import { toHostChange } from './stored-records.ts';

/** What happened to hosts, in MongoDB. */
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
        const created: HostChange = {
          hostname: host._id,
          at: host.createdAt,
          actor: host.createdBy,
          kind: 'created',
          changes: [],
        };
        return [...changes, created].slice(0, limit);
      }),

    prune: (before) =>
      session.run(async ({ database }) => {
        const result = await database.history.deleteMany({ at: { $lt: before } });
        return result.deletedCount;
      }),
  };
}

/**
 * The changes that happened, newest first. Others of the host were written by somebody who then lost a race or died. `isCut`
 * where there are more than their size allows.
 */
async function chainOf(
  { database }: Context,
  host: Pick<HostDoc, '_id' | 'change'>,
  limit: number,
): Promise<{ readonly chain: readonly HistoryDoc[]; readonly isCut: boolean }> {
  const chain: HistoryDoc[] = [];
  let next = host.change?.id ?? null;
  if (host.change === null || next === null) return { chain, isCut: false };
  const cursor = database.history.find(
    { hostname: host._id, seq: { $lte: host.change.seq } },
    { sort: { seq: -1 }, batchSize: limit + 10 },
  );
  let characters = 0;
  try {
    for await (const doc of cursor) {
      if (next === null || !doc._id.equals(next)) continue;
      if (characters >= PAGE_CHARACTERS) return { chain, isCut: true };
      chain.push(doc);
      characters += doc.changes.length;
      next = doc.prev;
      if (chain.length >= limit) break;
    }
  } finally {
    await cursor.close();
  }
  return { chain, isCut: false };
}
