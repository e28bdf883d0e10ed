import { ObjectId } from 'mongodb';
import { edgeKey } from '../../../app/hosts/decisions/shown-edges.ts';
import type { HostScope, RelationRecord, RelationStore } from '../../../ports/index.ts';
import { compareUtf8, wellFormed } from '../shared/utf8-order.ts';
import { wellFormedEdge } from '../shared/well-formed-edge.ts';
import { readByKeys } from './batches.ts';
import { DocumentReader } from './document-reader.ts';
import type { RelationDoc } from './documents.ts';
import { isDuplicateKey } from './errors.ts';
import { visibleHosts } from './host-reads.ts';
import type { Context, Session } from './session.ts';
import { toRelationRecords } from './stored-records.ts';

const EDGES_A_BATCH = 500;

/** Edges between hosts in MongoDB. */
export function mongodbRelations(session: Session): RelationStore {
  return {
    list: (hostname, scope) =>
      session.run(async (context) => {
        const name = wellFormed(hostname);
        if (!(await visibleHosts(context, [name], scope)).has(name)) return undefined;
        const { relations } = context.database;
        const [outgoing, inbound] = await Promise.all([
          relations.find({ hostname: name }, { sort: { type: 1, target: 1 } }).toArray(),
          relations.find({ target: name }, { sort: { type: 1, hostname: 1 } }).toArray(),
        ]);
        const ends = [...outgoing.map((edge) => edge.target), ...inbound.map((edge) => edge.hostname)];
        const shown = await visibleHosts(context, ends, scope);
        return {
          outgoing: toRelationRecords(outgoing.filter((edge) => shown.has(edge.target))),
          inbound: toRelationRecords(inbound.filter((edge) => shown.has(edge.hostname))),
        };
      }),

    add: (given, scope) =>
      session.run(async (context) => {
        const edge = wellFormedEdge(given);
        const missing = await missingEnd(context, edge, scope);
        if (missing !== undefined) return missing;
        const { relations } = context.database;
        if ((await relations.findOne(edge, { projection: { _id: 1 } })) !== null) return 'unchanged';
        try {
          await relations.insertOne({ _id: new ObjectId(), ...edge, source: given.source, byHand: true });
          return 'added';
        } catch (error) {
          if (isDuplicateKey(error)) return 'unchanged';
          throw error;
        }
      }),

    remove: (given, scope) =>
      session.run(async (context) => {
        const edge = wellFormedEdge(given);
        const missing = await missingEnd(context, edge, scope);
        if (missing !== undefined) return missing;
        const result = await context.database.relations.deleteMany(edge);
        return result.deletedCount > 0 ? 'removed' : 'unchanged';
      }),

    name: ({ source, edges, at }) =>
      session.run(async ({ database: { relations } }) => {
        if (edges.length === 0) return [];
        const given = edges.map(wellFormedEdge);
        const names = [...new Set(given.map(({ hostname }) => hostname))];
        const known = await readByKeys(names, (keys) => relations.find({ hostname: { $in: keys } }).toArray());
        const present = new Set(known.map(edgeKey));
        const byHand = new Set(known.filter((doc) => doc.source === source && doc.namedAt == null).map(edgeKey));
        const named = given.filter((edge) => !byHand.has(edgeKey(edge)));
        if (named.length > 0) {
          await relations.bulkWrite(
            named.map((edge) => ({
              updateOne: { filter: { ...edge, source }, update: { $max: { namedAt: at } }, upsert: true },
            })),
            { ordered: false },
          );
        }
        return given.map((edge) => {
          const key = edgeKey(edge);
          if (present.has(key)) return 'unchanged';
          present.add(key);
          return 'added';
        });
      }),

    prune: ({ source, unnamedSince, except }) =>
      session.run(async ({ database: { relations } }) => {
        const spared = new Set(except.map(wellFormed));
        const old = { source, namedAt: { $lt: unnamedSince } };
        const edges = new DocumentReader<RelationDoc>((last) => {
          const behind = last === undefined ? {} : { _id: { $gt: last._id } };
          return relations.find({ ...old, ...behind }, { sort: { _id: 1 } });
        });
        let pruned = 0;
        for await (const batch of edges.batches(EDGES_A_BATCH)) {
          const gone = batch.filter(({ hostname }) => !spared.has(hostname));
          if (gone.length === 0) continue;
          // One that the source names meanwhile stays.
          const deletions = gone.map(({ _id }) => ({ deleteOne: { filter: { _id, ...old } } }));
          pruned += (await relations.bulkWrite(deletions, { ordered: false })).deletedCount;
        }
        return pruned;
      }),

    of: (hostnames) =>
      session.run(async ({ database }) => {
        const names = [...new Set(hostnames.map(wellFormed))];
        const docs = await readByKeys(names, (keys) => database.relations.find({ hostname: { $in: keys } }).toArray());
        return toRelationRecords(docs).sort(compareEdges);
      }),

    around: (hostnames, limit) =>
      session.run(async ({ database: { relations } }) => {
        if (limit <= 0) return [];
        const names = { $in: [...new Set(hostnames.map(wellFormed))] };
        const [outgoing, inbound] = await Promise.all([
          relations.find({ hostname: names }, { limit }).toArray(),
          relations.find({ target: names }, { limit }).toArray(),
        ]);
        const docs = new Map([...outgoing, ...inbound].map((doc) => [doc._id.toHexString(), doc]));
        return toRelationRecords([...docs.values()])
          .sort(compareEdges)
          .slice(0, limit);
      }),
  };
}

type Edge = Omit<RelationRecord, 'source'>;

async function missingEnd(
  context: Context,
  { hostname, target }: Edge,
  scope: HostScope,
): Promise<'source_not_found' | 'target_not_found' | undefined> {
  const shown = await visibleHosts(context, [hostname, target], scope);
  if (!shown.has(hostname)) return 'source_not_found';
  return shown.has(target) ? undefined : 'target_not_found';
}

function compareEdges(left: RelationRecord, right: RelationRecord): number {
  return (
    compareUtf8(left.hostname, right.hostname) ||
    compareUtf8(left.type, right.type) ||
    compareUtf8(left.target, right.target)
  );
}
