import { replacementChanges } from '../../../app/hosts/decisions/replacement.ts';
import { isActive, scopeTest } from '../../../app/hosts/decisions/scope.ts';
import { sectionDecision } from '../../../app/hosts/decisions/section.ts';
import type { Actor, HostDocumentWrite, InventoryOutcome, InventoryWrite } from '../../../ports/index.ts';
import { wellFormed } from '../shared/utf8-order.ts';
import { type MemoryState, removeWhere, type StoredHost } from './state.ts';

export function saveInventory(state: MemoryState, write: InventoryWrite): InventoryOutcome[] {
  const sections = write.entries.map((entry) => entry.section.text);
  for (const text of sections) JSON.parse(text);
  let moved = false;
  const reaches = scopeTest(write.scope);
  const outcomes = write.entries.map((entry, index): InventoryOutcome => {
    const host = state.hosts.get(wellFormed(entry.hostname));
    if (!isActive(host, reaches)) return 'not_found';
    const given = { key: entry.key, section: sections[index] ?? '{}' };
    const { outcome, change } = sectionDecision(host.inventory, given, (inventory) =>
      state.outgrows(host, host.inventory, inventory),
    );
    if (change === undefined) return outcome;
    host.inventory = change.inventory;
    host.lastUpdate = write.at.getTime();
    state.remember({ hostname: host.hostname, at: write.at, actor: write.actor, ...change.remembered });
    moved = true;
    return outcome;
  });
  if (moved) state.bump('hosts');
  return outcomes;
}

export function putDocuments(
  state: MemoryState,
  writes: readonly HostDocumentWrite[],
  actor: Actor,
  at: Date,
): boolean[] {
  let moved = false;
  const outcomes = writes.map((write): boolean => {
    const hostname = wellFormed(write.record.hostname);
    const present = state.hosts.get(hostname);
    if (present !== undefined && write.mode === 'skip') return false;
    const host = hostOfDocument(write, hostname, present?.createdBy ?? actor);
    const replaced = present === undefined ? [] : replacementChanges(present, host);
    for (const remembered of replaced) state.remember({ hostname, at, actor, ...remembered });
    state.addHost(host);
    removeWhere(state.relations, (edge) => edge.hostname === hostname);
    for (const edge of write.relations) {
      const known = state.relations.some(
        (other) => other.hostname === hostname && other.type === edge.type && other.target === wellFormed(edge.target),
      );
      if (!known) state.relations.push({ ...edge, target: wellFormed(edge.target), hostname });
    }
    if (host.archive === null || present?.archive === null) moved = true;
    return true;
  });
  if (moved) state.bump('hosts');
  return outcomes;
}

function hostOfDocument(write: HostDocumentWrite, hostname: string, createdBy: Actor): StoredHost {
  const record = write.record;
  return {
    hostname,
    accountId: record.accountId,
    isObject: record.isObject,
    objectType: record.objectType,
    labels: record.labels.text,
    inventory: record.inventory.text,
    members: record.members.text,
    folder: record.folder,
    createdAt: record.createdAt.getTime(),
    createdBy,
    lastSeen: record.lastSeen?.getTime() ?? null,
    lastUpdate: record.lastUpdate?.getTime() ?? null,
    archive: record.archive === null ? null : { at: record.archive.at.getTime(), by: record.archive.by },
    runId: null,
    contributions: new Map(),
  };
}
