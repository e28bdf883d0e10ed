import type { Actor, ArchiveReason, HostChange, TransferPart, TransferRecord } from '../../../ports/index.ts';
import { keyParts } from '../shared/transfer-key.ts';
import type { NextPage } from '../shared/transfer-pages.ts';
import {
  auditChainRecord,
  auditRecord,
  type ContributionItem,
  contributionRecord,
  cronStateRecord,
  hostChangeRecord,
  hostRecord,
  logRecord,
  type PlaybookMatchItem,
  type PlaybookRunItem,
  playbookMatchRecord,
  playbookRunRecord,
  type RelationItem,
  type RuleItem,
  type RuleVersionItem,
  relationRecord,
  ruleRecord,
  ruleVersionRecord,
  tokenUseRecord,
} from '../shared/transfer-records.ts';
import type { Connection } from './connection.ts';
import {
  AUDIT_COLUMNS,
  type AuditRow,
  CRON_COLUMNS,
  type CronRow,
  HOST_COLUMNS,
  type HostRow,
  LOG_COLUMNS,
  type LogRow,
  PLAYBOOK_RUN_COLUMNS,
  type PlaybookRunRow,
  toHostRecord,
  toLogEntry,
} from './rows.ts';

/** The table that holds a part. */
export const TRANSFER_TABLES: Readonly<Record<TransferPart, string>> = {
  rules: 'rules',
  rule_versions: 'rule_versions',
  hosts: 'hosts',
  contributions: 'contributions',
  relations: 'relations',
  host_changes: 'host_changes',
  logs: 'log_entries',
  audit: 'audit_entries',
  audit_chain: 'audit_chain',
  token_uses: 'token_uses',
  cron_states: 'cron_states',
  playbook_runs: 'playbook_runs',
  playbook_matches: 'playbook_matches',
};

/** Reads a part in order of its keys, from behind `after` on. Every page is found by an index, however deep it is. */
export function readPart(connection: Connection, part: TransferPart, after: string | undefined): NextPage {
  return READERS[part](connection, after ?? '');
}

const READERS: Readonly<Record<TransferPart, (connection: Connection, after: string) => NextPage>> = {
  rules: readRules,
  rule_versions: readVersions,
  hosts: readHosts,
  contributions: readContributions,
  relations: readRelations,
  host_changes: readChanges,
  logs: readLogs,
  audit: readAudit,
  audit_chain: readAuditChain,
  token_uses: readTokenUses,
  cron_states: readCronStates,
  playbook_runs: readPlaybookRuns,
  playbook_matches: readPlaybookMatches,
};

/** Pages of a part whose rows follow each other by the texts of their keys. */
function rowPages<Row>(
  after: string,
  rows: (after: string, limit: number) => Row[],
  toRecord: (row: Row) => TransferRecord,
): NextPage {
  let last = after;
  return (limit) => {
    const records = rows(last, limit).map(toRecord);
    last = records.at(-1)?.key ?? last;
    return { records, done: records.length < limit };
  };
}

function readRules(connection: Connection, after: string): NextPage {
  const sql = `SELECT type, id, name, unique_value AS uniqueValue, version, changed_at AS changedAt, document,
    confirmed_by AS confirmedBy FROM rules
    WHERE (type, id) > (?, ?) ORDER BY type, id LIMIT ?`;
  const rows = (last: string, limit: number) => {
    const [type, id] = keyParts(last);
    return connection.all<RuleItem>(sql, type, id, limit);
  };
  return rowPages(after, rows, ruleRecord);
}

interface VersionRow extends Omit<RuleVersionItem, 'place'> {
  readonly seq: number;
}

function readVersions(connection: Connection, after: string): NextPage {
  const sql = `SELECT seq, type, id, name, version, at, actor, change, document FROM rule_versions
    WHERE (type, id, seq) > (?, ?, ?) ORDER BY type, id, seq LIMIT ?`;
  let [type, id, place] = keyParts(after) as [string, string, string];
  let next = place === '' ? 0 : Number(place) + 1;
  let seq = -1;
  if (next > 0) {
    const found = connection.getRaw<[number]>(
      'SELECT seq FROM rule_versions WHERE type = ? AND id = ? ORDER BY seq LIMIT 1 OFFSET ?',
      type,
      id,
      next - 1,
    );
    seq = found?.[0] ?? Number.MAX_SAFE_INTEGER;
  }
  return (limit) => {
    const rows = connection.all<VersionRow>(sql, type, id, seq, limit);
    const records = rows.map((row) => {
      if (row.type !== type || row.id !== id) next = 0;
      ({ type, id, seq } = row);
      return ruleVersionRecord({ ...row, place: next++ });
    });
    return { records, done: rows.length < limit };
  };
}

