import type { Collection, Filter } from 'mongodb';
import type { AccessStore, LogPlace, LogStore } from '../../../ports/index.ts';
import { TRANSFER_TABLE } from '../shared/transfer-table.ts';
import { batchesOf, readByKeys } from './batches.ts';
import { deleteMatching } from './deletions.ts';
import type { LogDoc } from './documents.ts';
import { duplicateKeys, isDuplicateKey } from './errors.ts';
import type { Session } from './session.ts';
import { toLogEntry, toLogHead } from './stored-records.ts';

export const NEWEST_FIRST = { at: -1, _id: -1 } as const;

/** The operators' log in MongoDB. */
export function mongodbLogs(session: Session): LogStore {
  return {
    append: (entry) =>
      session.run(async ({ database }) => {
        const { id: _id, at, message, wording, source, hasError } = entry;
        // The fields that copies between stores have, too: none is kept here and lost there, or the other way round.
        const details = TRANSFER_TABLE.logs.fields.details.write(entry.details) as unknown as LogDoc['details'];
        const worded = wording === undefined ? {} : { wording };
        await database.logs.insertOne({ _id, at, message, ...worded, source, details, hasError });
      }),

    latest: ({ limit, source, before }) =>
      session.run(async ({ database }) => {
        if (limit <= 0) return [];
        const filter = { ...(source === undefined ? {} : { source }), ...beforePlace(before) };
        const docs = await database.logs.find(filter, { sort: NEWEST_FIRST, limit, batchSize: limit }).toArray();
        return docs.map(toLogEntry);
      }),

    newestBySource: () =>
      session.run(async ({ database }) => {
        // In the order of an index, so that the server jumps from source to source.
        const groups = await database.logs
          .aggregate<{ newest: LogDoc }>([
            { $sort: { source: 1, ...NEWEST_FIRST } },
            { $group: { _id: '$source', newest: { $first: '$$ROOT' } } },
            { $project: { 'newest.details': 0 } },
            { $sort: { _id: 1 } },
          ])
          .toArray();
        return groups.map(({ newest }) => toLogHead(newest));
      }),

    prune: (before) =>
      session.run(async ({ database }) => {
        const sources = await database.logs.distinct('source', { at: { $lt: before } });
        let count = 0;
        for (const source of sources) count += await pruneSource(database.logs, source, before);
        return count;
      }),
  };
}

/** Matches entries before a place in the order of a log. */
export function beforePlace(place: LogPlace | undefined): Filter<{ _id: string; at: Date }> {
  if (place === undefined) return {};
  const { at, id } = place;
  // The first condition is what the index can be entered by.
  return { at: { $lte: at }, $or: [{ at: { $lt: at } }, { _id: { $lt: id } }] };
}

async function pruneSource(logs: Collection<LogDoc>, source: string, before: Date): Promise<number> {
  const newest = await logs.findOne({ source }, { sort: NEWEST_FIRST, projection: { _id: 1 } });
  const filter: Filter<LogDoc> = { source, at: { $lt: before } };
  return deleteMatching(logs, newest === null ? filter : { ...filter, _id: { $ne: newest._id } });
}

/** Facts about credentials in MongoDB. */
export function mongodbAccess(session: Session): AccessStore {
  return {
    recordTokenUse: (uses) =>
      session.run(async ({ database }) => {
        for (const batch of batchesOf(uses, 1_000)) {
          const record = async () => {
            await database.tokenUses.bulkWrite(
              batch.map(({ tokenId, at }) => ({
                updateOne: { filter: { _id: tokenId }, update: { $max: { at } }, upsert: true },
              })),
              { ordered: false },
            );
          };
          try {
            await record();
          } catch (error) {
            // Another node inserted the same token at the same moment: now it is there to be updated.
            if (duplicateKeys(error) === undefined && !isDuplicateKey(error)) throw error;
            await record();
          }
        }
      }),

    tokenUses: (tokenIds) =>
      session.run(async ({ database }) => {
        const docs = await readByKeys([...new Set(tokenIds)], (keys) =>
          database.tokenUses.find({ _id: { $in: keys } }).toArray(),
        );
        return new Map(docs.map((doc) => [doc._id, doc.at]));
      }),

    useOnce: ({ key, now, until }) =>
      session.run(async ({ database }) => {
        try {
          // Takes the place of one that ran out; one that lasts is not matched, and then its key is in the way.
          await database.usedOnce.updateOne({ _id: key, until: { $lt: now } }, { $set: { until } }, { upsert: true });
          return true;
        } catch (error) {
          if (isDuplicateKey(error)) return false;
          throw error;
        }
      }),
  };
}
