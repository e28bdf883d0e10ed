import {
  type HostLayer,
  isCovered,
  type LabelLayer,
  labelsOf,
  ownerLayer,
  shownChange,
} from '../../../../app/hosts/decisions/label-layers.ts';
import type { Connection } from '../connection.ts';
import { type ChangeBy, remember, type WriteContext } from './context.ts';
import type { WrittenHost } from './host-row.ts';

/** The labels of one host as several accounts give them. */

export function visibleLabels(connection: Connection, hostId: number): string {
  return connection.getRaw<[string]>('SELECT labels FROM hosts WHERE id = ?', hostId)?.[0] ?? '{}';
}

/** The owner's labels without what others contribute. */
export function ownLabels(connection: Connection, host: Pick<WrittenHost, 'id' | 'contributed'>): string {
  if (host.contributed === 0) return visibleLabels(connection, host.id);
  const own = connection.getRaw<[string]>(
    'SELECT labels FROM contributions WHERE host_id = ? AND is_owner = 1',
    host.id,
  );
  return own?.[0] ?? '{}';
}

/** Replaces the owner's own labels and shows the result. True when what consumers see changed. */
export function setOwnLabels(
  context: WriteContext,
  host: Pick<WrittenHost, 'id' | 'hostname' | 'contributed'>,
  accountId: string | null,
  labels: string,
  by: ChangeBy,
): boolean {
  const { connection } = context;
  if (host.contributed === 1) {
    connection.run('DELETE FROM contributions WHERE host_id = ? AND is_owner = 1', host.id);
    putLayer(connection, host.id, ownerLayer(accountId, labels, by.at.getTime()));
  }
  return showLabels(context, host, labels, by);
}

/**
 * Lays everybody's labels over each other anew; `own` is what the owner gives. Where nobody contributes any longer the
 * owner's row goes too. True when what consumers see changed.
 */
export function showLabels(
  { connection, changes }: WriteContext,
  host: Pick<WrittenHost, 'id' | 'hostname' | 'contributed'>,
  own: string,
  by: ChangeBy,
): boolean {
  let labels = own;
  if (host.contributed === 1) {
    const layers = readLayers(connection, host.id);
    labels = labelsOf(layers, own);
    if (!isCovered(layers)) {
      connection.run('DELETE FROM contributions WHERE host_id = ?', host.id);
      connection.run('UPDATE hosts SET contributed = 0 WHERE id = ?', host.id);
    }
  }
  const remembered = shownChange(visibleLabels(connection, host.id), labels);
  if (remembered === undefined) return false;
  connection.run('UPDATE hosts SET labels = ? WHERE id = ?', labels, host.id);
  remember({ connection, changes }, host.hostname, by, remembered);
  return true;
}

function readLayers(connection: Connection, hostId: number): readonly (LabelLayer & Pick<HostLayer, 'owner'>)[] {
  return connection
    .all<LabelLayer & { readonly isOwner: number }>(
      'SELECT account_id AS accountId, precedence, labels, is_owner AS isOwner FROM contributions WHERE host_id = ?',
      hostId,
    )
    .map((row) => ({ ...row, owner: row.isOwner === 1 }));
}

/** Stores what an account gives in the place of what it gave. */
export function putLayer(connection: Connection, hostId: number, layer: HostLayer): void {
  connection.run(
    `INSERT OR REPLACE INTO contributions (host_id, account_id, precedence, is_owner, labels, at, run_id)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    hostId,
    layer.accountId,
    layer.precedence,
    layer.owner ? 1 : 0,
    layer.labels,
    layer.at,
    layer.runId,
  );
}
