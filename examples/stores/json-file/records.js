import { compareUtf8, wellFormed } from 'muster/storage-api';
import { sortedBy } from './table.js';

/** Records of a kind are a table: by key its value, version and sort keys. */
export const RECORDS = 'records/';

/** @param {import('./json-file.js').JsonFile} file @param {import('muster/plugin-api').Clock} clock @returns {import('muster/plugin-api').RecordStore} */
export function recordStore(file, clock) {
  const records = recordsOf(file.table, clock);
  return {
    get: (kind, keys) => file.read(() => records.get(kind, keys)),
    list: (query) => file.read(() => records.list(query)),
    count: (query) => file.read(() => records.count(query)),
    write: (changes) => file.change((writing) => writeRecords(writing, changes)),
  };
}

/** The records of these tables, read without waiting for the disk. @returns {import('muster/plugin-api').RecordStore} */
export function recordsOf(table, clock) {
  const recordsAt = (kind, keys) =>
    keys.flatMap((key) => {
      const row = table(RECORDS + kind).get(key);
      return row === undefined ? [] : [{ key, value: row.value, version: row.version }];
    });
  return {
    async get(kind, keys) {
      const records = recordsAt(kind, keys.map(wellFormed));
      return { now: clock.now().getTime(), records: new Map(records.map((record) => [record.key, record])) };
    },
    async list({ limit, descending, ...query }) {
      const keys = keysOf(table, query);
      if (descending) keys.reverse();
      return { now: clock.now().getTime(), records: recordsAt(query.kind, keys.slice(0, limit)) };
    },
    count: async (query) => keysOf(table, query).length,
    write: () => Promise.reject(new Error('these records are only read')),
  };
}

/** Carries out changes, or answers `null` and changes nothing. */
export function writeRecords(writing, changes) {
  const { table } = writing;
  for (const { kind, key, expect } of changes) {
    if (expect !== undefined && (table(RECORDS + kind).get(wellFormed(key))?.version ?? null) !== expect) return null;
  }
  let removed = 0;
  for (const { remove, except = [], kind, key, value, sorts = [] } of changes) {
    if (remove !== undefined) {
      const stay = new Set(except.map(wellFormed));
      const keys = keysOf(table, remove).filter((one) => !stay.has(one));
      for (const one of keys) writing.put(RECORDS + remove.kind, one, undefined);
      removed += keys.length;
    } else {
      const sortKeys = sorts.map((sort) => (sort === null ? null : wellFormed(sort)));
      const row = value === null ? undefined : { value, version: writing.next('record'), sorts: sortKeys };
      writing.put(RECORDS + kind, wellFormed(key), row);
    }
  }
  return removed;
}

/** The keys of the records that a query means, in its order. */
function keysOf(table, { kind, by, from, after, before }) {
  const rows = table(RECORDS + kind);
  if (by === undefined) return rows.keys({ from, after, before });
  const found = rows
    .keys()
    .map((key) => ({ key, sort: rows.get(key).sorts[by] ?? null }))
    .filter(({ sort }) => sort !== null && compareUtf8(sort, from ?? '') >= 0)
    .filter(({ sort }) => after === undefined || compareUtf8(sort, after) > 0)
    .filter(({ sort }) => before === undefined || compareUtf8(sort, before) < 0);
  return sortedBy(found, 'sort').map(({ key }) => key);
}
