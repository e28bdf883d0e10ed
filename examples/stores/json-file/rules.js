import { StoredJson } from 'muster/plugin-api';
import {
  confirmationAfter,
  documentWithId,
  sizedBatches,
  sizeOfRule,
  stateOf,
  stronger,
  transferKey,
} from 'muster/storage-api';
import { sortedBy } from './table.js';

/** Documents by type and id, as in transfers. */
const RULES = 'rules';
/** Versions by type, id and a number that grows with every version of all documents. */
export const VERSIONS = 'rule_versions';
const UNIQUE = ['name', 'uniqueValue'];

/** @param {import('./json-file.js').JsonFile} file @returns {import('muster/plugin-api').RuleStore} */
export function ruleStore(file) {
  const { table } = file;
  const rulesOf = (type) => table(RULES).under(type);
  const ruleAt = (type, id) => table(RULES).get(transferKey(type, id));
  const listed = (type) => sortedBy(rulesOf(type), 'name', 'id').map(toRecord);
  const newestFirst = (type, id) => versionsOf(table, type, id).reverse().map(toVersion);

  /** Does something to a document that still has a version. */
  const changed = ({ type, id }, expectedVersion, change) =>
    file.change((writing) => {
      const present = ruleAt(type, id);
      if (present === undefined) return 'not_found';
      return present.version === expectedVersion ? change(writing, present) : 'conflict';
    });

  return {
    list: (type) => file.read(() => listed(type)),
    async *scan(type, batchSize) {
      yield* batches(await file.read(() => listed(type)), batchSize);
    },
    get: (type, id) => file.read(() => toRecord(ruleAt(type, id))),
    findByName: (type, name) => file.read(() => toRecord(rulesOf(type).find((row) => row.name === name))),
    counts: () =>
      file.read(() => {
        const counts = new Map();
        for (const { type } of table(RULES).values()) counts.set(type, (counts.get(type) ?? 0) + 1);
        return counts;
      }),
    write: ({ entries, mode, basis = new Map(), ...by }) =>
      file.change((writing) => {
        const hasMoved = [...basis].some(([name, value]) => (table('counters').get(name) ?? 0) !== value);
        return entries.map((entry) => (hasMoved ? 'changed' : writeRule(writing, entry, mode, by)));
      }),
    replace: ({ entry, expectedVersion, ...by }) =>
      changed(entry, expectedVersion, (writing, present) => {
        if (UNIQUE.some((member) => holderOf(writing, member, entry, present))) return 'name_taken';
        putDocument(writing, present, entry, by);
        return 'replaced';
      }),
    confirm: ({ type, id, expectedVersion, by }) =>
      changed({ type, id }, expectedVersion, (writing, present) => {
        const confirmedBy = stronger(present.confirmedBy, by);
        if (confirmedBy !== present.confirmedBy) putRule(writing, { ...present, confirmedBy });
        return 'confirmed';
      }),
    remove: ({ type, id, ...by }) =>
      file.change((writing) => {
        const present = ruleAt(type, id);
        return present !== undefined && removeRule(writing, present, by) === 'removed';
      }),
    versions: (type, id, limit, characters = Number.POSITIVE_INFINITY) =>
      file.read(() => sizedBatches(newestFirst(type, id).slice(0, limit), sizeOfRule, characters).next().value ?? []),
    oldestVersion: (type, id) => file.read(() => newestFirst(type, id).at(-1)),
    statesBefore: (type, ids, moment) =>
      file.read(() => {
        const states = ids.map((id) => /** @type {const} */ ([id, stateOf(newestFirst(type, id), moment)]));
        return new Map(states.filter(([, state]) => state));
      }),
    async *lastVersions({ change, type }, batchSize) {
      const found = await file.read(() => {
        const rows = type === undefined ? table(VERSIONS).values() : table(VERSIONS).under(type);
        const last = rows.filter((row, index) => row.change === change && isLast(rows, index));
        return last.sort((left, right) => right.number - left.number).map(toVersion);
      });
      yield* batches(found, batchSize);
    },
    rewriteVersions: ({ type, id, documents }) =>
      file.change((writing) => {
        for (const row of versionsOf(table, type, id)) {
          const document = documents.get(row.version);
          if (document !== undefined) writing.put(VERSIONS, versionKey(row), { ...row, document: document.text });
        }
      }),
    pruneVersions: (before) =>
      file.change((writing) => {
        const rows = table(VERSIONS).values();
        const old = rows.filter(({ type, id, at }, index) => {
          return at < before.getTime() && !(isLast(rows, index) && ruleAt(type, id));
        });
        for (const row of old) writing.put(VERSIONS, versionKey(row), undefined);
        return old.length;
      }),
  };
}

