import { isActive, scopeTest, shownEdges, transferKey, wellFormed, wellFormedEdge } from 'muster/storage-api';
import { sortedBy } from './table.js';

// Each edge as each of its sources names it, with the time of that, which is `null` where it was added by hand.
const RELATIONS = 'relations';

/** @param {import('./json-file.js').JsonFile} file @returns {import('muster/plugin-api').RelationStore} */
export function relationStore(file) {
  const { table } = file;
  const ofAllSources = ({ hostname, type, target }) => table(RELATIONS).under(hostname, type, target);

  function visibility(scope) {
    const reaches = scopeTest(scope);
    return (hostname) => isActive(table('hosts').get(hostname), reaches);
  }

  /** Does something to an edge between hosts that are there. */
  const between = (given, scope, work) =>
    file.change((writing) => {
      const edge = wellFormedEdge(given);
      const isVisible = visibility(scope);
      if (!isVisible(edge.hostname)) return 'source_not_found';
      if (!isVisible(edge.target)) return 'target_not_found';
      return work(writing, edge, ofAllSources(edge));
    });

  return {
    list: (name, scope) =>
      file.read(() => {
        const hostname = wellFormed(name);
        const isVisible = visibility(scope);
        if (!isVisible(hostname)) return undefined;
        const inbound = edgesTo(table, hostname).filter((edge) => isVisible(edge.hostname));
        return {
          outgoing: shown(edgesOf(table, hostname).filter(({ target }) => isVisible(target))),
          inbound: sortedBy(shown(inbound), 'type', 'hostname'),
        };
      }),
    add: (given, scope) =>
      between(given, scope, (writing, edge, found) => {
        if (found.length > 0) return 'unchanged';
        putEdge(writing, { ...edge, source: given.source, namedAt: null });
        return 'added';
      }),
    remove: (given, scope) =>
      between(given, scope, (writing, _edge, found) => {
        for (const one of found) dropEdge(writing, one);
        return found.length > 0 ? 'removed' : 'unchanged';
      }),
    name: ({ source, edges, at }) =>
      file.change((writing) =>
        edges.map(wellFormedEdge).map((edge) => {
          const found = ofAllSources(edge);
          const { namedAt = 0 } = found.find((one) => one.source === source) ?? {};
          // One that was added by hand stays that.
          if (namedAt !== null) putEdge(writing, { ...edge, source, namedAt: Math.max(namedAt, at.getTime()) });
          return found.length > 0 ? 'unchanged' : 'added';
        }),
      ),
    prune: ({ source, unnamedSince, except }) =>
      file.change((writing) => {
        const stay = new Set(except.map(wellFormed));
        const isGone = ({ hostname, namedAt, ...edge }) =>
          edge.source === source && namedAt !== null && namedAt < unnamedSince.getTime() && !stay.has(hostname);
        const gone = edgesIn(table).filter(isGone);
        for (const edge of gone) dropEdge(writing, edge);
        return gone.length;
      }),
    of: (hostnames) =>
      file.read(() => {
        const begins = new Set(hostnames.map(wellFormed));
        return shown(edgesIn(table).filter(({ hostname }) => begins.has(hostname)));
      }),
    around: (hostnames, limit) =>
      file.read(() => {
        const ends = new Set(hostnames.map(wellFormed));
        return shown(edgesIn(table).filter(({ hostname, target }) => ends.has(hostname) || ends.has(target))).slice(
          0,
          limit,
        );
      }),
  };
}

const edgesOf = (table, hostname) => table(RELATIONS).under(hostname);

const edgesIn = (table) => table(RELATIONS).values();
const edgesTo = (table, hostname) => edgesIn(table).filter(({ target }) => target === hostname);
const putEdge = (writing, edge) => writing.put(RELATIONS, keyOf(edge), edge);
const dropEdge = (writing, edge) => writing.put(RELATIONS, keyOf(edge), undefined);

export function replaceEdges(writing, hostname, relations) {
  for (const edge of edgesOf(writing.table, hostname)) dropEdge(writing, edge);
  for (const relation of relations) putEdge(writing, { ...relation, hostname, namedAt: null });
}

/** Removes the edges at either end of a host, or moves them to another name. */
export function moveEdges(writing, from, to) {
  const moved = (end) => (end === from ? to : end);
  for (const edge of [...edgesOf(writing.table, from), ...edgesTo(writing.table, from)]) {
    dropEdge(writing, edge);
    const there = { ...edge, hostname: moved(edge.hostname), target: moved(edge.target) };
    if (to === undefined || there.hostname === there.target) continue;
    if (writing.table(RELATIONS).get(keyOf(there)) === undefined) putEdge(writing, there);
  }
}

const keyOf = ({ hostname, type, target, source }) => transferKey(hostname, type, target, source);

function shown(edges) {
  return shownEdges(edges).map(({ hostname, type, target, source }) => ({ hostname, type, target, source }));
}
