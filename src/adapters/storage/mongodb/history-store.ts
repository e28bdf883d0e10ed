import type { HistoryStore, HostChange } from '../../../ports/index.ts';
import { wellFormed } from '../shared/utf8-order.ts';
import { type HistoryDoc, type HostDoc, toHostChange } from './documents.ts';
import type { Context, Session } from './session.ts';

/** What happened to hosts, in MongoDB. */
export function mongodbHistory(session: Session): HistoryStore {
  return {
    ofHost: (hostname, limit) =>
      session.run(async (context) => {
        const filter = { _id: wellFormed(hostname) };
        const projection = { change: 1, createdAt: 1, createdBy: 1 };
        const host = await context.database.hosts.findOne(filter, { projection });
        if (host === null || limit <= 0) return [];
        const chain = await chainOf(context, host, limit);
        const changes = chain.map(toHostChange).sort((left, right) => right.at.getTime() - left.at.getTime());
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

/** The changes that happened, newest first. Others of the host were written by somebody who then lost a race or died. */
async function chainOf(
  { database }: Context,
  host: Pick<HostDoc, '_id' | 'change'>,
  limit: number,
): Promise<HistoryDoc[]> {
  const chain: HistoryDoc[] = [];
  let next = host.change?.id ?? null;
  if (host.change === null || next === null) return chain;
  const cursor = database.history.find(
    { hostname: host._id, seq: { $lte: host.change.seq } },
    { sort: { seq: -1 }, batchSize: limit + 10 },
  );
  try {
    for await (const doc of cursor) {
      if (next === null || !doc._id.equals(next)) continue;
      chain.push(doc);
      next = doc.prev;
      if (chain.length >= limit) break;
    }
  } finally {
    await cursor.close();
  }
  return chain;
}
