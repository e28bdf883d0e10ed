import { transferKey, wellFormed } from 'muster/storage-api';
import { sortedBy } from './table.js';

/** By hostname, kind, value, then account, as in transfers. */
const MARKS = 'account_marks';
const WANTED = ['accountId', 'kind', 'value'];

/** @param {import('./json-file.js').JsonFile} file @returns {import('muster/plugin-api').MarkStore} */
export function markStore(file) {
  const marks = () => file.table(MARKS).values();
  const find = (wanted) =>
    marks().filter((mark) => WANTED.every((name) => (wanted[name] ?? mark[name]) === mark[name]));
  const byValue = (found) => sortedBy(found, 'value');
  const marksOf = ({ accountId, kind, value, hostnames }) =>
    hostnames.map((hostname) => ({ accountId, kind, value, hostname: wellFormed(hostname) }));
  const keysOf = ({ accountId, keys }) =>
    keys.map(({ hostname, value }) => ({ accountId, kind: 'key', value, hostname: wellFormed(hostname) }));

  /** What was not renewed since a time, in batches. */
  async function* unrenewed(found, { since, batchSize }) {
    const old = await file.read(() => found().filter(({ at }) => at < since.getTime()));
    for (let start = 0; start < old.length; start += batchSize) yield old.slice(start, start + batchSize);
  }
  /** Gives each mark another time by the one that it has; `undefined` removes it. */
  const change = (given, timeOf) =>
    file.change((writing) => {
      for (const mark of given) {
        const at = timeOf(file.table(MARKS).get(keyOf(mark))?.at);
        writing.put(MARKS, keyOf(mark), at === undefined ? undefined : { ...mark, at });
      }
    });
  const put = (given, at) => change(given, (before = 0) => Math.max(before, at.getTime()));
  const remove = (given, since) => change(given, (before) => (before < since.getTime() ? undefined : before));

  return {
    put: (request) => put(marksOf(request), request.at),
    putKeys: (request) => put(keysOf(request), request.at),
    remove: (request) => remove(marksOf(request), request.since),
    removeKeys: (request) => remove(keysOf(request), request.since),
    count: (mark) => file.read(() => find(mark).length),
    values: (mark) => file.read(() => [...new Set(byValue(find(mark)).map(({ value }) => value))]),
    of: (hostnames) =>
      file.read(() => {
        const wanted = new Set(hostnames.map(wellFormed));
        return marks()
          .filter(({ hostname }) => wanted.has(hostname))
          .map(dated);
      }),
    holders: (values) =>
      file.read(() => {
        const wanted = new Set(values);
        return byValue(marks().filter(({ kind, value }) => kind === 'key' && wanted.has(value))).map(dated);
      }),
    async *unrenewed(request) {
      for await (const batch of unrenewed(() => find(request), request)) yield batch.map(({ hostname }) => hostname);
    },
    async *unrenewedKeys(request) {
      const keys = { accountId: request.accountId, kind: 'key' };
      for await (const batch of unrenewed(() => byValue(find(keys)), request)) {
        yield batch.map(({ hostname, value }) => ({ hostname, value }));
      }
    },
    clear: (accountId) =>
      file.change((writing) => find({ accountId }).map((mark) => writing.put(MARKS, keyOf(mark), undefined)).length),
  };
}

/** Removes the marks of a host, or moves them to another name. */
export function moveMarks(writing, from, to) {
  for (const mark of writing.table(MARKS).under(from)) {
    writing.put(MARKS, keyOf(mark), undefined);
    if (to !== undefined) writing.put(MARKS, keyOf({ ...mark, hostname: to }), { ...mark, hostname: to });
  }
}

const keyOf = ({ hostname, kind, value, accountId }) => transferKey(hostname, kind, value, accountId);
const dated = (mark) => ({ ...mark, at: new Date(mark.at) });
