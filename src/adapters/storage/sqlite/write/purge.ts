import { isProtected } from '../../../../app/hosts/decisions/protection.ts';
import { scopeTest } from '../../../../app/hosts/decisions/scope.ts';
import { templatesOf } from '../../../../kit/document/templates.ts';
import type { HostScope, PurgeOutcome } from '../../../../ports/index.ts';
import { reachNote } from '../../shared/feed-notes.ts';
import type { ChangeBy, WriteContext } from './context.ts';
import { counted, findHost, WRITTEN_HOST, type WrittenHost } from './host-row.ts';

/** Hosts that are deleted for good, with all that hangs on their names. */

export interface PurgeArchivedMessage extends ChangeBy {
  readonly before: number;
}

export function purgeArchived(context: WriteContext, { before, ...by }: PurgeArchivedMessage): number {
  const old = context.connection.all<WrittenHost>(`${WRITTEN_HOST} WHERE h.archived_at < ?`, before);
  const gone = old.filter(({ members }) => !isProtected(members));
  for (const host of gone) removeForGood(context, host, by);
  return gone.length;
}

export interface PurgeMessage extends ChangeBy {
  readonly hostnames: readonly string[];
  readonly scope: HostScope;
}

export function purgeNamed(context: WriteContext, { hostnames, scope, ...by }: PurgeMessage): readonly PurgeOutcome[] {
  const reaches = scopeTest(scope);
  return hostnames.map((hostname) => {
    const host = findHost(context.connection, hostname);
    if (host === undefined || host.archivedAt === null || !reaches(host)) return 'not_found';
    removeForGood(context, host, by);
    return 'purged';
  });
}

function removeForGood({ connection, changes }: WriteContext, host: WrittenHost, { at, actor }: ChangeBy): void {
  const { hostname, accountId } = host;
  const reach = reachNote({ accountId, templates: templatesOf(host.members) });
  changes.addToFeed([{ at, actor, note: { kind: 'deleted', hostname, ...reach } }]);
  // Its numbers in the history must not be given again.
  changes.nextChange(connection);
  connection.run('DELETE FROM hosts WHERE id = ?', host.id);
  connection.run('DELETE FROM host_marks WHERE id = ?', host.id);
  connection.run('DELETE FROM host_changes WHERE hostname = ?', host.hostname);
  connection.run('DELETE FROM relations WHERE hostname = ?', host.hostname);
  connection.run('DELETE FROM relations WHERE target = ?', host.hostname);
  connection.run('DELETE FROM account_marks WHERE hostname = ?', host.hostname);
  connection.run('DELETE FROM host_comments WHERE hostname = ?', host.hostname);
  changes.removed(counted(host));
}
