import { ObjectId } from 'mongodb';
import type { HostScope, RelationRecord, RelationStore } from '../../../ports/index.ts';
import { compareUtf8, wellFormed } from '../shared/utf8-order.ts';
import { readByKeys } from './batches.ts';
import { toRelationRecord } from './documents.ts';
import { isDuplicateKey } from './errors.ts';
import { visibleHosts } from './host-reads.ts';
import type { Context, Session } from './session.ts';

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
          outgoing: outgoing.filter((edge) => shown.has(edge.target)).map(toRelationRecord),
          inbound: inbound.filter((edge) => shown.has(edge.hostname)).map(toRelationRecord),
        };
      }),

    add: (given, scope) =>
      session.run(async (context) => {
        const edge = wellFormedEdge(given);
        const missing = await missingEnd(context, edge, scope);
        if (missing !== undefined) return missing;
        try {
          const { hostname, type, target } = edge;
          await context.database.relations.insertOne({
            _id: new ObjectId(),
            hostname,
            type,
            target,
            source: given.source,
          });
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
        const { hostname, type, target } = edge;
        const result = await context.database.relations.deleteOne({ hostname, type, target });
        return result.deletedCount > 0 ? 'removed' : 'unchanged';
      }),

    of: (hostnames) =>
      session.run(async ({ database }) => {
        const names = [...new Set(hostnames.map(wellFormed))];
        const docs = await readByKeys(names, (keys) => database.relations.find({ hostname: { $in: keys } }).toArray());
        return docs.map(toRelationRecord).sort(compareEdges);
      }),
  };
}

type Edge = Omit<RelationRecord, 'source'>;

function wellFormedEdge({ hostname, type, target }: Edge): Edge {
  return { hostname: wellFormed(hostname), type, target: wellFormed(target) };
}

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
