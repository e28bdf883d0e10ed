import type { Filter } from 'mongodb';
import type { HostMark, KeyedHost, MarkedBy, MarkStore } from '../../../ports/index.ts';
import { compareUtf8, wellFormed } from '../shared/utf8-order.ts';
import { batchesOf, readByKeys } from './batches.ts';
import { deleteMatching } from './deletions.ts';
import { DocumentReader } from './document-reader.ts';
import type { MarkDoc } from './documents.ts';
import type { Session } from './session.ts';

const MARKS_A_WRITE = 1_000;

/** Records what accounts did to hosts, one document per mark. */
export function mongodbMarks(session: Session): MarkStore {
  return {
    put: ({ hostnames, at, accountId, kind, value }) =>
      putMarks(
        session,
        hostnames.map((hostname) => ({ hostname: wellFormed(hostname), kind, value, accountId })),
        at,
      ),

    putKeys: ({ accountId, keys, at }) => putMarks(session, marksOf(accountId, keys), at),

    holders: (values) =>
      session.run(async ({ database }) => {
        const docs = await readByKeys([...new Set(values.map(wellFormed))], (some) =>
          database.accountMarks.find({ kind: 'key', value: { $in: some } }).toArray(),
        );
        return docs.map(toMark).sort((left, right) => compareValues(left, right) || byAccount(left, right));
      }),

    unrenewedKeys: ({ accountId, since, batchSize }) =>
      session.stream(async function* ({ database }) {
        const docs = new DocumentReader<MarkDoc>((last) => {
          const old = { accountId, kind: 'key', at: { $lt: since } } as const;
          const behind: Filter<MarkDoc> =
            last === undefined
              ? {}
              : { $or: [{ value: { $gt: last.value } }, { value: last.value, hostname: { $gt: last.hostname } }] };
          return database.accountMarks.find({ ...old, ...behind }, { sort: { value: 1, hostname: 1 } });
        });
        for await (const page of docs.batches(batchSize)) {
          yield page.map(({ hostname, value }) => ({ hostname, value }));
        }
      }),

    removeKeys: ({ accountId, keys, since }) => removeMarks(session, marksOf(accountId, keys), since),

    count: (mark) => session.run(({ database }) => database.accountMarks.countDocuments(filterOf(mark))),

    values: ({ accountId, kind }) =>
      session.run(async ({ database }) => {
        const values = await database.accountMarks.distinct('value', { accountId, kind });
        return values.sort(compareUtf8);
      }),

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
          .map(toMark)
          .sort(
            (left, right) =>
              compareUtf8(left.hostname, right.hostname) ||
              compareUtf8(left.kind, right.kind) ||
              compareUtf8(left.value, right.value) ||
              byAccount(left, right),
          );
      }),

    remove: ({ hostnames, since, accountId, kind, value }) =>
      removeMarks(
        session,
        hostnames.map((hostname) => ({ hostname: wellFormed(hostname), kind, value, accountId })),
        since,
      ),

    clear: (accountId) => session.run(({ database }) => deleteMatching(database.accountMarks, { accountId })),
  };
}

type Mark = Omit<HostMark, 'at'>;

function putMarks(session: Session, marks: readonly Mark[], at: Date): Promise<void> {
  return session.run(async ({ database }) => {
    for (const batch of batchesOf(marks, MARKS_A_WRITE)) {
      const writes = batch.map((filter) => ({ updateOne: { filter, update: { $max: { at } }, upsert: true } }));
      await database.accountMarks.bulkWrite(writes, { ordered: false });
    }
  });
}

function removeMarks(session: Session, marks: readonly Mark[], since: Date): Promise<void> {
  return session.run(async ({ database }) => {
    for (const batch of batchesOf(marks, MARKS_A_WRITE)) {
      const deletes = batch.map((mark) => ({ deleteOne: { filter: { ...mark, at: { $lt: since } } } }));
      await database.accountMarks.bulkWrite(deletes, { ordered: false });
    }
  });
}

function marksOf(accountId: string, keys: readonly KeyedHost[]): readonly Mark[] {
  return keys.map(({ hostname, value }) => {
    return { hostname: wellFormed(hostname), kind: 'key', value: wellFormed(value), accountId };
  });
}

function toMark({ hostname, kind, value, accountId, at }: MarkDoc): HostMark {
  return { hostname, kind, value, accountId, at };
}

function compareValues(left: Mark, right: Mark): number {
  return compareUtf8(left.value, right.value) || compareUtf8(left.hostname, right.hostname);
}

function byAccount(left: Mark, right: Mark): number {
  return compareUtf8(left.accountId, right.accountId);
}

function filterOf({ accountId, kind, value }: MarkedBy): MarkedBy {
  return { accountId, kind, value };
}
