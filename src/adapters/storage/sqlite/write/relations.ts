import { isActive, scopeTest } from '../../../../app/hosts/decisions/scope.ts';
import type { HostScope } from '../../../../ports/index.ts';
import type { WriteContext } from './context.ts';
import { findHost, stateOf } from './host-row.ts';

export interface EdgeMessage {
  readonly hostname: string;
  readonly type: string;
  readonly target: string;
  readonly scope: HostScope;
}

type Missing = 'source_not_found' | 'target_not_found';

export function addRelation(
  context: WriteContext,
  message: EdgeMessage & { readonly source: string },
): 'added' | 'unchanged' | Missing {
  const missing = missingEnd(context, message);
  if (missing !== undefined) return missing;
  const { hostname, type, target, source } = message;
  if (isNamed(context, [hostname, type, target])) return 'unchanged';
  const sql = 'INSERT INTO relations (hostname, type, target, source) VALUES (?, ?, ?, ?)';
  context.connection.run(sql, hostname, type, target, source);
  return 'added';
}

export function removeRelation(context: WriteContext, message: EdgeMessage): 'removed' | 'unchanged' | Missing {
  const missing = missingEnd(context, message);
  if (missing !== undefined) return missing;
  const removed = context.connection.run(
    'DELETE FROM relations WHERE hostname = ? AND type = ? AND target = ?',
    message.hostname,
    message.type,
    message.target,
  );
  return removed > 0 ? 'removed' : 'unchanged';
}

/** Host, type and target of an edge. */
export type EdgeText = readonly [hostname: string, type: string, target: string];

export function nameRelations(
  context: WriteContext,
  { source, edges, at }: { readonly source: string; readonly edges: readonly EdgeText[]; readonly at: number },
): readonly ('added' | 'unchanged')[] {
  return edges.map((edge) => {
    const known = isNamed(context, edge);
    context.connection.run(
      `INSERT INTO relations (hostname, type, target, source, named_at) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET named_at = max(named_at, excluded.named_at) WHERE named_at IS NOT NULL`,
      ...edge,
      source,
      at,
    );
    return known ? 'unchanged' : 'added';
  });
}

export function pruneRelations(
  { connection }: WriteContext,
  message: { readonly source: string; readonly before: number; readonly except: readonly string[] },
): number {
  return connection.run(
    `DELETE FROM relations WHERE source = ? AND named_at IS NOT NULL AND named_at < ?
     AND hostname NOT IN (SELECT value FROM json_each(?))`,
    message.source,
    message.before,
    JSON.stringify(message.except),
  );
}

function isNamed({ connection }: WriteContext, edge: EdgeText): boolean {
  const sql = 'SELECT 1 FROM relations WHERE hostname = ? AND type = ? AND target = ? LIMIT 1';
  return connection.getRaw<[number]>(sql, ...edge) !== undefined;
}

function missingEnd({ connection }: WriteContext, message: EdgeMessage): Missing | undefined {
  const reaches = scopeTest(message.scope);
  const visible = (hostname: string): boolean => {
    const host = findHost(connection, hostname);
    return isActive(host && { ...stateOf(host), members: host.members }, reaches);
  };
  if (!visible(message.hostname)) return 'source_not_found';
  return visible(message.target) ? undefined : 'target_not_found';
}
