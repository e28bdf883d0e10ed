import { AppError, type TransferPart, type TransferRecord } from '../../../../ports/index.ts';
import {
  auditChainItem,
  auditItem,
  contributionItem,
  cronStateItem,
  hostChangeItem,
  hostItem,
  isSameVersion,
  logItem,
  playbookMatchItem,
  playbookRunItem,
  type RuleVersionItem,
  relationItem,
  ruleItem,
  ruleVersionItem,
  tokenUseItem,
} from '../../shared/transfer-records.ts';
import { putAuditRow } from './audit.ts';
import type { WriteContext } from './context.ts';
import { counted, findHost } from './host-row.ts';
import { storeRule } from './rules.ts';

export interface TransferMessage {
  readonly part: TransferPart;
  readonly records: readonly TransferRecord[];
}

/** Stores transferred records as they are. */
export function writeTransfer(context: WriteContext, { part, records }: TransferMessage): void {
  for (const record of records) WRITERS[part](context, record);
}

const WRITERS: Readonly<Record<TransferPart, (context: WriteContext, record: TransferRecord) => void>> = {
  rules: (context, record) => storeRule(context, ruleItem(record)),
  rule_versions: putVersion,
  hosts: putHost,
  contributions: putContribution,
  relations: putRelation,
  host_changes: putChange,
  logs: putLog,
  audit: (context, record) => putAuditRow(context, auditItem(record), 'INSERT OR REPLACE'),
  audit_chain: putAuditChain,
  token_uses: putTokenUse,
  cron_states: putCronState,
  playbook_runs: putPlaybookRun,
  playbook_matches: putPlaybookMatch,
};

interface StoredVersion extends Pick<RuleVersionItem, 'version' | 'at' | 'change'> {
  readonly seq: number;
}

function putVersion({ connection }: WriteContext, record: TransferRecord): void {
  const item = ruleVersionItem(record);
  const present = connection.get<StoredVersion>(
    'SELECT seq, version, at, change FROM rule_versions WHERE type = ? AND id = ? ORDER BY seq LIMIT 1 OFFSET ?',
    item.type,
    item.id,
    item.place,
  );
  if (present !== undefined) {
    if (!isSameVersion(present, item)) {
      throw new AppError('conflict', `another version of ${item.type} ${item.name} is stored in place of this one`);
    }
    connection.run(
      'UPDATE rule_versions SET name = ?, actor = ?, document = ? WHERE seq = ?',
      item.name,
      item.actor,
      item.document,
      present.seq,
    );
    return;
  }
  connection.run(
    'INSERT INTO rule_versions (type, id, name, version, at, actor, change, document) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    item.type,
    item.id,
    item.name,
    item.version,
    item.at,
    item.actor,
    item.change,
    item.document,
  );
}

function putHost({ connection, changes }: WriteContext, record: TransferRecord): void {
  const host = hostItem(record);
  const present = findHost(connection, host.hostname);
  if (present !== undefined) changes.removed(counted(present));
  const id = connection.getRaw<[number]>(
    `INSERT INTO hosts (hostname, account_id, is_object, object_type, labels, inventory, members, folder, created_at,
     created_kind, created_by, last_update, archived_at, archived_by) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (hostname) DO UPDATE SET account_id = excluded.account_id, is_object = excluded.is_object,
     object_type = excluded.object_type, labels = excluded.labels, inventory = excluded.inventory,
     members = excluded.members, folder = excluded.folder, created_at = excluded.created_at,
     created_kind = excluded.created_kind, created_by = excluded.created_by, last_update = excluded.last_update,
     archived_at = excluded.archived_at, archived_by = excluded.archived_by RETURNING id`,
    host.hostname,
    host.accountId,
    host.isObject ? 1 : 0,
    host.objectType,
    host.labels,
    host.inventory,
    host.members,
    host.folder,
    host.createdAt,
    host.createdBy.kind,
    host.createdBy.name,
    host.lastUpdate,
    host.archive?.at ?? null,
    host.archive?.by ?? null,
  )?.[0] as number;
  connection.run(
    `INSERT INTO host_marks (id, last_seen, run_id) VALUES (?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET last_seen = excluded.last_seen, run_id = excluded.run_id`,
    id,
    host.lastSeen,
    host.runId,
  );
  changes.added({
    hostname: host.hostname,
    accountId: host.accountId,
    isObject: host.isObject,
    archived: host.archive !== null,
    seenAt: host.lastSeen ?? host.createdAt,
  });
  changes.revision('hosts');
}

function putContribution({ connection }: WriteContext, record: TransferRecord): void {
  const item = contributionItem(record);
  const written = connection.run(
    `INSERT INTO contributions (host_id, account_id, precedence, is_owner, labels, at, run_id)
     SELECT id, ?, ?, ?, ?, ?, ? FROM hosts WHERE hostname = ?
     ON CONFLICT (host_id, account_id) DO UPDATE SET precedence = excluded.precedence, is_owner = excluded.is_owner,
     labels = excluded.labels, at = excluded.at, run_id = excluded.run_id`,
    item.accountId,
    item.precedence,
    item.owner ? 1 : 0,
    item.labels,
    item.at,
    item.runId,
    item.hostname,
  );
  if (written === 0) return;
  connection.run('UPDATE hosts SET contributed = 1 WHERE hostname = ? AND contributed = 0', item.hostname);
}

