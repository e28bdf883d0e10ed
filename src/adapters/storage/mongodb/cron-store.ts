import type { CronClaim, CronState, CronStore } from '../../../ports/index.ts';
import type { CronStateDoc } from './documents.ts';
import { isDuplicateKey } from './errors.ts';
import { SERVER_NOW } from './leases.ts';
import type { Context, Session } from './session.ts';

/**
 * Records which process runs which cron group, one document per group. Each call is one write of one document, decided by the
 * content of the document, and only the server's clock determines whether a lease lasts: clocks of nodes differ.
 */
export function mongodbCron(session: Session): CronStore {
  return {
    states: () => session.run(readStates),
    claim: (claim) => session.run((context) => takeGroup(context, claim)),

    keep: ({ groupId, holder, leaseMs }) =>
      session.run(async ({ database }) => {
        const kept = await database.cronStates.updateOne({ _id: groupId, holder }, [
          { $set: { leaseUntil: leaseOf(leaseMs) } },
        ]);
        return kept.matchedCount === 1;
      }),

    finish: ({ groupId, holder, at, message, hasError }) =>
      session.run(async ({ database }) => {
        const end = { lastEnd: at, message, hasError, holder: null, attempts: 0, leaseUntil: 0 };
        return (await database.cronStates.updateOne({ _id: groupId, holder }, { $set: end })).matchedCount === 1;
      }),

    release: ({ groupId, holder, uncounted }) =>
      session.run(async ({ database }) => {
        const held = { _id: groupId, holder, $expr: { $gt: ['$leaseUntil', SERVER_NOW] } };
        const update = { $set: { leaseUntil: 0 }, $inc: { attempts: uncounted ? -1 : 0 } };
        return (await database.cronStates.updateOne(held, update)).matchedCount === 1;
      }),

    retain: (groupIds) =>
      session.run(async ({ database }) => {
        const others = { _id: { $nin: [...groupIds] }, $expr: FREE };
        return (await database.cronStates.deleteMany(others)).deletedCount;
      }),
  };
}

const FREE = { $lte: ['$leaseUntil', SERVER_NOW] };

function leaseOf(milliseconds: number): object {
  return { $add: [SERVER_NOW, milliseconds] };
}

async function readStates({ database }: Context): Promise<readonly CronState[]> {
  const docs = database.cronStates.aggregate<CronStateDoc & { readonly isFree: boolean }>([
    { $sort: { _id: 1 } },
    { $addFields: { isFree: FREE } },
  ]);
  return (await docs.toArray()).map(({ _id: groupId, leaseUntil, isFree, ...state }) => ({
    ...state,
    groupId,
    isHeld: !isFree,
  }));
}

async function takeGroup({ database }: Context, claim: CronClaim): Promise<boolean> {
  const { groupId, holder, at, leaseMs, seenStart, requested } = claim;
  const taken = {
    lastStart: at,
    lastEnd: null,
    message: { $ifNull: ['$message', ''] },
    hasError: { $ifNull: ['$hasError', false] },
    requested,
    attempts: { $add: [{ $ifNull: ['$attempts', 0] }, 1] },
    // A text that begins with a dollar would be read as the name of a field.
    holder: { $literal: holder },
    leaseUntil: leaseOf(leaseMs),
  };
  if (seenStart !== null) {
    const seen = { _id: groupId, lastStart: seenStart, $expr: FREE };
    return (await database.cronStates.updateOne(seen, [{ $set: taken }])).matchedCount === 1;
  }
  try {
    // Whatever is there is not matched, and then its key is in the way.
    const unseen = { _id: groupId, lastStart: { $exists: false } };
    await database.cronStates.updateOne(unseen, [{ $set: taken }], { upsert: true });
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}
