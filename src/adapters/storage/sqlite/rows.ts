import {
  type Actor,
  type ArchiveReason,
  type AuditEntry,
  type ConfirmedBy,
  type Contribution,
  type CronState,
  type HostChange,
  type HostRecord,
  type KeptAuditEntry,
  type KeptChange,
  type LogDetail,
  type LogEntry,
  type LogHead,
  type PlaybookRun,
  type PlaybookRunStatus,
  type RuleRecord,
  type RuleVersion,
  type SessionRecord,
  type SessionSignIn,
  StoredJson,
  type WordingParts,
} from '../../../ports/index.ts';
import type { StoredActiveRun } from '../shared/active-run.ts';
import { keptChange } from '../shared/kept-change.ts';
import type {
  activeRuns,
  auditEntries,
  contributions,
  cronStates,
  hostChanges,
  logEntries,
  outbox,
  playbookRuns,
  rules,
  ruleVersions,
  sessions,
} from './schema.ts';

/** Rows to records: the one place that knows how a record is spread over its columns. */

/** Columns of a host, for `hosts h` joined with `host_marks m`, in the order of `HostRow`. */
export const HOST_COLUMNS =
  'h.hostname, h.account_id, h.is_object, h.object_type, h.labels, h.inventory, h.members, h.folder, ' +
  'h.created_at, m.last_seen, h.last_update, h.archived_at, h.archived_by';

export type HostRow = [
  hostname: string,
  accountId: string | null,
  isObject: number,
  objectType: string,
  labels: string,
  inventory: string,
  members: string,
  folder: string | null,
  createdAt: number,
  lastSeen: number | null,
  lastUpdate: number | null,
  archivedAt: number | null,
  archivedBy: string | null,
];

/** Most hosts have no inventory and no further members; values are immutable, so they share one. */
const EMPTY = StoredJson.ofText<Record<string, never>>('{}');

export function toHostRecord(row: HostRow): HostRecord {
  return {
    hostname: row[0],
    accountId: row[1],
    isObject: row[2] === 1,
    objectType: row[3],
    labels: StoredJson.ofText(row[4]),
    inventory: row[5] === '{}' ? EMPTY : StoredJson.ofText(row[5]),
    members: row[6] === '{}' ? EMPTY : StoredJson.ofText(row[6]),
    folder: row[7],
    createdAt: new Date(row[8]),
    lastSeen: row[9] === null ? null : new Date(row[9]),
    lastUpdate: row[10] === null ? null : new Date(row[10]),
    archive: row[11] === null ? null : { at: new Date(row[11]), by: row[12] as ArchiveReason },
  };
}

export const CONTRIBUTION_COLUMNS = 'account_id AS accountId, precedence, is_owner AS isOwner, labels, at';
export type ContributionRow = Pick<
  typeof contributions.$inferSelect,
  'accountId' | 'precedence' | 'isOwner' | 'labels' | 'at'
>;

export function toContribution(row: ContributionRow): Contribution {
  return {
    accountId: row.accountId,
    precedence: row.precedence,
    owner: row.isOwner === 1,
    labels: StoredJson.ofText(row.labels),
    at: new Date(row.at),
  };
}

export const CHANGE_COLUMNS = 'hostname, at, actor_kind AS actorKind, actor_name AS actorName, kind, changes';
export type ChangeRow = Omit<typeof hostChanges.$inferSelect, 'seq'>;

export function toHostChange({ hostname, at, actorKind, actorName, kind, changes }: ChangeRow): KeptChange {
  const actor = { kind: actorKind as Actor['kind'], name: actorName };
  return keptChange({ hostname, at: new Date(at), actor, kind: kind as HostChange['kind'] }, changes);
}

export const RULE_COLUMNS = 'type, id, name, version, changed_at AS changedAt, document, confirmed_by AS confirmedBy';
export type RuleRow = Omit<typeof rules.$inferSelect, 'uniqueValue'>;

export function toRuleRecord(row: RuleRow): RuleRecord {
  return {
    type: row.type,
    id: row.id,
    name: row.name,
    document: StoredJson.ofText(row.document),
    version: row.version,
    changedAt: new Date(row.changedAt),
    confirmedBy: row.confirmedBy as ConfirmedBy,
  };
}

export const VERSION_COLUMNS = 'type, id, name, version, at, actor, change, document';
export type VersionRow = Omit<typeof ruleVersions.$inferSelect, 'seq'>;

export function toRuleVersion(row: VersionRow): RuleVersion {
  return {
    type: row.type,
    id: row.id,
    name: row.name,
    version: row.version,
    at: new Date(row.at),
    actor: row.actor,
    change: row.change as RuleVersion['change'],
    document: StoredJson.ofText(row.document),
  };
}

export const LOG_COLUMNS = 'id, at, source, has_error AS hasError, message, details, wording';
export type LogRow = typeof logEntries.$inferSelect;

export function toLogEntry(row: LogRow): LogEntry {
  return {
    id: row.id,
    at: new Date(row.at),
    message: row.message,
    ...wordingIn(row),
    source: row.source,
    details: JSON.parse(row.details) as LogDetail[],
    hasError: row.hasError === 1,
  };
}

