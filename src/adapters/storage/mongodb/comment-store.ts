import { ObjectId } from 'mongodb';
import type { CommentStore } from '../../../ports/index.ts';
import { wellFormed } from '../shared/utf8-order.ts';
import { isDuplicateKey } from './errors.ts';
import type { Session } from './session.ts';

export function mongodbComments(session: Session): CommentStore {
  return {
    add: ({ hostname, id, at, author, text }) =>
      session.run(async ({ database }) => {
        const comment = { _id: new ObjectId(), hostname: wellFormed(hostname), id, at, author, text };
        await database.hostComments.insertOne(comment).catch((error: unknown) => {
          // It was stored before the answer was lost.
          if (!isDuplicateKey(error)) throw error;
        });
      }),

    list: ({ hostname, limit, before }) =>
      session.run(async ({ database }) => {
        if (limit < 1) return [];
        const filter = { hostname: wellFormed(hostname), ...(before !== undefined && { id: { $lt: before } }) };
        const docs = await database.hostComments.find(filter, { sort: { id: -1 }, limit }).toArray();
        return docs.map(({ _id, ...comment }) => comment);
      }),

    count: (hostname) =>
      session.run(({ database }) => database.hostComments.countDocuments({ hostname: wellFormed(hostname) })),

    remove: ({ hostname, id }) =>
      session.run(async ({ database }) => {
        const { deletedCount } = await database.hostComments.deleteOne({ hostname: wellFormed(hostname), id });
        return deletedCount > 0;
      }),
  };
}
