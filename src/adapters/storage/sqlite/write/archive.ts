import { archiveChange, archiving, isStale } from '../../../../app/hosts/decisions/archive.ts';
import { seatsGivenBack } from '../../../../app/hosts/decisions/folder-seats.ts';
import { isActive, isArchived, scopeTest } from '../../../../app/hosts/decisions/scope.ts';
import { isUnseen, sweepDecision } from '../../../../app/hosts/decisions/sweep.ts';
import type {
  AccountScope,
  ArchiveOutcome,
  ArchiveReason,
  RestoreOutcome,
  SweepResult,
} from '../../../../ports/index.ts';
import { type ChangeBy, remember, type WriteContext } from './context.ts';
import { counted, findHost, stateOf, WRITTEN_HOST, type WrittenHost } from './host-row.ts';
import { putRule, WRITTEN_RULE, type WrittenRule } from './rules.ts';

export interface ArchiveMessage extends ChangeBy {
  readonly hostnames: readonly string[];
  readonly by: ArchiveReason;
  readonly scope: AccountScope;
}

export function archive(context: WriteContext, message: ArchiveMessage): ArchiveOutcome[] {
  const reaches = scopeTest(message.scope);
  const seats: string[] = [];
  const outcomes = message.hostnames.map((hostname): ArchiveOutcome => {
    const host = findHost(context.connection, hostname);
    if (host === undefined || !isActive(stateOf(host), reaches)) return 'not_found';
    archiveHost(context, host, message.by, message, seats);
    return 'archived';
  });
  giveSeatsBack(context, seats, message);
  return outcomes;
}

function archiveHost(
  context: WriteContext,
  host: WrittenHost,
  reason: ArchiveReason,
  by: ChangeBy,
  seats: string[],
): void {
  const { connection, changes } = context;
  const { archive, seatBack, remembered } = archiving(host, { at: by.at, by: reason });
  const sql = 'UPDATE hosts SET archived_at = ?, archived_by = ?, folder = NULL WHERE id = ?';
  connection.run(sql, archive.at, archive.by, host.id);
  if (seatBack !== null) seats.push(seatBack);
  remember(context, host.hostname, by, remembered);
  changes.removed(counted(host));
  changes.added(counted(host, { archived: true }));
  changes.revision('hosts');
}

function giveSeatsBack(context: WriteContext, seats: readonly string[], by: ChangeBy): void {
  if (seats.length === 0) return;
  const effect = seatsGivenBack(seats);
  const rules = context.connection.all<WrittenRule>(`${WRITTEN_RULE} WHERE type = ?`, effect.type);
  for (const rule of rules) {
    const document = effect.change(rule.document);
    if (document !== undefined) putRule(context, { ...rule, document }, rule, by);
  }
}

export interface RestoreMessage extends ChangeBy {
  readonly hostnames: readonly string[];
  readonly scope: AccountScope;
}

export function restore(context: WriteContext, message: RestoreMessage): RestoreOutcome[] {
  const { connection, changes } = context;
  const reaches = scopeTest(message.scope);
  return message.hostnames.map((hostname): RestoreOutcome => {
    const host = findHost(connection, hostname);
    const state = host && stateOf(host);
    if (host === undefined || !isArchived(state, reaches)) return 'not_found';
    connection.run('UPDATE hosts SET archived_at = NULL, archived_by = NULL, folder = NULL WHERE id = ?', host.id);
    remember(context, hostname, message, archiveChange(state.archive, null));
    changes.removed(counted(host));
    changes.added(counted(host, { archived: false }));
    changes.revision('hosts');
    return 'restored';
  });
}

export interface SweepMessage extends ChangeBy {
  readonly accountId: string;
  readonly runId: string;
  readonly seenBefore: number;
  readonly except: readonly string[];
  readonly thresholdPercent: number;
  readonly activeBefore: number;
  readonly preview: boolean;
}

export function archiveUnseen(context: WriteContext, message: SweepMessage): SweepResult {
  const found = context.connection.all<WrittenHost>(
    `${WRITTEN_HOST} WHERE h.account_id = ? AND h.archived_at IS NULL AND m.run_id IS NOT ?
     AND (m.last_seen IS NULL OR m.last_seen < ?) AND h.hostname NOT IN (SELECT value FROM json_each(?)) ORDER BY h.hostname`,
    message.accountId,
    message.runId,
    message.seenBefore,
    JSON.stringify(message.except),
  );
  const unseen = found.filter((host) => isUnseen(stateOf(host), message));
  const result = sweepDecision({ ...message, candidates: unseen.map((host) => host.hostname) });
  if (result.archived > 0) archiveAll(context, unseen, 'import', message);
  return result;
}

export interface StaleMessage extends ChangeBy {
  readonly seenBefore: number;
  readonly accountId: string | null;
}

export function archiveStale(context: WriteContext, message: StaleMessage): string[] {
  const found = context.connection.all<WrittenHost>(
    `${WRITTEN_HOST} WHERE h.archived_at IS NULL AND h.is_object = 0 AND coalesce(m.last_seen, h.created_at) < ?
     AND (? IS NULL OR h.account_id = ?) ORDER BY h.hostname`,
    message.seenBefore,
    message.accountId,
    message.accountId,
  );
  const stale = found.filter((host) => isStale(stateOf(host), message));
  archiveAll(context, stale, 'stale', message);
  return stale.map((host) => host.hostname);
}

function archiveAll(context: WriteContext, hosts: readonly WrittenHost[], reason: ArchiveReason, by: ChangeBy): void {
  const seats: string[] = [];
  for (const host of hosts) archiveHost(context, host, reason, by, seats);
  giveSeatsBack(context, seats, by);
}

export function purgeArchived(context: WriteContext, before: number): number {
  const { connection, changes } = context;
  const gone = connection.all<WrittenHost>(`${WRITTEN_HOST} WHERE h.archived_at < ?`, before);
  for (const host of gone) {
    connection.run('DELETE FROM hosts WHERE id = ?', host.id);
    connection.run('DELETE FROM host_marks WHERE id = ?', host.id);
    connection.run('DELETE FROM host_changes WHERE hostname = ?', host.hostname);
    connection.run('DELETE FROM relations WHERE hostname = ?', host.hostname);
    connection.run('DELETE FROM relations WHERE target = ?', host.hostname);
    changes.removed(counted(host));
  }
  return gone.length;
}
