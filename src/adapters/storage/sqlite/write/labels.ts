import { archiveChange } from '../../../../app/hosts/decisions/archive.ts';
import { labelChanges, ownerChange } from '../../../../app/hosts/decisions/host-changes.ts';
import { bytesOf } from '../../../../app/hosts/decisions/host-size.ts';
import { sameJson } from '../../../../app/kernel/json/json-text.ts';
import type { ArchiveReason, LabelOutcome, WritingAccount } from '../../../../ports/index.ts';
import type { Connection } from '../connection.ts';
import { type ChangeBy, remember, type WriteContext } from './context.ts';
import { archiveOf, counted, type WrittenHost } from './host-row.ts';
import { ownerOutgrows } from './host-size.ts';
import { ownLabels, setOwnLabels, visibleLabels } from './layers.ts';

/** A label write as it travels: entry `i` is `hostnames[i]` with `labels[i]`, which is cheaper to send than objects. */
export interface LabelMessage extends ChangeBy {
  readonly account: WritingAccount;
  readonly hostnames: readonly string[];
  readonly labels: readonly string[];
  readonly runId: string | null;
  readonly takeOver: boolean;
  /** How large a host may be. */
  readonly maxBytes: number;
}

/** The host with the answer to "are these its labels, to the letter?", which spares reading them. */
const HOST_AND_SAME =
  'SELECT h.id, h.account_id, h.archived_by, h.contributed, h.created_at, m.last_seen, m.run_id, h.labels = ?, ' +
  'h.is_object, h.archived_at FROM hosts h CROSS JOIN host_marks m ON m.id = h.id WHERE h.hostname = ?';

type HostAndSame = [
  id: number,
  accountId: string | null,
  archivedBy: ArchiveReason | null,
  contributed: number,
  createdAt: number,
  lastSeen: number | null,
  runId: string | null,
  same: number,
  isObject: number,
  archivedAt: number | null,
];

export function saveLabels(context: WriteContext, message: LabelMessage): LabelOutcome[] {
  const outcomes: LabelOutcome[] = [];
  for (let index = 0; index < message.hostnames.length; index++) {
    outcomes.push(saveOne(context, message, message.hostnames[index] ?? '', message.labels[index] ?? '{}'));
  }
  if (outcomes.some((outcome) => outcome === 'created' || outcome === 'updated')) context.changes.revision('hosts');
  return outcomes;
}

function saveOne(context: WriteContext, given: LabelMessage, hostname: string, labels: string): LabelOutcome {
  const { connection, changes } = context;
  const row = connection.getRaw<HostAndSame>(HOST_AND_SAME, labels, hostname);
  const message = notBefore(row?.[5] ?? null, given);
  if (row !== undefined && message.runId !== null && row[6] === message.runId) return 'duplicate';
  const outcome = decideLabels(connection, row, message, labels);
  if (outcome === 'account_conflict' || outcome === 'archived' || outcome === 'too_large') return outcome;
  const at = message.at.getTime();
  if (row === undefined) {
    createHost(context, message, hostname, labels);
    return outcome;
  }
  connection.run(
    'UPDATE host_marks SET last_seen = ?, run_id = coalesce(?, run_id) WHERE id = ?',
    at,
    message.runId,
    row[0],
  );
  if (outcome === 'updated') {
    const plain = row[1] === message.account.id && row[2] === null && row[3] === 0;
    if (plain) updateLabels(context, message, hostname, row, labels);
    else updateHost(context, message, hostname, row, labels);
  } else if (row[8] === 0) changes.seen(row[1], row[5] ?? row[4], at);
  return outcome;
}

/** A write may wait for others that were begun later; sights never move back. */
function notBefore(lastSeen: number | null, message: LabelMessage): LabelMessage {
  return lastSeen === null || lastSeen <= message.at.getTime() ? message : { ...message, at: new Date(lastSeen) };
}

/** What would become of labels for a host that may not exist yet. */
function decideLabels(
  connection: Connection,
  row: HostAndSame | undefined,
  write: Pick<LabelMessage, 'account' | 'takeOver' | 'maxBytes'>,
  labels: string,
): Exclude<LabelOutcome, 'duplicate'> {
  if (row === undefined) return bytesOf(labels) > write.maxBytes ? 'too_large' : 'created';
  const [id, accountId, archivedBy, contributed] = row;
  const archived = archivedBy !== null;
  if (accountId !== null && accountId !== write.account.id && !(write.takeOver && !archived)) return 'account_conflict';
  if (archivedBy === 'operator') return 'archived';
  const isSame = contributed === 0 && row[7] === 1;
  if (!isSame && ownerOutgrows(connection, id, labels, write.maxBytes)) return 'too_large';
  if (archived || accountId !== write.account.id) return 'updated';
  if (isSame) return 'unchanged';
  return sameJson(ownLabels(connection, { id, contributed }), labels) ? 'unchanged' : 'updated';
}

