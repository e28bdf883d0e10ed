import { randomUUID } from 'node:crypto';
import { HISTORY_CHARACTERS } from 'muster/plugin-api';
import { compareUtf8, feedPage, keptChange, rowsOf, sizedBatches, transferKey, wellFormed } from 'muster/storage-api';
import { sortedBy } from './table.js';

/** Changes by host, time and place, as in transfers. `reference` is by which the feed knows one. */
export const CHANGES = 'host_changes';
/** Rows by place; the counter `feed` has the last place. */
const FEED = 'feed';
const FEED_STATE = 'feed-state';

/** @param {import('./json-file.js').JsonFile} file @returns {import('muster/plugin-api').HistoryStore} */
export function historyStore(file) {
  const { table } = file;
  const newestFirst = (hostname) => table(CHANGES).under(hostname).reverse();
  return {
    ofHost: (name, limit) =>
      file.read(() => {
        const hostname = wellFormed(name);
        const host = table('hosts').get(hostname);
        const changes = newestFirst(hostname);
        // The creation is no change of its own but part of the host.
        if (host) changes.push({ hostname, at: host.createdAt, actor: host.createdBy, kind: 'created', changes: '[]' });
        const [page = []] = sizedBatches(changes.slice(0, limit).map(toChange), sizeOf, HISTORY_CHARACTERS);
        return page;
      }),
    latest: ({ limit, from, before }) =>
      file.read(() => {
        const isMeant = ({ at, hostname }) =>
          at >= (from?.getTime() ?? 0) &&
          (before === undefined ||
            at < before.at.getTime() ||
            (at === before.at.getTime() && compareUtf8(hostname, before.hostname) > 0));
        const found = table(CHANGES).values().filter(isMeant).reverse();
        const changes = sortedBy(found, 'hostname').sort((left, right) => right.at - left.at);
        const [page = []] = sizedBatches(changes.slice(0, limit).map(toChange), sizeOf, HISTORY_CHARACTERS);
        const last = changes[page.length - 1];
        // What happened to one host at one moment comes together.
        const rest = changes.slice(page.length);
        const end = rest.findIndex(({ at, hostname }) => at !== last.at || hostname !== last.hostname);
        return [...page, ...rest.slice(0, end === -1 ? undefined : end).map(toChange)];
      }),
    moves: (hostnames) =>
      file.read(() => {
        const changes = [...new Set(hostnames.map(wellFormed))].flatMap(newestFirst);
        return changes.filter(({ kind }) => kind === 'account').map(toChange);
      }),
    prune: (before) =>
      file.change((writing) => {
        const isOld = ({ at }) => at < before.getTime();
        const old = table(CHANGES).values().filter(isOld);
        for (const change of old) writing.put(CHANGES, changeKey(change), undefined);
        const last = table(FEED).values().findLast(isOld);
        if (last !== undefined) dropFeed(writing, last.place);
        return old.length;
      }),
  };
}

/** Adds a change behind those of the same host and moment. Answers its reference. */
export function putChange(writing, { hostname, at, actor, kind, changes, reference = writing.next('change') }) {
  const last = writing.table(CHANGES).under(hostname, at.toISOString()).at(-1);
  const text = typeof changes === 'string' ? changes : JSON.stringify(changes);
  const place = last === undefined ? 0 : last.place + 1;
  const row = { hostname, at: at.getTime(), place, actor, kind, changes: text, reference };
  writing.put(CHANGES, changeKey(row), row);
  return reference;
}

/** Removes the history of a host, or moves it to another name. */
export function moveChanges(writing, from, to) {
  for (const change of writing.table(CHANGES).under(from)) {
    writing.put(CHANGES, changeKey(change), undefined);
    if (to !== undefined) putChange(writing, { ...change, hostname: to, at: new Date(change.at) });
  }
}

export const changeKey = ({ hostname, at, place }) =>
  transferKey(hostname, new Date(at).toISOString(), `${place}`.padStart(8, '0'));

export function noteChanges(writing, notes) {
  for (const row of rowsOf(notes)) {
    const place = writing.next('feed');
    writing.put(FEED, placeKey(place), { ...row, at: row.at.getTime(), place });
  }
}

/** Cursors that were given mean nothing any more. */
export function beginFeed(writing) {
  dropFeed(writing, writing.table('counters').get('feed') ?? 0);
  writing.put(FEED_STATE, 'feed', randomUUID());
}

/** Removes the rows up to a place. */
function dropFeed(writing, place) {
  for (const key of writing.table(FEED).keys({ before: placeKey(place + 1) })) writing.put(FEED, key, undefined);
  writing.put(FEED_STATE, 'pruned', place);
}

/** @param {import('./json-file.js').JsonFile} file @returns {import('muster/plugin-api').ChangeFeed} */
export function changeFeed(file) {
  const { table } = file;
  /** @type {import('muster/storage-api').FeedReader<number>} */
  const reader = {
    state: () =>
      file.read(() => {
        const end = (table('counters').get('feed') ?? 0) + 1;
        return { feed: table(FEED_STATE).get('feed'), pruned: table(FEED_STATE).get('pruned'), end };
      }),
    rows: (from, limit) =>
      file.read(() => {
        const rows = table(FEED).values({ from: placeKey(from) });
        return { rows: rows.slice(0, limit).map((row) => ({ ...row, at: new Date(row.at) })), isOpen: false };
      }),
    changes: (references) =>
      file.read(() => {
        const wanted = new Set(references);
        const found = table(CHANGES)
          .values()
          .filter(({ reference }) => wanted.has(reference));
        return new Map(found.map((change) => [`${change.reference}`, change]));
      }),
    idOf: (_note, { place, offset }) => `${place}.${offset}`,
  };
  return { after: (since, limit) => feedPage(reader, since, limit) };
}

const placeKey = (place) => `${place}`.padStart(15, '0');
const toChange = ({ hostname, at, actor, kind, changes }) =>
  keptChange({ hostname, at: new Date(at), actor, kind }, changes);
const sizeOf = ({ characters }) => characters;
