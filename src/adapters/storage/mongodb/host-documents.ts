import { ObjectId } from 'mongodb';
import { replacementChanges } from '../../../app/hosts/decisions/replacement.ts';
import type { Actor, HostDocumentWrite } from '../../../ports/index.ts';
import { wellFormed } from '../shared/utf8-order.ts';
import { readByKeys } from './batches.ts';
import { type HostDoc, stateOf } from './documents.ts';
import { grouped, inOrder } from './host-labels.ts';
import { changeHosts, type HostSlot } from './host-writer.ts';
import type { Context } from './session.ts';

/**
 * Stores whole records. New relations are written before their host, which hides them until it is there, and the ones that
 * it had before go last: one that is cut off and done again ends as one that was not.
 */
export async function putDocuments(
  context: Context,
  writes: readonly HostDocumentWrite[],
  actor: Actor,
): Promise<boolean[]> {
  const { names, entriesOf } = grouped(writes.map((write) => write.record.hostname));
  const chosen = new Map<string, HostDocumentWrite>();
  const added = new Map<string, ObjectId[]>();
  const answers = await changeHosts(context, {
    hostnames: names,
    read: ['labels', 'inventory', 'members', 'contributions'],
    at: context.clock.now(),
    actor,
    decide(slot) {
      chosen.delete(slot.hostname);
      return (entriesOf.get(slot.hostname) ?? []).map((index) => {
        const write = writes[index];
        if (write === undefined || (slot.host !== undefined && write.mode === 'skip')) return false;
        chosen.set(slot.hostname, write);
        putOne(slot, write, actor);
        return true;
      });
    },
    before: (slots) => addRelations(context, slots, chosen, added),
  });
  await removeRelations(context, chosen, added);
  return inOrder(writes.length, entriesOf, answers);
}

function putOne(slot: HostSlot, { record }: HostDocumentWrite, actor: Actor): void {
  const present = slot.host;
  const host: HostDoc = {
    _id: slot.hostname,
    v: present?.v ?? 0,
    w: present?.w ?? new ObjectId(),
    account: record.accountId,
    isObject: record.isObject,
    objectType: record.objectType,
    labels: record.labels.text,
    inventory: record.inventory.text,
    members: record.members.text,
    folder: record.folder,
    createdAt: record.createdAt,
    createdBy: present?.createdBy ?? { kind: actor.kind, name: actor.name },
    lastSeen: record.lastSeen,
    lastUpdate: record.lastUpdate,
    sight: record.lastSeen ?? record.createdAt,
    archived: record.archive !== null,
    archivedAt: record.archive?.at ?? null,
    archivedBy: record.archive?.by ?? null,
    run: null,
    change: present?.change ?? null,
    ...(present?.debts === undefined ? {} : { debts: present.debts }),
  };
  if (present !== undefined)
    for (const change of replacementChanges(replaced(present), replaced(host))) slot.remember(change);
  if (!host.archived || present?.archived === false) slot.visible = true;
  slot.host = host;
}

function replaced(host: HostDoc): Parameters<typeof replacementChanges>[0] {
  return { ...stateOf(host), labels: host.labels, inventory: host.inventory };
}

/** The edges of a document; the first of two for the same type and target counts. */
function edgesOf(write: HostDocumentWrite): ReadonlyMap<string, { type: string; target: string; source: string }> {
  const edges = new Map<string, { type: string; target: string; source: string }>();
  for (const { type, target, source } of write.relations) {
    const key = JSON.stringify([type, wellFormed(target)]);
    if (!edges.has(key)) edges.set(key, { type, target: wellFormed(target), source });
  }
  return edges;
}

async function addRelations(
  context: Context,
  slots: readonly HostSlot[],
  chosen: ReadonlyMap<string, HostDocumentWrite>,
  added: Map<string, ObjectId[]>,
): Promise<void> {
  const edges = slots.flatMap(({ hostname }) => {
    const write = chosen.get(hostname);
    return write === undefined ? [] : [...edgesOf(write).values()].map((edge) => ({ hostname, ...edge }));
  });
  if (edges.length === 0) return;
  const result = await context.database.relations.bulkWrite(
    edges.map(({ hostname, type, target, source }) => ({
      updateOne: { filter: { hostname, type, target }, update: { $set: { source } }, upsert: true },
    })),
    { ordered: false },
  );
  for (const [position, id] of Object.entries(result.upsertedIds)) {
    const hostname = edges[Number(position)]?.hostname;
    if (hostname !== undefined) added.set(hostname, [...(added.get(hostname) ?? []), id]);
  }
}

/** Removes what the written documents no longer name, and what was added for hosts that were not written in the end. */
async function removeRelations(
  context: Context,
  chosen: ReadonlyMap<string, HostDocumentWrite>,
  added: ReadonlyMap<string, readonly ObjectId[]>,
): Promise<void> {
  const { relations } = context.database;
  const present = await readByKeys([...chosen.keys()], (keys) => relations.find({ hostname: { $in: keys } }).toArray());
  const gone = present.filter((edge) => {
    const write = chosen.get(edge.hostname);
    return write !== undefined && !edgesOf(write).has(JSON.stringify([edge.type, edge.target]));
  });
  const ids = gone.map((edge) => edge._id);
  for (const [hostname, own] of added) if (!chosen.has(hostname)) ids.push(...own);
  if (ids.length === 0) return;
  await relations.bulkWrite(
    ids.map((_id) => ({ deleteOne: { filter: { _id } } })),
    { ordered: false },
  );
}
