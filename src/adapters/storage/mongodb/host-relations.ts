import type { ObjectId } from 'mongodb';
import type { DraftRelation, HostDraft } from '../../../app/hosts/decisions/host-draft.ts';
import { readByKeys } from './batches.ts';
import type { Context } from './session.ts';

/**
 * Relations of hosts that are stored as whole records. New ones are written before their host, which hides them until it is
 * there, and the ones that it had before go last: a call that is cut off and done again ends as one that was not.
 */
export interface RelationsWork {
  /** Of the hosts that were written, all that they have from now on. */
  readonly relations: Map<string, readonly DraftRelation[]>;
  /** What was added, also for hosts that were not written in the end. */
  readonly added: Map<string, readonly ObjectId[]>;
}

export async function addRelations(
  context: Context,
  drafts: readonly HostDraft[],
  { added }: RelationsWork,
): Promise<void> {
  const edges = drafts.flatMap(({ hostname, relations = [] }) => relations.map((edge) => ({ hostname, ...edge })));
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

/** Removes what the written hosts no longer have, and what was added for hosts that were not written. */
export async function removeRelations(context: Context, { relations, added }: RelationsWork): Promise<void> {
  const stored = context.database.relations;
  const present = await readByKeys([...relations.keys()], (keys) => stored.find({ hostname: { $in: keys } }).toArray());
  const kept = new Set([...relations].flatMap(([hostname, own]) => own.map((edge) => keyOf(hostname, edge))));
  const ids = present.filter((edge) => !kept.has(keyOf(edge.hostname, edge))).map((edge) => edge._id);
  for (const [hostname, own] of added) if (!relations.has(hostname)) ids.push(...own);
  if (ids.length === 0) return;
  await stored.bulkWrite(
    ids.map((_id) => ({ deleteOne: { filter: { _id } } })),
    { ordered: false },
  );
}

function keyOf(hostname: string, { type, target }: Pick<DraftRelation, 'type' | 'target'>): string {
  return JSON.stringify([hostname, type, target]);
}
