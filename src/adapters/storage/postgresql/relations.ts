import { scopeTest } from '../../../app/hosts/decisions/scope.ts';
import { type SourcedEdge, shownEdges } from '../../../app/hosts/decisions/shown-edges.ts';
import type { HostScope, RelationRecord, RelationStore } from '../../../ports/index.ts';
import { wellFormed } from '../shared/utf8-order.ts';
import { wellFormedEdge } from '../shared/well-formed-edge.ts';
import type { Database, Sql } from './database.ts';
import { lockHosts } from './host-changes.ts';
import { visibleNames } from './host-reads.ts';

type EdgeRow = readonly [string, string, string, string, number | null];
type ReachedRow = readonly [...EdgeRow, accountId: string | null, members: string];

const EDGE = 'r.hostname, r.type, r.target, r.source, r.named_at';

/** Edges between hosts in PostgreSQL. */
export function postgresqlRelations(database: Database): RelationStore {
  return {
    list: (given, scope) =>
      database.snapshot(async (sql) => {
        const hostname = wellFormed(given);
        if (!(await visibleNames(sql, [hostname], scope)).has(hostname)) return undefined;
        const edges = async (end: 'hostname' | 'target', other: 'hostname' | 'target') => {
          const rows = await sql.rows<ReachedRow>(
            `SELECT ${EDGE}, h.account_id, h.members FROM muster.relations r
             JOIN muster.hosts h ON h.hostname = r.${other} AND h.archived_at IS NULL WHERE r.${end} = $1 ORDER BY r.type, r.${other}`,
            [hostname],
          );
          const reaches = scopeTest(scope);
          const reached = rows.filter(([, , , , , accountId, members]) => reaches({ accountId, members }));
          return shownEdges(reached.map(([...row]) => toEdge([row[0], row[1], row[2], row[3], row[4]]))).map(recordOf);
        };
        return { outgoing: await edges('hostname', 'target'), inbound: await edges('target', 'hostname') };
      }),

    add: ({ source, ...given }, scope) =>
      database.transaction(async (sql) => {
        const { hostname, type, target } = wellFormedEdge(given);
        const missing = await missingEnd(sql, { hostname, target, scope });
        if (missing !== undefined) return missing;
        // If several callers add the same edge, one succeeds.
        await lockHosts(sql, [hostname]);
        if (await isNamed(sql, [hostname, type, target])) return 'unchanged';
        await sql.run(
          'INSERT INTO muster.relations (hostname, type, target, source) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
          [hostname, type, target, source],
        );
        return 'added';
      }),

    remove: (given, scope) =>
      database.transaction(async (sql) => {
        const { hostname, type, target } = wellFormedEdge(given);
        const missing = await missingEnd(sql, { hostname, target, scope });
        if (missing !== undefined) return missing;
        const removed = await sql.run(
          'DELETE FROM muster.relations WHERE hostname = $1 AND type = $2 AND target = $3',
          [hostname, type, target],
        );
        return removed > 0 ? 'removed' : 'unchanged';
      }),

    async name({ source, edges: given, at }) {
      if (given.length === 0) return [];
      const edges = given.map(wellFormedEdge);
      const keys = edges.map(({ hostname, type, target }) => JSON.stringify([hostname, type, target]));
      return database.transaction(async (sql) => {
        await lockHosts(sql, [...new Set(edges.map(({ hostname }) => hostname))]);
        const columns = [
          edges.map(({ hostname }) => hostname),
          edges.map(({ type }) => type),
          edges.map(({ target }) => target),
        ];
        const rows = await sql.rows<[string, string, string]>(
          `SELECT DISTINCT hostname, type, target FROM muster.relations
           WHERE (hostname, type, target) IN (SELECT * FROM unnest($1::text[], $2::text[], $3::text[]))`,
          columns,
        );
        const known = new Set(rows.map((row) => JSON.stringify(row)));
        await sql.run(
          `INSERT INTO muster.relations AS r (hostname, type, target, source, named_at)
           SELECT DISTINCT hostname, type, target, $4, $5::bigint FROM unnest($1::text[], $2::text[], $3::text[]) AS u(hostname, type, target)
           ORDER BY 1, 2, 3 ON CONFLICT (hostname, type, target, source)
           DO UPDATE SET named_at = greatest(r.named_at, excluded.named_at) WHERE r.named_at IS NOT NULL`,
          [...columns, source, at.getTime()],
        );
        return keys.map((key) => {
          const isKnown = known.has(key);
          known.add(key);
          return isKnown ? 'unchanged' : 'added';
        });
      });
    },

    prune: ({ source, unnamedSince, except }) =>
      database.run(
        'DELETE FROM muster.relations WHERE source = $1 AND named_at IS NOT NULL AND named_at < $2 AND hostname <> ALL($3::text[])',
        [source, unnamedSince.getTime(), except.map(wellFormed)],
      ),

    async of(hostnames) {
      const rows = await database.rows<EdgeRow>(
        `SELECT ${EDGE} FROM muster.relations r WHERE r.hostname = ANY($1::text[]) ORDER BY r.hostname, r.type, r.target`,
        [hostnames.map(wellFormed)],
      );
      return shownEdges(rows.map(toEdge)).map(recordOf);
    },

    async around(hostnames, limit) {
      // Each side ends at the limit, so that a host that everything leads to costs no more than others.
      const side = (column: string) =>
        `(SELECT ${EDGE} FROM muster.relations r WHERE r.${column} = ANY($1::text[]) LIMIT $2)`;
      const rows = await database.rows<EdgeRow>(
        `SELECT * FROM (${side('hostname')} UNION ${side('target')}) e ORDER BY hostname, type, target`,
        [hostnames.map(wellFormed), limit],
      );
      return shownEdges(rows.map(toEdge)).map(recordOf).slice(0, limit);
    },
  };
}

function toEdge([hostname, type, target, source, namedAt]: EdgeRow): SourcedEdge {
  return { hostname, type, target, source, namedAt };
}

function recordOf({ hostname, type, target, source }: SourcedEdge): RelationRecord {
  return { hostname, type, target, source };
}

async function missingEnd(
  sql: Sql,
  { hostname, target, scope }: { readonly hostname: string; readonly target: string; readonly scope: HostScope },
): Promise<'source_not_found' | 'target_not_found' | undefined> {
  const visible = await visibleNames(sql, [hostname, target], scope);
  if (!visible.has(hostname)) return 'source_not_found';
  return visible.has(target) ? undefined : 'target_not_found';
}

async function isNamed(sql: Sql, edge: readonly [hostname: string, type: string, target: string]): Promise<boolean> {
  const rows = await sql.rows<[number]>(
    'SELECT 1 FROM muster.relations WHERE hostname = $1 AND type = $2 AND target = $3 LIMIT 1',
    edge,
  );
  return rows.length > 0;
}
