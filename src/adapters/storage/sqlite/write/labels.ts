import { labelChanges } from '../../../../app/hosts/decisions/host-changes.ts';
import { bytesOf, growsBeyond } from '../../../../app/hosts/decisions/host-size.ts';
import {
  type LabelChange,
  type LabelLookup,
  labelDecision,
  labelOutcome,
} from '../../../../app/hosts/decisions/label-write.ts';
import { sameJson } from '../../../../app/kernel/json/json-text.ts';
import type { ArchiveReason, LabelOutcome, WritingAccount } from '../../../../ports/index.ts';
import type { Connection } from '../connection.ts';
import type { Counted } from './changes.ts';
import { type ChangeBy, remember, type WriteContext } from './context.ts';
import { archiveOf } from './host-row.ts';
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

function saveOne(context: WriteContext, message: LabelMessage, hostname: string, labels: string): LabelOutcome {
  const { connection, changes } = context;
  const row = connection.getRaw<HostAndSame>(HOST_AND_SAME, labels, hostname);
  const { outcome, change } = labelDecision(foundIn(row), message, lookUp(connection, row, labels, message.maxBytes));
  if (change === undefined) return outcome;
  if (row === undefined) {
    createHost(context, message, hostname, labels);
    return outcome;
  }
  connection.run('UPDATE host_marks SET last_seen = ?, run_id = ? WHERE id = ?', change.at, change.runId, row[0]);
  if (outcome === 'updated') {
    const by = { at: new Date(change.at), actor: message.actor };
    const isPlain = !change.comesBack && !change.changesOwner && row[3] === 0;
    if (isPlain) updateLabels(context, by, hostname, row, labels);
    else updateHost(context, { hostname, labels, by, change, account: message.account }, row);
  } else if (row[8] === 0) changes.seen(row[1], row[5] ?? row[4], change.at);
  return outcome;
}

function foundIn(row: HostAndSame | undefined): Parameters<typeof labelDecision>[0] {
  return row && { accountId: row[1], archive: archiveOf(row[9], row[2]), lastSeen: row[5], runId: row[6] };
}

/** Answers what is asked about labels in the place of the owner's. Those that are the same to the letter are never read. */
function lookUp(connection: Connection, row: HostAndSame | undefined, labels: string, maxBytes: number): LabelLookup {
  if (row === undefined) return { tooLarge: () => growsBeyond(maxBytes, 0, 0, bytesOf(labels)), same: () => false };
  if (row[3] === 0 && row[7] === 1) return THE_SAME;
  const [id, , , contributed] = row;
  return {
    tooLarge: () => ownerOutgrows(connection, id, labels, maxBytes),
    same: () => sameJson(ownLabels(connection, { id, contributed }), labels),
  };
}

const THE_SAME: LabelLookup = { tooLarge: () => false, same: () => true };

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
function updateLabels(context: WriteContext, by: ChangeBy, hostname: string, row: HostAndSame, labels: string): void {
  const { connection, changes } = context;
  const [id, accountId] = row;
  const at = by.at.getTime();
  const differences = labelChanges(visibleLabels(connection, id), labels);
  connection.run('UPDATE hosts SET labels = ?, last_update = ? WHERE id = ?', labels, at, id);
  remember(context, hostname, by, { kind: 'labels', changes: differences });
  if (row[8] === 0) changes.seen(accountId, row[5] ?? row[4], at);
}

interface Update {
  readonly hostname: string;
  readonly labels: string;
  readonly by: ChangeBy;
  readonly change: LabelChange;
  readonly account: WritingAccount;
}

function updateHost(context: WriteContext, { hostname, labels, by, change, account }: Update, row: HostAndSame): void {
  const { connection, changes } = context;
  const [id, accountId, , contributed, createdAt, lastSeen, , , wasObject, archivedAt] = row;
  const before: Counted = {
    hostname,
    accountId,
    isObject: wasObject === 1,
    archived: archivedAt !== null,
    seenAt: lastSeen ?? createdAt,
  };
  if (change.comesBack) connection.run('UPDATE hosts SET archived_at = NULL, archived_by = NULL WHERE id = ?', id);
  if (change.changesOwner) changeOwner(connection, account, id);
  for (const remembered of change.remembered) remember(context, hostname, by, remembered);
  connection.run('UPDATE hosts SET last_update = ? WHERE id = ?', change.at, id);
  setOwnLabels(context, { id, hostname, contributed }, account.id, labels, by);
  const isObject = change.changesOwner ? account.isObject : before.isObject;
  changes.removed(before);
  changes.added({ hostname, accountId: account.id, isObject, archived: false, seenAt: change.at });
}

function changeOwner(connection: Connection, account: WritingAccount, hostId: number): void {
  connection.run(
    'UPDATE hosts SET account_id = ?, is_object = ?, object_type = ? WHERE id = ?',
    account.id,
    account.isObject ? 1 : 0,
    account.objectType,
    hostId,
  );
  connection.run('DELETE FROM contributions WHERE host_id = ? AND account_id = ?', hostId, account.id);
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
    const outcome = labelOutcome(foundIn(row), message, lookUp(connection, row, labels, message.maxBytes));
    if (row === undefined) return { outcome };
    if (row[7] === 1 && row[3] === 0) return { outcome, before: labels };
    return { outcome, before: ownLabels(connection, { id: row[0], contributed: row[3] }) };
  });
}