/** Oldest first. */
export const versionsOf = (table, type, id) => table(VERSIONS).under(type, id);

export const versionKey = ({ type, id, number }) => transferKey(type, id, `${number}`.padStart(15, '0'));

/** Whether a version is the last one of its document. */
function isLast(rows, index) {
  return rows[index + 1]?.id !== rows[index].id || rows[index + 1].type !== rows[index].type;
}

/** Another document that has what must be unique: its name, or its value. The first by id. */
function holderOf(writing, member, entry, present) {
  if (member === 'name' ? !entry.uniqueName : entry.uniqueValue === undefined) return undefined;
  const rows = writing.table(RULES).under(entry.type);
  return rows.find((row) => row[member] === entry[member] && row.id !== present?.id);
}

function writeRule(writing, entry, mode, by) {
  const sameId = writing.table(RULES).get(transferKey(entry.type, entry.id));
  if ('removes' in entry) return sameId?.version === entry.removes ? removeRule(writing, sameId, by) : 'conflict';
  const present = sameId ?? holderOf(writing, 'name', entry);
  if (present !== undefined && mode === 'skip') return 'duplicate';
  if (sameId !== undefined && holderOf(writing, 'name', entry, sameId) !== undefined) return 'name_taken';
  if (holderOf(writing, 'uniqueValue', entry, present) !== undefined) return 'duplicate';
  putDocument(writing, present, entry, by);
  return present === undefined ? 'imported' : 'replaced';
}

function removeRule(writing, present, by) {
  keepVersion(writing, present, 'removed', by);
  writing.put(RULES, transferKey(present.type, present.id), undefined);
  writing.next(`rules/${present.type}`);
  return 'removed';
}

/** Stores a document, in the place of the present one where there is one. */
function putDocument(writing, present, { type, name, uniqueValue = null, ...entry }, by) {
  const id = present?.id ?? entry.id;
  const document = id === entry.id ? entry.document.text : documentWithId(entry.document.text, id);
  const isSame = present?.document === document;
  const confirmedBy = confirmationAfter(present && { confirmedBy: present.confirmedBy, isSame }, entry.confirmedBy);
  if (isSame) {
    if (confirmedBy !== present.confirmedBy) putRule(writing, { ...present, confirmedBy });
    return;
  }
  const kept = versionsOf(writing.table, type, id).map((version) => version.version);
  const version = Math.max(present?.version ?? 0, ...kept) + 1;
  const row = { type, id, name, uniqueValue, version, changedAt: by.at.getTime(), document, confirmedBy };
  putRule(writing, row);
  keepVersion(writing, row, present === undefined ? 'created' : 'replaced', by);
}

/** What changes of hosts do to documents of a type. */
export function changeDocuments(writing, { type, change }, by) {
  for (const row of writing.table(RULES).under(type)) {
    const document = change(row.document);
    if (document === undefined) continue;
    const changed = { ...row, document, version: row.version + 1, changedAt: by.at.getTime() };
    putRule(writing, changed);
    keepVersion(writing, changed, 'replaced', by);
  }
}

function putRule(writing, row) {
  writing.put(RULES, transferKey(row.type, row.id), row);
  writing.next(`rules/${row.type}`);
}

function keepVersion(writing, { type, id, name, version, document }, change, { at, actor }) {
  const number = writing.next('version');
  const row = { type, id, number, name, version, at: at.getTime(), actor: actor.name, change, document };
  writing.put(VERSIONS, versionKey(row), row);
}

function* batches(items, batchSize) {
  for (let start = 0; start < items.length; start += batchSize) {
    yield* sizedBatches(items.slice(start, start + batchSize), sizeOfRule);
  }
}

function toRecord(found) {
  if (found === undefined) return undefined;
  const { uniqueValue, ...row } = found;
  return { ...row, document: StoredJson.ofText(row.document), changedAt: new Date(row.changedAt) };
}

function toVersion({ number, ...row }) {
  return { ...row, at: new Date(row.at), document: StoredJson.ofText(row.document) };
}
