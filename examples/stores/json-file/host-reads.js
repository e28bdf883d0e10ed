import { StoredJson } from 'muster/plugin-api';
import { accountHostsOf, compareLayers, isActive, scopeTest, sizedBatches, wellFormed } from 'muster/storage-api';

/** Hosts by name, as in transfers. */
export const HOSTS = 'hosts';
/** What accounts give hosts, by host and account. */
export const CONTRIBUTIONS = 'contributions';
/** How many records a step of a search looks at. */
const SEARCH_STEP = 500;

/** The methods of the port that only read. @param {import('./json-file.js').JsonFile} file */
export function hostReads(file) {
  const { table } = file;
  const rowAt = (hostname) => table(HOSTS).get(wellFormed(hostname));
  const rowsBehind = (after) => table(HOSTS).values(after === undefined ? {} : { after: wellFormed(after) });
  const rowsOf = (filter, after) => rowsBehind(after).filter(matching(filter));

  return {
    get: (hostname, scope) =>
      file.read(() => (isActive(rowAt(hostname), scopeTest(scope)) ? toRecord(rowAt(hostname)) : undefined)),
    find: (hostname) => file.read(() => toRecord(rowAt(hostname))),
    findEach: (hostnames) => file.read(() => hostnames.map(rowAt).map(toRecord)),
    visible: (hostnames, scope) =>
      file.read(() => {
        const reaches = scopeTest(scope);
        return new Set(hostnames.map(wellFormed).filter((hostname) => isActive(rowAt(hostname), reaches)));
      }),
    contributions: (hostname) =>
      file.read(() => {
        const layers = table(CONTRIBUTIONS).under(wellFormed(hostname)).sort(compareLayers);
        return layers.map(({ accountId, precedence, owner, labels, at }) => {
          return { accountId, precedence, owner, labels: StoredJson.ofText(labels), at: new Date(at) };
        });
      }),
    count: (filter) => file.read(() => rowsOf(filter).length),
    countByAccount: () =>
      file.read(() => {
        const counted = ({ accountId, archive, isObject }) => {
          return { account: accountId, isArchived: archive !== null, isObject, count: 1 };
        };
        return accountHostsOf(table(HOSTS).values().map(counted));
      }),
    counters: ({ scope, checkpoint }) =>
      file.read(() => {
        const rows = rowsOf({ scope, kind: 'all', state: 'active' });
        const hosts = rows.filter(({ isObject }) => !isObject);
        const old = hosts.filter(({ lastSeen, createdAt }) => (lastSeen ?? createdAt) < checkpoint.getTime());
        return { hosts: hosts.length, objects: rows.length - hosts.length, notSeenSince: old.length };
      }),
    page: ({ filter, offset, limit, after }) =>
      file.read(() => {
        const [page = []] = sizedBatches(rowsOf(filter, after).slice(offset, offset + limit), sizeOf);
        return page.map(toRecord);
      }),
    async *scan(filter, batchSize, after) {
      for (let last = after; ; ) {
        const rows = await file.read(() => rowsOf(filter, last).slice(0, batchSize));
        if (rows.length === 0) return;
        for (const batch of sizedBatches(rows, sizeOf)) yield batch.map(toRecord);
        last = rows.at(-1).hostname;
      }
    },
    async *search({ filter, holding, after }) {
      const wanted = holding.map((texts) => texts.map(lowered));
      for (let last = after; ; ) {
        const rows = await file.read(() => rowsBehind(last).slice(0, SEARCH_STEP));
        if (rows.length === 0) return;
        for (const batch of sizedBatches(rows, sizeOf)) {
          last = batch.at(-1).hostname;
          const found = batch.filter(matching(filter)).filter((row) => holds(row, wanted));
          yield { hosts: found.map(toRecord), looked: batch.length, last };
        }
      }
    },
  };
}

function matching({ scope, kind, state }) {
  const reaches = scopeTest(scope);
  return (row) =>
    (kind === 'all' || row.isObject === (kind === 'objects')) &&
    (state === 'any' || (row.archive === null) === (state === 'active')) &&
    reaches(row);
}

/** Whether a record may hold a text of each list. */
function holds({ hostname, labels, inventory }, wanted) {
  const text = lowered([hostname, asWritten(labels), asWritten(inventory)].join('\n'));
  return wanted.every((texts) => texts.some((one) => text.includes(one)));
}

/** The same JSON without escapes of characters that need none. */
function asWritten(json) {
  return json.includes('\\') ? JSON.stringify(JSON.parse(json)) : json;
}

/** Other letters than those of ASCII count as they are. */
function lowered(text) {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

const sizeOf = ({ labels, inventory }) => labels.length + inventory.length;

function toRecord(row) {
  if (row === undefined) return undefined;
  const { createdBy, runId, lastSeen, lastUpdate, archive, ...members } = row;
  return {
    ...members,
    labels: StoredJson.ofText(row.labels),
    inventory: StoredJson.ofText(row.inventory),
    members: StoredJson.ofText(row.members),
    createdAt: new Date(row.createdAt),
    lastSeen: lastSeen === null ? null : new Date(lastSeen),
    lastUpdate: lastUpdate === null ? null : new Date(lastUpdate),
    archive: archive === null ? null : { by: archive.by, at: new Date(archive.at) },
  };
}
