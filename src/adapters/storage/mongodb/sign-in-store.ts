import type { SignInStore } from '../../../ports/index.ts';
import { isDuplicateKey } from './errors.ts';
import type { Session } from './session.ts';

/** When other systems last vouched for users, in MongoDB, a document each. */
export function mongodbSignIns(session: Session): SignInStore {
  return {
    vouch: (userId, at) =>
      session.run(async ({ database }) => {
        const note = async () => {
          await database.signIns.updateOne({ _id: userId }, { $max: { at } }, { upsert: true });
        };
        // Another node may insert the same at the same moment: then it is there to be updated.
        await note().catch((error: unknown) => {
          if (isDuplicateKey(error)) return note();
          throw error;
        });
      }),
    vouchedAt: (userId) => session.run(async ({ database }) => (await database.signIns.findOne({ _id: userId }))?.at),
    withdraw: (userId) =>
      session.run(async ({ database }) => (await database.signIns.deleteOne({ _id: userId })).deletedCount === 1),
  };
}
