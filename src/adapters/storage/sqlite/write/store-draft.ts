import type { DraftHost, HostDraft } from '../../../../app/hosts/decisions/host-draft.ts';
import type { HostLayer } from '../../../../app/hosts/decisions/label-layers.ts';
import type { SeenAgain } from '../../../../app/hosts/decisions/named-change.ts';
import { templatesOf } from '../../../../kit/document/templates.ts';
import type { Actor } from '../../../../ports/index.ts';
import { notesOfDraft } from '../../shared/feed-notes.ts';
import type { Connection, SqlValue } from '../connection.ts';
import type { Changes, Counted } from './changes.ts';
import { remember, type WriteContext } from './context.ts';
import type { LoadedHost, LoadedRow } from './loaded-host.ts';

/** Writes what a draft made different of a host, with its history, relations, counters and revision. */
export function storeDraft(context: WriteContext, draft: HostDraft, loaded: LoadedHost | undefined): void {
  const { connection, changes } = context;
  const { hostname, host, createdBy, history, reachBefore } = draft;
  if (loaded !== undefined) {
    update(connection, loaded, draft.changes);
    recount(changes, hostname, loaded);
  } else if (host !== undefined && createdBy !== undefined) {
    insert(connection, hostname, host, createdBy.actor);
    changes.added(counted(hostname, host));
  }
  if (history.length > 0 || createdBy !== undefined || reachBefore !== undefined) {
    const numbers = history.map((entry) => remember(context, hostname, entry, entry));
    changes.addToFeed(notesOfDraft(draft, numbers, () => templatesOf(host?.members ?? '{}')));
  }
  if (draft.relations !== undefined) replaceRelations(connection, hostname, draft.relations);
  if (draft.visible) changes.revision('hosts');
}

const MARK = 'UPDATE host_marks SET last_seen = ?, run_id = ? WHERE id = ?';

/** Writes that a likely host was seen: what `storeDraft` would do, without a draft. */
export function storeLastSeen(
  { connection, changes }: WriteContext,
  row: LoadedRow,
  { lastSeen, runId }: Pick<SeenAgain<unknown>, 'lastSeen' | 'runId'>,
): void {
  connection.run(MARK, lastSeen, runId, row[0]);
  if (row[2] === 0) changes.seen(row[1], row[7] ?? row[6], lastSeen);
}

function insert(connection: Connection, hostname: string, host: DraftHost, creator: Actor): void {
  const { inventory, members, folder, archive } = host;
  const isPlain = inventory === '{}' && folder === null && archive === null;
  const plain = [
    hostname,
    host.accountId,
    host.isObject ? 1 : 0,
    host.objectType,
    host.createdAt,
    creator.kind,
    creator.name,
    host.lastUpdate,
    host.labels,
  ];
  const id = isPlain
    ? connection.insert(INSERT_PLAIN, ...plain)
    : connection.insert(INSERT, ...plain, inventory, folder, archive?.at ?? null, archive?.by ?? null);
  // An update notes the templates that members name; what imports create has none, and pays nothing for them.
  if (members !== '{}') connection.run('UPDATE hosts SET members = ? WHERE id = ?', members, id);
  connection.run('INSERT INTO host_marks (id, last_seen, run_id) VALUES (?, ?, ?)', id, host.lastSeen, host.runId);
}

const PLAIN = 'hostname, account_id, is_object, object_type, created_at, created_kind, created_by, last_update, labels';
const INSERT = `INSERT INTO hosts (${PLAIN}, inventory, folder, archived_at, archived_by)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
/** For records created by imports and the interface; the defaults of the other columns are cheaper than their values. */
const INSERT_PLAIN = `INSERT INTO hosts (${PLAIN}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`;

type Column = readonly [name: string, value: SqlValue];

/** The columns of `hosts` that hold a changed member; marks and layers have tables of their own. */
const COLUMNS: { readonly [Member in keyof DraftHost]?: (changes: Required<DraftHost>) => readonly Column[] } = {
  accountId: ({ accountId }) => [['account_id', accountId]],
  isObject: ({ isObject }) => [['is_object', isObject ? 1 : 0]],
  objectType: ({ objectType }) => [['object_type', objectType]],
  folder: ({ folder }) => [['folder', folder]],
  createdAt: ({ createdAt }) => [['created_at', createdAt]],
  lastUpdate: ({ lastUpdate }) => [['last_update', lastUpdate]],
  labels: ({ labels }) => [['labels', labels]],
  inventory: ({ inventory }) => [['inventory', inventory]],
  members: ({ members }) => [['members', members]],
  archive: ({ archive }) => [
    ['archived_at', archive?.at ?? null],
    ['archived_by', archive?.by ?? null],
  ],
  layers: ({ layers }) => [['contributed', layers.length > 0 ? 1 : 0]],
};

function update(connection: Connection, loaded: LoadedHost, changes: Partial<DraftHost>): void {
  const id = loaded.row[0];
  const columns: string[] = [];
  const values: SqlValue[] = [];
  for (const member in changes) {
    // A member is among the changes with its value.
    for (const column of COLUMNS[member as keyof DraftHost]?.(changes as Required<DraftHost>) ?? []) {
      columns.push(`${column[0]} = ?`);
      values.push(column[1]);
    }
  }
  if (changes.lastSeen !== undefined || changes.runId !== undefined) {
    connection.run(MARK, loaded.lastSeen, loaded.runId, id);
  }
  if (columns.length > 0) {
    connection.run(`UPDATE hosts SET ${columns.join(', ')} WHERE id = ?`, ...values, id);
  }
  if (changes.layers !== undefined) replaceLayers(connection, id, loaded.storedLayers, changes.layers);
}

function replaceLayers(
  connection: Connection,
  hostId: number,
  before: readonly HostLayer[],
  after: readonly HostLayer[],
): void {
  const kept = new Set(after.map((layer) => layer.accountId));
  for (const { accountId } of before) {
    if (kept.has(accountId)) continue;
    connection.run('DELETE FROM contributions WHERE host_id = ? AND account_id = ?', hostId, accountId);
  }
  for (const layer of after) {
    if (before.includes(layer)) continue;
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
}

function replaceRelations(connection: Connection, hostname: string, relations: HostDraft['relations'] = []): void {
  connection.run('DELETE FROM relations WHERE hostname = ?', hostname);
  for (const { type, target, source } of relations) {
    const sql = 'INSERT INTO relations (hostname, type, target, source) VALUES (?, ?, ?, ?)';
    connection.run(sql, hostname, type, target, source);
  }
}

function recount(changes: Changes, hostname: string, host: LoadedHost): void {
  // Not by destructuring: an iterator for each row costs more than all else here.
  const { row, accountId, isObject, archive } = host;
  const wasObject = row[2] === 1;
  const wasArchived = row[3] !== null;
  const seenAt = row[7] ?? row[6];
  const isArchived = archive !== null;
  if (row[1] !== accountId || wasObject !== isObject || wasArchived !== isArchived) {
    changes.removed({ hostname, accountId: row[1], isObject: wasObject, archived: wasArchived, seenAt });
    changes.added(counted(hostname, host));
  } else if (!isObject && !isArchived) changes.seen(accountId, seenAt, host.lastSeen ?? host.createdAt);
}

function counted(hostname: string, { accountId, isObject, archive, lastSeen, createdAt }: DraftHost): Counted {
  return { hostname, accountId, isObject, archived: archive !== null, seenAt: lastSeen ?? createdAt };
}
