import { sectionChange } from '../../../app/hosts/decisions/host-changes.ts';
import { replacementChanges } from '../../../app/hosts/decisions/replacement.ts';
import { jsonMembers, jsonOfMembers, sameJson } from '../../../app/kernel/json/json-text.ts';
import type { Actor, HostDocumentWrite, InventoryOutcome, InventoryWrite } from '../../../ports/index.ts';
import { wellFormed } from '../shared/utf8-order.ts';
import { activeHost } from './host-reads.ts';
import { type MemoryState, removeWhere, type StoredHost } from './state.ts';

export function saveInventory(state: MemoryState, write: InventoryWrite): InventoryOutcome[] {
  const sections = write.entries.map((entry) => entry.section.text);
  for (const text of sections) JSON.parse(text);
  let moved = false;
  const outcomes = write.entries.map((entry, index): InventoryOutcome => {
    const host = activeHost(state, entry.hostname, write.scope);
    if (host === undefined) return 'not_found';
    const members = jsonMembers(host.inventory);
    const before = members.get(entry.key);
    const after = sections[index] ?? '{}';
    if (before !== undefined && sameJson(before, after)) return 'unchanged';
    const inventory = jsonOfMembers(members.set(entry.key, after));
    if (state.outgrows(host, host.inventory, inventory)) return 'too_large';
    host.inventory = inventory;
    host.lastUpdate = write.at.getTime();
    const changes = [sectionChange(entry.key, before, after)];
    state.remember({ hostname: host.hostname, at: write.at, actor: write.actor, kind: 'inventory', changes });
    moved = true;
    return 'updated';
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
