import type { HostCountStore } from '../../../ports/index.ts';
import { isDuplicateKey } from './errors.ts';
import type { Session } from './session.ts';

/** How many hosts there were, a document a day. */
export function mongodbHostCounts(session: Session): HostCountStore {
  return {
    keep: ({ day, at, accounts }) =>
      session.run(async ({ database }) => {
        const earlier = { _id: day, at: { $lte: at } };
        const replacement = { at, accounts: [...accounts] };
        try {
          await database.hostCounts.replaceOne(earlier, replacement, { upsert: true });
        } catch (error) {
          if (!isDuplicateKey(error)) throw error;
          // The day exists: it was counted later, or begun by another node at the same time.
          await database.hostCounts.replaceOne(earlier, replacement);
        }
      }),

    since: (day) =>
      session.run(async ({ database }) => {
        const docs = await database.hostCounts.find({ _id: { $gte: day } }, { sort: { _id: 1 } }).toArray();
        return docs.map(({ _id, at, accounts }) => ({ day: _id, at, accounts }));
      }),

    prune: (before) =>
      session.run(
        async ({ database }) => (await database.hostCounts.deleteMany({ _id: { $lt: before } })).deletedCount,
      ),
  };
}
