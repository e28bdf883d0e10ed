import {
  archiveStale,
  archiveUnseen,
  HostDraft,
  hostWrites,
  isArchived,
  isProtected,
  isStale,
  isUnseen,
  movesOfHost,
  named,
  notesOfDraft,
  reachNote,
  removalsOfHost,
  renameChange,
  ruleChangesOf,
  scopeTest,
  sizeOfParts,
  sweepDecision,
  templatesOf,
  transferKey,
  wellFormed,
  withdrawContributions,
} from 'muster/storage-api';
import { moveChanges, noteChanges, putChange } from './history.js';
import { CONTRIBUTIONS, HOSTS, hostReads } from './host-reads.js';
import { moveMarks } from './marks.js';
import { recordsOf, writeRecords } from './records.js';
import { moveEdges, replaceEdges } from './relations.js';
import { changeDocuments } from './rules.js';

/** @param {import('./json-file.js').JsonFile} file @param {number} maxHostBytes @returns {import('muster/plugin-api').HostStore} */
export function hostStore(file, clock, maxHostBytes) {
  const { table } = file;
  const scales = { limit: maxHostBytes, weigh: sizeOfParts };

  /** Lets a change decide on each host and stores what is different then. */
  function changeHosts(writing, change, { message, hostnames, entries }) {
    const decide = change.deciding(message);
    const drafts = [];
    const notes = [];
    const outcomes = hostnames.map((hostname, index) => {
      const row = table(HOSTS).get(hostname);
      const host = row && { ...row, layers: table(CONTRIBUTIONS).under(hostname) };
      const draft = new HostDraft(hostname, host, scales);
      const outcome = decide(draft, entries[index]);
      if (!change.isQuestion) notes.push(...storeDraft(writing, draft));
      drafts.push(draft);
      return outcome;
    });
    if (change.isQuestion) return outcomes;
    noteChanges(writing, notes);
    for (const documents of ruleChangesOf(drafts.flatMap(({ effects }) => effects))) {
      changeDocuments(writing, documents, message);
    }
    if (drafts.some(({ visible }) => visible)) writing.next('hosts');
    return outcomes;
  }

  /** Answers the notes of the feed. */
  function storeDraft(writing, draft) {
    const { hostname, host, createdBy, history, relations } = draft;
    const { layers, ...changes } = createdBy === undefined ? draft.changes : host;
    if (createdBy !== undefined || Object.keys(changes).length > 0) {
      const before = table(HOSTS).get(hostname) ?? { hostname, createdBy: createdBy.actor };
      writing.put(HOSTS, hostname, { ...before, ...changes });
    }
    if (layers !== undefined) putLayers(writing, hostname, layers);
    if (relations !== undefined) replaceEdges(writing, hostname, relations);
    const references = history.map((change) => putChange(writing, { ...change, hostname }));
    return notesOfDraft(draft, references, () => templatesOf(host.members));
  }

  function purge(writing, { hostname, accountId, members }, { at, actor }) {
    moveChanges(writing, hostname);
    moveEdges(writing, hostname);
    moveMarks(writing, hostname);
    writeRecords(writing, removalsOfHost(hostname));
    putLayers(writing, hostname, []);
    writing.put(HOSTS, hostname, undefined);
    const reach = reachNote({ accountId, templates: templatesOf(members) });
    noteChanges(writing, [{ at, actor, note: { kind: 'deleted', hostname, ...reach } }]);
  }

  async function rename(writing, { from, to }, { at, actor }) {
    const found = writing.table(HOSTS).get(from);
    if (found === undefined) return 'not_found';
    if (writing.table(HOSTS).get(to) !== undefined) return 'name_taken';
    writeRecords(writing, await movesOfHost(recordsOf(writing.table, clock), { from, to }));
    const host = { ...found, hostname: to, lastUpdate: at.getTime() };
    const layers = writing.table(CONTRIBUTIONS).under(from);
    writing.put(HOSTS, from, undefined);
    writing.put(HOSTS, to, host);
    putLayers(writing, from, []);
    putLayers(writing, to, layers);
    moveChanges(writing, from, to);
    moveEdges(writing, from, to);
    moveMarks(writing, from, to);
    const change = putChange(writing, { ...renameChange({ from, to }), hostname: to, at, actor });
    const reach = reachNote({ accountId: host.accountId, templates: templatesOf(host.members) });
    noteChanges(writing, [{ at, actor, note: { kind: 'renamed', hostname: to, from, ...reach, change } }]);
    if (host.archive === null) writing.next('hosts');
    return 'renamed';
  }

  const hostsThat = (isMeant) => table(HOSTS).values().filter(isMeant);
  const namesOf = (rows) => rows.map(({ hostname }) => hostname);

  return {
    ...hostReads(file),
    ...hostWrites((change, request) => file.change((writing) => changeHosts(writing, change, request)), clock),
    withdrawContributions: ({ accountId, runId = null, seenBefore, except, at, actor }) =>
      file.change((writing) => {
        const stay = new Set(except.map(wellFormed));
        const layers = table(CONTRIBUTIONS).values();
        const given = layers.filter((layer) => layer.accountId === accountId && !stay.has(layer.hostname));
        const message = { accountId, runId, seenBefore: seenBefore?.getTime() ?? null, at, actor };
        const outcomes = changeHosts(writing, withdrawContributions, { message, ...named(namesOf(given)) });
        return outcomes.filter(Boolean).length;
      }),
    archiveUnseen: ({ except, objectType, ...sweep }) =>
      file.change((writing) => {
        const stay = new Set(except.map(wellFormed));
        const message = { ...sweep, seenBefore: sweep.seenBefore.getTime() };
        const unseen = hostsThat((host) => isUnseen(host, message) && !stay.has(host.hostname));
        const candidates = namesOf(unseen.filter((host) => (objectType ?? host.objectType) === host.objectType));
        const result = sweepDecision({ ...sweep, candidates });
        if (result.archived > 0) changeHosts(writing, archiveUnseen, { message, ...named(candidates) });
        return result;
      }),
    archiveStale: ({ seenBefore, accountId = null, at, actor }) =>
      file.change((writing) => {
        const message = { seenBefore: seenBefore.getTime(), accountId, at, actor };
        const stale = namesOf(hostsThat((host) => isStale(host, message)));
        const outcomes = changeHosts(writing, archiveStale, { message, ...named(stale) });
        return stale.filter((_, index) => outcomes[index]);
      }),
    rename: ({ hosts, ...by }) =>
      file.changeWaiting(async (writing) => {
        const outcomes = [];
        for (const { from, to } of hosts) {
          outcomes.push(await rename(writing, { from: wellFormed(from), to: wellFormed(to) }, by));
        }
        return outcomes;
      }),
    purge: ({ hostnames, scope, ...by }) =>
      file.change((writing) => {
        const reaches = scopeTest(scope);
        return hostnames.map((hostname) => {
          const host = table(HOSTS).get(wellFormed(hostname));
          if (!isArchived(host, reaches)) return 'not_found';
          purge(writing, host, by);
          return 'purged';
        });
      }),
    purgeArchived: (before, by) =>
      file.change((writing) => {
        const old = hostsThat(({ archive, members }) => archive?.at < before.getTime() && !isProtected(members));
        for (const host of old) purge(writing, host, by);
        return old.length;
      }),
  };
}

function putLayers(writing, hostname, layers) {
  const put = (accountId, layer) => writing.put(CONTRIBUTIONS, transferKey(hostname, accountId), layer);
  for (const { accountId } of writing.table(CONTRIBUTIONS).under(hostname)) put(accountId, undefined);
  for (const layer of layers) put(layer.accountId, { ...layer, hostname });
}