type TransferHostRow = [...host: HostRow, createdKind: Actor['kind'], createdBy: string, runId: string | null];

function readHosts(connection: Connection, after: string): NextPage {
  const sql = `SELECT ${HOST_COLUMNS}, h.created_kind, h.created_by, m.run_id
    FROM hosts h CROSS JOIN host_marks m ON m.id = h.id WHERE h.hostname > ? ORDER BY h.hostname LIMIT ?`;
  const rows = (last: string, limit: number) => connection.allRaw<TransferHostRow>(sql, last, limit);
  return rowPages(after, rows, (row) => {
    const [createdKind, createdBy, runId] = row.slice(-3) as [Actor['kind'], string, string | null];
    const host = toHostRecord(row as unknown as HostRow);
    const { archive } = host;
    return hostRecord({
      ...host,
      labels: host.labels.text,
      inventory: host.inventory.text,
      members: host.members.text,
      createdAt: host.createdAt.getTime(),
      createdBy: { kind: createdKind, name: createdBy },
      lastSeen: host.lastSeen?.getTime() ?? null,
      lastUpdate: host.lastUpdate?.getTime() ?? null,
      archive: archive === null ? null : { at: archive.at.getTime(), by: archive.by as ArchiveReason },
      runId,
    });
  });
}

interface ContributionRow extends Omit<ContributionItem, 'owner'> {
  readonly isOwner: number;
}

/** Few hosts have contributions, so hosts are walked by their index, this many at a time, and looked up. */
const HOSTS_A_STEP = 2_000;

function readContributions(connection: Connection, after: string): NextPage {
  const sql = `SELECT h.hostname, c.account_id AS accountId, c.precedence, c.is_owner AS isOwner, c.labels, c.at,
    c.run_id AS runId FROM (SELECT id, hostname FROM hosts WHERE hostname >= ? AND hostname <= ?) h
    CROSS JOIN contributions c ON c.host_id = h.id WHERE h.hostname > ? OR c.account_id > ?
    ORDER BY h.hostname, c.account_id LIMIT ?`;
  const stepEnd = `SELECT max(hostname) FROM
    (SELECT hostname FROM hosts WHERE hostname >= ? ORDER BY hostname LIMIT ${HOSTS_A_STEP})`;
  let [hostname, accountId] = keyParts(after) as [string, string, string];
  return (limit) => {
    const end = connection.getRaw<[string | null]>(stepEnd, hostname)?.[0] ?? null;
    if (end === null) return { records: [], done: true };
    const rows = connection.all<ContributionRow>(sql, hostname, end, hostname, accountId, limit);
    const last = rows.at(-1);
    const finished = rows.length < limit;
    const done = finished && end === hostname;
    if (!finished && last !== undefined) ({ hostname, accountId } = last);
    else {
      // Everything up to the end of the step is read; no account comes behind this one.
      hostname = end;
      accountId = '\u{10ffff}';
    }
    const records = rows.map(({ isOwner, ...row }) => contributionRecord({ ...row, owner: isOwner === 1 }));
    return { records, done };
  };
}

function readRelations(connection: Connection, after: string): NextPage {
  const sql = `SELECT hostname, type, target, source FROM relations
    WHERE (hostname, type, target) > (?, ?, ?) ORDER BY hostname, type, target LIMIT ?`;
  const rows = (last: string, limit: number) => connection.all<RelationItem>(sql, ...keyParts(last), limit);
  return rowPages(after, rows, relationRecord);
}

interface ChangeRow {
  readonly seq: number;
  readonly hostname: string;
  readonly at: number;
  readonly actorKind: Actor['kind'];
  readonly actorName: string;
  readonly kind: HostChange['kind'];
  readonly changes: string;
}

