import { scopeTest } from '../../../app/hosts/decisions/scope.ts';
import { type SourcedEdge, shownEdges } from '../../../app/hosts/decisions/shown-edges.ts';
import type { HostScope, RelationRecord, RelationStore } from '../../../ports/index.ts';
import { wellFormed } from '../shared/utf8-order.ts';
import { wellFormedEdge } from '../shared/well-formed-edge.ts';
import type { Connection } from './connection.ts';
import type { EdgeText } from './write/relations.ts';
import type { WriterClient } from './writer-client.ts';

interface EdgeRow extends SourcedEdge {
  readonly accountId: string | null;
  readonly members: string;
}

const EDGE =
  'r.hostname, r.type, r.target, r.source, r.named_at AS namedAt, h.account_id AS accountId, h.members FROM relations r';

/** Edges between hosts in SQLite. */
export function sqliteRelations(read: () => Connection, writer: () => WriterClient): RelationStore {
  return {
    async list(given, scope) {
      const hostname = wellFormed(given);
      return read().snapshot(() => {
        const sql = 'SELECT account_id, members FROM hosts WHERE hostname = ? AND archived_at IS NULL';
        const host = read().getRaw<[string | null, string]>(sql, hostname);
        if (host === undefined || !scopeTest(scope)({ accountId: host[0], members: host[1] })) return undefined;
        const outgoing = read().all<EdgeRow>(
          `SELECT ${EDGE} JOIN hosts h ON h.hostname = r.target AND h.archived_at IS NULL
           WHERE r.hostname = ? ORDER BY r.type, r.target`,
          hostname,
        );
        const inbound = read().all<EdgeRow>(
          `SELECT ${EDGE} JOIN hosts h ON h.hostname = r.hostname AND h.archived_at IS NULL
           WHERE r.target = ? ORDER BY r.type, r.hostname`,
          hostname,
        );
        return { outgoing: shown(outgoing, scope), inbound: shown(inbound, scope) };
      });
    },

    async add({ source, ...edge }, scope) {
      return writer().call('addRelation', { ...wellFormedEdge(edge), source, scope });
    },

    async remove(edge, scope) {
      return writer().call('removeRelation', { ...wellFormedEdge(edge), scope });
    },

    async name({ source, edges, at }) {
      if (edges.length === 0) return [];
      const named = edges.map(
        ({ hostname, type, target }): EdgeText => [wellFormed(hostname), type, wellFormed(target)],
      );
      return writer().call('nameRelations', { source, edges: named, at: at.getTime() });
    },

    async prune({ source, unnamedSince, except }) {
      const message = { source, before: unnamedSince.getTime(), except: except.map(wellFormed) };
      return writer().call('pruneRelations', message);
    },

    async of(hostnames) {
      const edges = read().all<SourcedEdge>(
        `SELECT hostname, type, target, source, named_at AS namedAt FROM relations
         WHERE hostname IN (SELECT value FROM json_each(?)) ORDER BY hostname, type, target`,
        JSON.stringify(hostnames.map(wellFormed)),
      );
      return shownEdges(edges).map(recordOf);
    },

    async around(hostnames, limit) {
      const names = JSON.stringify(hostnames.map(wellFormed));
      const edges = read().all<SourcedEdge>(AROUND, names, limit, names, limit);
      return shownEdges(edges).map(recordOf).slice(0, limit);
    },
  };
}

/** Each side ends at the limit, so that a host that everything leads to costs no more than others. */
const AROUND = `SELECT hostname, type, target, source, named_at AS namedAt FROM (
    SELECT * FROM (SELECT * FROM relations WHERE hostname IN (SELECT value FROM json_each(?)) LIMIT ?)
    UNION SELECT * FROM (SELECT * FROM relations WHERE target IN (SELECT value FROM json_each(?)) LIMIT ?)
  ) ORDER BY hostname, type, target`;

function shown(rows: readonly EdgeRow[], scope: HostScope): RelationRecord[] {
  const reaches = scopeTest(scope);
  return shownEdges(rows.filter(reaches)).map(recordOf);
}

function recordOf({ hostname, type, target, source }: SourcedEdge): RelationRecord {
  return { hostname, type, target, source };
}