function createHost(context: WriteContext, message: LabelMessage, hostname: string, labels: string): void {
  const { account, actor } = message;
  const at = message.at.getTime();
  const id = context.connection.insert(
    `INSERT INTO hosts (hostname, account_id, is_object, object_type, created_at, created_kind, created_by, last_update,
     labels) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    hostname,
    account.id,
    account.isObject ? 1 : 0,
    account.objectType,
    at,
    actor.kind,
    actor.name,
    at,
    labels,
  );
  context.connection.run('INSERT INTO host_marks (id, last_seen, run_id) VALUES (?, ?, ?)', id, at, message.runId);
  context.changes.added({
    hostname,
    accountId: account.id,
    isObject: account.isObject,
    archived: false,
    seenAt: at,
  });
}

/** The ordinary case: other labels for an active host of the same account that nobody else contributes to. */
function updateLabels(
  context: WriteContext,
  message: LabelMessage,
  hostname: string,
  row: HostAndSame,
  labels: string,
): void {
  const { connection, changes } = context;
  const [id, accountId] = row;
  const at = message.at.getTime();
  const differences = labelChanges(visibleLabels(connection, id), labels);
  connection.run('UPDATE hosts SET labels = ?, last_update = ? WHERE id = ?', labels, at, id);
  remember(context, hostname, message, { kind: 'labels', changes: differences });
  if (row[8] === 0) changes.seen(accountId, row[5] ?? row[4], at);
}

function updateHost(
  context: WriteContext,
  message: LabelMessage,
  hostname: string,
  row: HostAndSame,
  labels: string,
): void {
  const { connection, changes } = context;
  const host: WrittenHost = {
    id: row[0],
    hostname,
    accountId: row[1],
    archivedBy: row[2],
    contributed: row[3],
    createdAt: row[4],
    lastSeen: row[5],
    runId: row[6],
    isObject: row[8],
    archivedAt: row[9],
    folder: null,
    lastUpdate: null,
  };
  const at = message.at.getTime();
  changes.removed(counted(host));
  let isObject = host.isObject === 1;
  const archive = archiveOf(host.archivedAt, host.archivedBy);
  if (archive !== null) {
    connection.run('UPDATE hosts SET archived_at = NULL, archived_by = NULL WHERE id = ?', host.id);
    remember(context, hostname, message, archiveChange(archive, null));
  }
  if (host.accountId !== message.account.id) {
    isObject = message.account.isObject;
    changeOwner(context, message, host);
  }
  connection.run('UPDATE hosts SET last_update = ? WHERE id = ?', at, host.id);
  setOwnLabels(context, host, message.account.id, labels, message);
  changes.added(counted(host, { accountId: message.account.id, isObject, archived: false, seenAt: at }));
}

function changeOwner(context: WriteContext, message: LabelMessage, host: WrittenHost): void {
  const { account } = message;
  context.connection.run(
    'UPDATE hosts SET account_id = ?, is_object = ?, object_type = ? WHERE id = ?',
    account.id,
    account.isObject ? 1 : 0,
    account.objectType,
    host.id,
  );
  if (host.contributed === 1) {
    context.connection.run('DELETE FROM contributions WHERE host_id = ? AND account_id = ?', host.id, account.id);
  }
  remember(context, host.hostname, message, ownerChange(host.accountId, account.id));
}

export interface PreviewMessage {
  readonly account: WritingAccount;
  readonly hostnames: readonly string[];
  readonly labels: readonly string[];
  readonly takeOver: boolean;
  readonly maxBytes: number;
}

/** What `saveLabels` would answer now, with the labels it would replace. Only reads: runs on the caller's connection. */
export function previewLabels(
  connection: Connection,
  message: PreviewMessage,
): { readonly outcome: Exclude<LabelOutcome, 'duplicate'>; readonly before?: string }[] {
  return message.hostnames.map((hostname, index) => {
    const labels = message.labels[index] ?? '{}';
    const row = connection.getRaw<HostAndSame>(HOST_AND_SAME, labels, hostname);
    const outcome = decideLabels(connection, row, message, labels);
    if (row === undefined) return { outcome };
    if (row[7] === 1 && row[3] === 0) return { outcome, before: labels };
    return { outcome, before: ownLabels(connection, { id: row[0], contributed: row[3] }) };
  });
}