function readChanges(connection: Connection, after: string): NextPage {
  const sql = `SELECT seq, hostname, at, actor_kind AS actorKind, actor_name AS actorName, kind, changes FROM host_changes
    WHERE (hostname, at, seq) > (?, ?, ?) ORDER BY hostname, at, seq LIMIT ?`;
  const [host, moment, place] = keyParts(after);
  let hostname = host;
  let at = moment === '' ? Number.MIN_SAFE_INTEGER : Date.parse(moment);
  let next = place === '' ? 0 : Number(place) + 1;
  let seq = -1;
  if (next > 0) {
    const found = connection.getRaw<[number]>(
      'SELECT seq FROM host_changes WHERE hostname = ? AND at = ? ORDER BY seq LIMIT 1 OFFSET ?',
      hostname,
      at,
      next - 1,
    );
    seq = found?.[0] ?? Number.MAX_SAFE_INTEGER;
  }
  return (limit) => {
    const rows = connection.all<ChangeRow>(sql, hostname, at, seq, limit);
    const records = rows.map((row) => {
      if (row.hostname !== hostname || row.at !== at) next = 0;
      ({ hostname, at, seq } = row);
      const { kind, changes } = row;
      const actor = { kind: row.actorKind, name: row.actorName };
      return hostChangeRecord({ hostname, at, place: next++, actor, kind, changes });
    });
    return { records, done: rows.length < limit };
  };
}

function readLogs(connection: Connection, after: string): NextPage {
  const sql = `SELECT ${LOG_COLUMNS} FROM log_entries WHERE id > ? ORDER BY id LIMIT ?`;
  const rows = (last: string, limit: number) => connection.all<LogRow>(sql, last, limit);
  return rowPages(after, rows, (row) => logRecord({ ...toLogEntry(row), at: row.at }));
}

function readAudit(connection: Connection, after: string): NextPage {
  const sql = `SELECT ${AUDIT_COLUMNS} FROM audit_entries WHERE id > ? ORDER BY id LIMIT ?`;
  const rows = (last: string, limit: number) => connection.all<AuditRow>(sql, last, limit);
  return rowPages(after, rows, auditRecord);
}

function readAuditChain(connection: Connection, after: string): NextPage {
  const rows = (last: string) =>
    last === '' ? connection.allRaw<[string]>('SELECT state FROM audit_chain WHERE id = 1') : [];
  return rowPages(after, rows, ([state]) => auditChainRecord(state));
}

function readTokenUses(connection: Connection, after: string): NextPage {
  const sql = 'SELECT token_id AS tokenId, at FROM token_uses WHERE token_id > ? ORDER BY token_id LIMIT ?';
  const rows = (last: string, limit: number) =>
    connection.all<{ readonly tokenId: string; readonly at: number }>(sql, last, limit);
  return rowPages(after, rows, tokenUseRecord);
}

function readCronStates(connection: Connection, after: string): NextPage {
  const sql = `SELECT ${CRON_COLUMNS} FROM cron_states WHERE group_id > ? ORDER BY group_id LIMIT ?`;
  const rows = (last: string, limit: number) => connection.all<CronRow>(sql, last, limit);
  return rowPages(after, rows, (row) =>
    cronStateRecord({ ...row, hasError: row.hasError === 1, requested: row.requested === 1 }),
  );
}

function readPlaybookRuns(connection: Connection, after: string): NextPage {
  const sql = `SELECT ${PLAYBOOK_RUN_COLUMNS}, output FROM playbook_runs WHERE id > ? ORDER BY id LIMIT ?`;
  const rows = (last: string, limit: number) =>
    connection.all<PlaybookRunRow & { readonly output: string }>(sql, last, limit);
  return rowPages(after, rows, (row) =>
    playbookRunRecord({
      ...row,
      checkMode: row.checkMode === 1,
      source: row.source as PlaybookRunItem['source'],
      status: row.status as PlaybookRunItem['status'],
    }),
  );
}

function readPlaybookMatches(connection: Connection, after: string): NextPage {
  const sql = `SELECT hostname, rule_id AS ruleId, playbook, since FROM playbook_matches
    WHERE (hostname, rule_id, playbook) > (?, ?, ?) ORDER BY hostname, rule_id, playbook LIMIT ?`;
  const rows = (last: string, limit: number) => connection.all<PlaybookMatchItem>(sql, ...keyParts(last), limit);
  return rowPages(after, rows, playbookMatchRecord);
}
