import type { TransferPart, TransferRecord } from '../../../../ports/index.ts';
import { itemOf, refuseOtherVersion, type TransferItem } from '../../shared/transfer-table.ts';
import type { Connection } from '../connection.ts';
import { type PlacedPart, rowAt } from '../transfer-reads.ts';
import { PART_ROWS } from '../transfer-rows.ts';
import type { WriteContext } from './context.ts';
import { counted, findHost } from './host-row.ts';
import { storeRule } from './rules.ts';

export interface TransferMessage {
  readonly part: TransferPart;
  readonly records: readonly TransferRecord[];
}

/** Stores transferred records as they are. */
export function writeTransfer(context: WriteContext, { part, records }: TransferMessage): void {
  if ((part === 'hosts' || part === 'host_changes') && records.length > 0) renewFeed(context);
  putRecords(context, part, records);
}

function putRecords<Part extends TransferPart>(
  context: WriteContext,
  part: Part,
  records: readonly TransferRecord[],
): void {
  const put = SPECIAL[part];
  const { replace } = PART_ROWS[part];
  for (const record of records) {
    const item = itemOf(part, record);
    if (put === undefined) context.connection.run(replace, ...PART_ROWS[part].values(item));
    else put(context, item);
  }
}

/** Parts that are more than rows to be replaced. */
const SPECIAL: { readonly [Part in TransferPart]?: (context: WriteContext, item: TransferItem<Part>) => void } = {
  rules: storeRule,
  rule_versions: putVersion,
  hosts: putHost,
  contributions: putContribution,
  host_changes: putChange,
};

function putVersion({ connection }: WriteContext, item: TransferItem<'rule_versions'>): void {
  const present = rowAt(connection, 'rule_versions', [item.type, item.id, item.place]);
  if (present !== undefined) refuseOtherVersion(PART_ROWS.rule_versions.item(present), item);
  putPlaced(connection, 'rule_versions', item, present?.[2]);
}

/** Changes of hosts that are not there are left out. */
function putChange({ connection }: WriteContext, item: TransferItem<'host_changes'>): void {
  const present = rowAt(connection, 'host_changes', [item.hostname, item.at, item.place]);
  if (present === undefined && connection.getRaw('SELECT 1 FROM hosts WHERE hostname = ?', item.hostname) === undefined)
    return;
  putPlaced(connection, 'host_changes', item, present?.[2]);
}

/** Stores a row under the number of the one that has its place, or as the newest. */
function putPlaced<Part extends PlacedPart>(
  connection: Connection,
  part: Part,
  item: TransferItem<Part>,
  seq: number | null = null,
): void {
  const rows = PART_ROWS[part];
  connection.run(rows.replace, ...rows.values(item).with(rows.columns.indexOf('seq'), seq));
}

const HOST = PART_ROWS.hosts.without('members', 'lastSeen', 'runId');
const PUT_HOST = `INSERT INTO hosts (${HOST.columns}) VALUES (${HOST.columns.map(() => '?')})
  ON CONFLICT (hostname) DO UPDATE SET ${HOST.columns.map((name) => `${name} = excluded.${name}`)}`;
/** Members come by an update, which notes the templates that they name. */
const PUT_MEMBERS = 'UPDATE hosts SET members = ? WHERE hostname = ? AND members <> ?';
const PUT_MARK =
  'INSERT OR REPLACE INTO host_marks (last_seen, run_id, id) SELECT ?, ?, id FROM hosts WHERE hostname = ?';

function putHost({ connection, changes }: WriteContext, host: TransferItem<'hosts'>): void {
  const present = findHost(connection, host.hostname);
  if (present !== undefined) changes.removed(counted(present));
  connection.run(PUT_HOST, ...HOST.values(host));
  connection.run(PUT_MEMBERS, host.members, host.hostname, host.members);
  connection.run(PUT_MARK, host.lastSeen, host.runId, host.hostname);
  changes.added({
    hostname: host.hostname,
    accountId: host.accountId,
    isObject: host.isObject,
    archived: host.archive !== null,
    seenAt: host.lastSeen ?? host.createdAt,
  });
  changes.revision('hosts');
}

/** Drops all earlier entries of the feed and invalidates earlier cursors. */
function renewFeed({ connection, changes }: WriteContext): void {
  changes.flush(connection);
  connection.run('DELETE FROM host_feed');
  connection.run('UPDATE host_feed_state SET feed = lower(hex(randomblob(16))), pruned = last_place');
}

const CONTRIBUTION = PART_ROWS.contributions.without('hostname');
const PUT_CONTRIBUTION = `INSERT OR REPLACE INTO contributions (host_id, ${CONTRIBUTION.columns})
  SELECT id, ${CONTRIBUTION.columns.map(() => '?')} FROM hosts WHERE hostname = ?`;

function putContribution({ connection }: WriteContext, item: TransferItem<'contributions'>): void {
  const written = connection.run(PUT_CONTRIBUTION, ...CONTRIBUTION.values(item), item.hostname);
  if (written === 0) return;
  connection.run('UPDATE hosts SET contributed = 1 WHERE hostname = ? AND contributed = 0', item.hostname);
}

/** Children before their hosts; the counters of hosts go with them. */
const TABLES = [
  'contributions',
  'host_marks',
  'host_changes',
  'relations',
  'account_marks',
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
  'sign_ins',
  'token_uses',
  'used_once',
  'cron_states',
  'active_runs',
  'outbox',
  'outbox_marks',
  'playbook_runs',
  'playbook_matches',
  'host_comments',
  'plan_entries',
  'plans',
  'ownership',
  'host_counts',
  'rules',
] as const;

export function clearEverything(context: WriteContext, _: null): void {
  const { connection, changes } = context;
  renewFeed(context);
  for (const [type] of connection.allRaw<[string]>('SELECT DISTINCT type FROM rules'))
    changes.revision(`rules/${type}`);
  if (connection.getRaw('SELECT 1 FROM hosts LIMIT 1') !== undefined) changes.revision('hosts');
  // Changes of earlier jobs are added to the counters first, so that they are cleared with them.
  changes.flush(connection);
  for (const table of TABLES) connection.run(`DELETE FROM ${table}`);
}