export function toLogHead(row: Omit<LogRow, 'details'>): LogHead {
  const { id, at, source, message, hasError } = row;
  return { id, at: new Date(at), source, message, ...wordingIn(row), hasError: hasError === 1 };
}

function wordingIn({ wording }: Pick<LogRow, 'wording'>): Pick<LogHead, 'wording'> {
  return wording === null ? {} : { wording: JSON.parse(wording) as WordingParts };
}

export const AUDIT_COLUMNS =
  'id, at, actor, entrance, address, operation, subject, outcome, request_id AS requestId, details, seq, mark';
export type AuditRow = typeof auditEntries.$inferSelect;

export function toAuditEntry(row: AuditRow): AuditEntry {
  const { seq: _seq, mark: _mark, ...entry } = row;
  return { ...entry, at: new Date(row.at) };
}

export function toKeptAuditEntry(row: AuditRow): KeptAuditEntry {
  const { seq, mark } = row;
  return { ...toAuditEntry(row), link: seq === null ? null : { seq, mark: mark ?? '' } };
}

export const SESSION_COLUMNS =
  'id, user_id AS userId, credential, begun_at AS begunAt, seen_at AS seenAt, address, client, method, subject, ' +
  'provider_session AS providerSession, kept, vouched_at AS vouchedAt, asked_at AS askedAt';
export type SessionRow = Omit<typeof sessions.$inferSelect, 'failures'>;

export function toSession(row: SessionRow): SessionRecord {
  const { method, subject, providerSession, kept, vouchedAt, askedAt, begunAt, seenAt, ...others } = row;
  const session = { ...others, begunAt: new Date(begunAt), seenAt: new Date(seenAt) };
  if (method === null) return session;
  const signIn: SessionSignIn = {
    method,
    subject: subject ?? '',
    session: providerSession ?? '',
    kept: kept ?? '',
    vouchedAt: new Date(vouchedAt ?? 0),
    askedAt: new Date(askedAt ?? 0),
  };
  return { ...session, signIn };
}

export function fromSession({ begunAt, seenAt, signIn, ...others }: SessionRecord): SessionRow {
  return {
    ...others,
    begunAt: begunAt.getTime(),
    seenAt: seenAt.getTime(),
    method: signIn?.method ?? null,
    subject: signIn?.subject ?? null,
    providerSession: signIn?.session ?? null,
    kept: signIn?.kept ?? null,
    vouchedAt: signIn?.vouchedAt.getTime() ?? null,
    askedAt: signIn?.askedAt.getTime() ?? null,
  };
}

export const CRON_COLUMNS =
  'group_id AS groupId, last_start AS lastStart, last_end AS lastEnd, message, has_error AS hasError, requested, ' +
  'attempts, holder, lease_until AS leaseUntil';
export type CronRow = typeof cronStates.$inferSelect;

export function toCronState(row: CronRow, now: number): CronState {
  return {
    groupId: row.groupId,
    lastStart: new Date(row.lastStart),
    lastEnd: row.lastEnd === null ? null : new Date(row.lastEnd),
    message: row.message,
    hasError: row.hasError === 1,
    holder: row.holder,
    isHeld: row.leaseUntil > now,
    requested: row.requested === 1,
    attempts: row.attempts,
  };
}

export const ACTIVE_RUN_COLUMNS =
  'id, account_id AS accountId, lease_until AS leaseUntil, cancel_requested AS cancelRequested, run, progress';
export const OUTBOX_COLUMNS =
  'place, id, receiver, topic, at, state, body, attempts, due_at AS dueAt, error, settled_at AS settledAt, holder, lease_until AS leaseUntil';
export type OutboxRow = typeof outbox.$inferSelect;

export type ActiveRunRow = typeof activeRuns.$inferSelect;

export function toStoredRun({ run, progress, cancelRequested, ...row }: ActiveRunRow): StoredActiveRun {
  return {
    ...JSON.parse(run),
    ...row,
    progress: progress === null ? null : JSON.parse(progress),
    cancelRequested: cancelRequested === 1,
  };
}

export const PLAYBOOK_RUN_COLUMNS =
  'id, playbook, provider, hostname, check_mode AS checkMode, source, started_by AS startedBy, started_at AS startedAt, ' +
  'ended_at AS endedAt, status, exit_code AS exitCode, message, lease_until AS leaseUntil, choices';
export type PlaybookRunRow = Omit<typeof playbookRuns.$inferSelect, 'output' | 'cancelRequested'>;

export function toPlaybookRun(row: PlaybookRunRow, now: number): PlaybookRun {
  const { leaseUntil, choices, ...run } = row;
  const isLost = row.status === 'running' && leaseUntil <= now;
  return {
    ...run,
    checkMode: row.checkMode === 1,
    source: row.source as PlaybookRun['source'],
    startedAt: new Date(row.startedAt),
    endedAt: row.endedAt === null ? null : new Date(row.endedAt),
    status: isLost ? 'lost' : (row.status as PlaybookRunStatus),
    ...(choices !== null && { choices: JSON.parse(choices) }),
  };
}
