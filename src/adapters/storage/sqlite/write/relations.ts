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
  const added = context.connection.run(
    'INSERT INTO relations (hostname, type, target, source) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
    message.hostname,
    message.type,
    message.target,
    message.source,
  );
  return added > 0 ? 'added' : 'unchanged';
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

function missingEnd({ connection }: WriteContext, message: EdgeMessage): Missing | undefined {
  const reaches = scopeTest(message.scope);
  const visible = (hostname: string): boolean => {
    const host = findHost(connection, hostname);
    return isActive(host && { ...stateOf(host), members: host.members }, reaches);
  };
  if (!visible(message.hostname)) return 'source_not_found';
  return visible(message.target) ? undefined : 'target_not_found';
}