function putRelation({ connection }: WriteContext, record: TransferRecord): void {
  const { hostname, type, target, source } = relationItem(record);
  connection.run(
    `INSERT INTO relations (hostname, type, target, source) VALUES (?, ?, ?, ?)
     ON CONFLICT (hostname, type, target) DO UPDATE SET source = excluded.source`,
    hostname,
    type,
    target,
    source,
  );
}

function putChange({ connection }: WriteContext, record: TransferRecord): void {
  const { hostname, at, place, actor, kind, changes } = hostChangeItem(record);
  const present = connection.getRaw<[number]>(
    'SELECT seq FROM host_changes WHERE hostname = ? AND at = ? ORDER BY seq LIMIT 1 OFFSET ?',
    hostname,
    at,
    place,
  );
  if (present !== undefined) {
    connection.run(
      'UPDATE host_changes SET actor_kind = ?, actor_name = ?, kind = ?, changes = ? WHERE seq = ?',
      actor.kind,
      actor.name,
      kind,
      changes,
      present[0],
    );
    return;
  }
  connection.run(
    `INSERT INTO host_changes (hostname, at, actor_kind, actor_name, kind, changes)
     SELECT ?, ?, ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM hosts WHERE hostname = ?)`,
    hostname,
    at,
    actor.kind,
    actor.name,
    kind,
    changes,
    hostname,
  );
}

function putLog({ connection }: WriteContext, record: TransferRecord): void {
  const item = logItem(record);
  connection.run(
    'INSERT OR REPLACE INTO log_entries (id, at, source, has_error, message, details) VALUES (?, ?, ?, ?, ?, ?)',
    item.id,
    item.at,
    item.source,
    item.hasError ? 1 : 0,
    item.message,
    JSON.stringify(item.details),
  );
}

function putAuditChain({ connection }: WriteContext, record: TransferRecord): void {
  connection.run('INSERT OR REPLACE INTO audit_chain (id, state) VALUES (1, ?)', auditChainItem(record));
}

function putTokenUse({ connection }: WriteContext, record: TransferRecord): void {
  const { tokenId, at } = tokenUseItem(record);
  connection.run('INSERT OR REPLACE INTO token_uses (token_id, at) VALUES (?, ?)', tokenId, at);
}

function putCronState({ connection }: WriteContext, record: TransferRecord): void {
  const item = cronStateItem(record);
  connection.run(
    `INSERT OR REPLACE INTO cron_states (group_id, last_start, last_end, message, has_error, requested, attempts, holder,
     lease_until) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0)`,
    item.groupId,
    item.lastStart,
    item.lastEnd,
    item.message,
    item.hasError ? 1 : 0,
    item.requested ? 1 : 0,
    item.attempts,
    item.holder,
  );
}

function putPlaybookRun({ connection }: WriteContext, record: TransferRecord): void {
  const item = playbookRunItem(record);
  connection.run(
    `INSERT OR REPLACE INTO playbook_runs (id, playbook, provider, hostname, check_mode, source, started_by, started_at,
     ended_at, status, exit_code, message, output, lease_until) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)`,
    item.id,
    item.playbook,
    item.provider,
    item.hostname,
    item.checkMode ? 1 : 0,
    item.source,
    item.startedBy,
    item.startedAt,
    item.endedAt,
    item.status,
    item.exitCode,
    item.message,
    item.output,
  );
}

function putPlaybookMatch({ connection }: WriteContext, record: TransferRecord): void {
  const { hostname, ruleId, playbook, since } = playbookMatchItem(record);
  connection.run(
    'INSERT OR REPLACE INTO playbook_matches (hostname, rule_id, playbook, since) VALUES (?, ?, ?, ?)',
    hostname,
    ruleId,
    playbook,
    since,
  );
}

/** Children before their hosts; the counters of hosts go with them. */
const TABLES = [
  'contributions',
  'host_marks',
  'host_changes',
  'relations',
  'hosts',
  'account_counters',
  'seen_counts',
  'host_ranges',
  'rule_versions',
  'log_entries',
  'audit_entries',
  'audit_chain',
  'audit_forwarded',
  'sessions',
  'token_uses',
  'used_once',
  'cron_states',
  'playbook_runs',
  'playbook_matches',
  'rules',
] as const;

export function clearEverything({ connection, changes }: WriteContext, _: null): void {
  for (const [type] of connection.allRaw<[string]>('SELECT DISTINCT type FROM rules'))
    changes.revision(`rules/${type}`);
  if (connection.getRaw('SELECT 1 FROM hosts LIMIT 1') !== undefined) changes.revision('hosts');
  // What jobs before this one changed goes into the counters first, so that it is cleared with them.
  changes.flush(connection);
  for (const table of TABLES) connection.run(`DELETE FROM ${table}`);
}
