import { lastNames, renameChange } from '../../../../app/hosts/decisions/rename.ts';
import { templatesOf } from '../../../../kit/document/templates.ts';
import type { HostRename, RenameOutcome } from '../../../../ports/index.ts';
import { reachNote } from '../../shared/feed-notes.ts';
import type { Connection } from '../connection.ts';
import { type ChangeBy, remember, type WriteContext } from './context.ts';
import { counted, findHost } from './host-row.ts';

export interface RenameMessage extends ChangeBy {
  readonly hosts: readonly HostRename[];
}

/** `HostStore.rename`, in one transaction. */
export function renameHosts(context: WriteContext, { hosts, at, actor }: RenameMessage): readonly RenameOutcome[] {
  const renamed: HostRename[] = [];
  const outcomes = hosts.map((rename): RenameOutcome => {
    const { connection, changes } = context;
    const host = findHost(connection, rename.from);
    if (host === undefined) return 'not_found';
    if (findHost(connection, rename.to) !== undefined) return 'name_taken';
    const lastUpdate = Math.max(host.lastUpdate ?? 0, at.getTime());
    connection.run('UPDATE hosts SET hostname = ?, last_update = ? WHERE id = ?', rename.to, lastUpdate, host.id);
    changes.removed(counted(host));
    changes.added(counted(host, { hostname: rename.to }));
    changes.revision('hosts');
    moveRows(connection, rename);
    const change = remember(context, rename.to, { at, actor }, renameChange(rename));
    const reach = reachNote({ accountId: host.accountId, templates: templatesOf(host.members) });
    changes.addToFeed([
      { at, actor, note: { kind: 'renamed', hostname: rename.to, from: rename.from, change, ...reach } },
    ]);
    renamed.push(rename);
    return 'renamed';
  });
  if (renamed.length > 0) moveOwnership(context.connection, renamed);
  return outcomes;
}

/** Moves everything stored under the name of a host. Existing rows at the new name are replaced by the moved ones. */
function moveRows(connection: Connection, { from, to }: HostRename): void {
  connection.run('UPDATE host_changes SET hostname = ? WHERE hostname = ?', to, from);
  connection.run('UPDATE OR REPLACE relations SET hostname = ? WHERE hostname = ?', to, from);
  connection.run('UPDATE OR REPLACE relations SET target = ? WHERE target = ?', to, from);
  connection.run('DELETE FROM relations WHERE hostname = ? AND target = ?', to, to);
  connection.run('UPDATE OR REPLACE account_marks SET hostname = ? WHERE hostname = ?', to, from);
  connection.run('UPDATE OR REPLACE host_comments SET hostname = ? WHERE hostname = ?', to, from);
  connection.run('UPDATE OR REPLACE playbook_matches SET hostname = ? WHERE hostname = ?', to, from);
}

/** Once for all: no index leads from a host to what is owned because of it, and exports would pay for one with each write. */
function moveOwnership(connection: Connection, renamed: readonly HostRename[]): void {
  connection.run(
    `WITH names(former, present) AS MATERIALIZED
       (SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(?))
     UPDATE ownership SET hostname = present FROM names WHERE ownership.hostname = former`,
    JSON.stringify([...lastNames(renamed)]),
  );
}
