import type { ObjectId } from 'mongodb';
import type { DraftRelation, HostDraft } from '../../../app/hosts/decisions/host-draft.ts';
import { readByKeys } from './batches.ts';
import type { RelationDoc } from './documents.ts';
import type { Context } from './session.ts';

/**
 * Relations of hosts that are stored as whole records. New ones are written before their host, which hides them until it is
 * there, and the ones that it had before go last: a call that is cut off and done again ends as one that was not.
 */
export interface RelationsWork {
  /** All relations of the written hosts from now on. */
  readonly relations: Map<string, readonly DraftRelation[]>;
  /** Relations that were added, also for hosts that were not written in the end. */
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
      updateOne: { filter: { hostname, type, target, source }, update: { $set: { source } }, upsert: true },
    })),
    { ordered: false },
  );
  for (const [position, id] of Object.entries(result.upsertedIds)) {
    const hostname = edges[Number(position)]?.hostname;
    if (hostname !== undefined) added.set(hostname, [...(added.get(hostname) ?? []), id]);
  }
}

/**
 * Removes what the written hosts no longer have, also what other sources named of it, and what was added for hosts that were not written. What
 * they have counts as added by hand.
 */
export async function removeRelations(context: Context, { relations, added }: RelationsWork): Promise<void> {
  const stored = context.database.relations;
  const present = await readByKeys([...relations.keys()], (keys) => stored.find({ hostname: { $in: keys } }).toArray());
  const own = new Set([...relations].flatMap(([hostname, edges]) => edges.map((edge) => keyOf(hostname, edge))));
  const isKept = (edge: RelationDoc): boolean => own.has(keyOf(edge.hostname, edge));
  const gone = present.filter((edge) => !isKept(edge)).map(({ _id }) => _id);
  for (const [hostname, ids] of added) if (!relations.has(hostname)) gone.push(...ids);
  const named = present.filter((edge) => isKept(edge) && edge.namedAt !== undefined);
  if (gone.length + named.length === 0) return;
  await stored.bulkWrite(
    [
      ...gone.map((_id) => ({ deleteOne: { filter: { _id } } })),
      ...named.map(({ _id }) => ({ updateOne: { filter: { _id }, update: { $unset: { namedAt: 1 } } } }) as const),
    ],
    { ordered: false },
  );
}

function keyOf(hostname: string, { type, target, source }: DraftRelation): string {
  return JSON.stringify([hostname, type, target, source]);
}
