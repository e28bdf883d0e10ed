import type { Filter } from 'mongodb';
import type { MarkedBy, MarkStore } from '../../../ports/index.ts';
import { compareUtf8, wellFormed } from '../shared/utf8-order.ts';
import { batchesOf, readByKeys } from './batches.ts';
import { DocumentReader } from './document-reader.ts';
import type { MarkDoc } from './documents.ts';
import type { Session } from './session.ts';

const MARKS_A_WRITE = 1_000;

/** What accounts did to hosts, a document each mark. */
export function mongodbMarks(session: Session): MarkStore {
  return {
    put: ({ hostnames, at, ...mark }) =>
      session.run(async ({ database }) => {
        for (const batch of batchesOf(hostnames, MARKS_A_WRITE)) {
          const writes = batch.map((hostname) => {
            const filter = { hostname: wellFormed(hostname), ...filterOf(mark) };
            return { updateOne: { filter, update: { $max: { at } }, upsert: true } };
          });
          await database.accountMarks.bulkWrite(writes, { ordered: false });
        }
      }),

    count: (mark) => session.run(({ database }) => database.accountMarks.countDocuments(filterOf(mark))),

    unrenewed: ({ since, batchSize, ...mark }) =>
      session.stream(async function* ({ database }) {
        const docs = new DocumentReader<MarkDoc>((last) => {
          const behind: Filter<MarkDoc> = last === undefined ? {} : { hostname: { $gt: last.hostname } };
          const filter = { ...filterOf(mark), at: { $lt: since }, ...behind };
          return database.accountMarks.find(filter, { sort: { hostname: 1 } });
        });
        for await (const page of docs.batches(batchSize)) yield page.map(({ hostname }) => hostname);
      }),

    of: (hostnames) =>
      session.run(async ({ database }) => {
        const names = [...new Set(hostnames.map(wellFormed))];
        const docs = await readByKeys(names, (keys) =>
          database.accountMarks.find({ hostname: { $in: keys } }).toArray(),
        );
        return docs
          .map(({ hostname, kind, value, accountId, at }) => ({ hostname, kind, value, accountId, at }))
          .sort(
            (left, right) =>
              compareUtf8(left.hostname, right.hostname) ||
              compareUtf8(left.kind, right.kind) ||
              compareUtf8(left.value, right.value) ||
              compareUtf8(left.accountId, right.accountId),
          );
      }),

    remove: ({ hostnames, since, ...mark }) =>
      session.run(async ({ database }) => {
        for (const batch of batchesOf(hostnames, MARKS_A_WRITE)) {
          const deletes = batch.map((hostname) => {
            return { deleteOne: { filter: { hostname: wellFormed(hostname), ...filterOf(mark), at: { $lt: since } } } };
          });
          await database.accountMarks.bulkWrite(deletes, { ordered: false });
        }
      }),
  };
}

function filterOf({ accountId, kind, value }: MarkedBy): MarkedBy {
  return { accountId, kind, value };
}
