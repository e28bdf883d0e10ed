import type { Filter } from 'mongodb';
import type { OwnershipStore } from '../../../ports/index.ts';
import { storedObject, toOwnedObject } from '../shared/owned-objects.ts';
import { batchesOf } from './batches.ts';
import { deleteMatching } from './deletions.ts';
import { DocumentReader } from './document-reader.ts';
import type { OwnershipDoc } from './documents.ts';
import type { Session } from './session.ts';
import { documentOf, itemOfDocument } from './transfer-documents.ts';
import { behind } from './transfer-reading.ts';

const OBJECTS_A_WRITE = 1_000;

/** Objects of remote systems that are ours, a document each. */
export function mongodbOwnership(session: Session): OwnershipStore {
  return {
    save: (accountId, objects) =>
      session.run(async ({ database }) => {
        for (const batch of batchesOf(objects, OBJECTS_A_WRITE)) {
          const writes = batch.map((object) => {
            const replacement = documentOf('ownership', storedObject(accountId, object)) as OwnershipDoc;
            const filter = { accountId, kind: object.kind, key: object.key };
            return { replaceOne: { filter, replacement, upsert: true } };
          });
          await database.ownership.bulkWrite(writes, { ordered: false });
        }
      }),

    remove: (accountId, keys) =>
      session.run(async ({ database }) => {
        for (const batch of batchesOf(keys, OBJECTS_A_WRITE)) {
          const deletes = batch.map(({ kind, key }) => ({ deleteOne: { filter: { accountId, kind, key } } }));
          await database.ownership.bulkWrite(deletes, { ordered: false });
        }
      }),

    scan: (accountId, batchSize) =>
      session.stream(async function* ({ database }) {
        const docs = new DocumentReader<OwnershipDoc>((last) => {
          const place: Filter<OwnershipDoc> = last === undefined ? {} : behind({ kind: last.kind, key: last.key });
          return database.ownership.find({ accountId, ...place }, { sort: { kind: 1, key: 1 } });
        });
        for await (const page of docs.batches(batchSize)) {
          yield page.map((doc) => toOwnedObject(itemOfDocument('ownership', doc)));
        }
      }),

    count: (accountId) => session.run(({ database }) => database.ownership.countDocuments({ accountId })),

    clear: (accountId) => session.run(({ database }) => deleteMatching(database.ownership, { accountId })),
  };
}
