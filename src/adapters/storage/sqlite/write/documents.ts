import { replacementChanges } from '../../../../app/hosts/decisions/replacement.ts';
import type { Actor, ArchiveReason } from '../../../../ports/index.ts';
import { type ChangeBy, remember, type WriteContext } from './context.ts';
import { archiveOf, counted, findHost, stateOf, type WrittenHost } from './host-row.ts';

/** A whole record on its way into the store. */
export interface SentDocument {
  readonly hostname: string;
  readonly accountId: string | null;
  readonly isObject: boolean;
  readonly objectType: string;
  readonly labels: string;
  readonly inventory: string;
  readonly members: string;
  readonly folder: string | null;
  readonly createdAt: number;
  readonly lastSeen: number | null;
  readonly lastUpdate: number | null;
  readonly archivedAt: number | null;
  readonly archivedBy: ArchiveReason | null;
  readonly mode: 'skip' | 'replace';
  readonly relations: readonly { readonly type: string; readonly target: string; readonly source: string }[];
}

export interface DocumentsMessage extends ChangeBy {
  readonly documents: readonly SentDocument[];
}

export function putDocuments(context: WriteContext, message: DocumentsMessage): boolean[] {
  return message.documents.map((document) => {
    const present = findHost(context.connection, document.hostname);
    if (present !== undefined && document.mode === 'skip') return false;
    if (present === undefined) insertDocument(context, document, message.actor);
    else replaceDocument(context, document, present, message);
    putRelations(context, document);
    context.changes.added({
      hostname: document.hostname,
      accountId: document.accountId,
      isObject: document.isObject,
      archived: document.archivedAt !== null,
      seenAt: document.lastSeen ?? document.createdAt,
    });
    if (document.archivedAt === null || present?.archivedAt === null) context.changes.revision('hosts');
    return true;
  });
}

function insertDocument({ connection }: WriteContext, document: SentDocument, actor: Actor): void {
  const id = connection.insert(
    `INSERT INTO hosts (hostname, account_id, is_object, object_type, labels, inventory, members, folder, created_at,
     created_kind, created_by, last_update, archived_at, archived_by) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    document.hostname,
    document.accountId,
    document.isObject ? 1 : 0,
    document.objectType,
    document.labels,
    document.inventory,
    document.members,
    document.folder,
    document.createdAt,
    actor.kind,
    actor.name,
    document.lastUpdate,
    document.archivedAt,
    document.archivedBy,
  );
  connection.run('INSERT INTO host_marks (id, last_seen, run_id) VALUES (?, ?, NULL)', id, document.lastSeen);
}

function replaceDocument(context: WriteContext, document: SentDocument, present: WrittenHost, by: ChangeBy): void {
  const { connection } = context;
  context.changes.removed(counted(present));
  rememberReplacement(context, document, present, by);
  connection.run('DELETE FROM contributions WHERE host_id = ?', present.id);
  connection.run(
    `UPDATE hosts SET account_id = ?, is_object = ?, object_type = ?, labels = ?, inventory = ?, members = ?, folder = ?,
     created_at = ?, last_update = ?, archived_at = ?, archived_by = ?, contributed = 0 WHERE id = ?`,
    document.accountId,
    document.isObject ? 1 : 0,
    document.objectType,
    document.labels,
    document.inventory,
    document.members,
    document.folder,
    document.createdAt,
    document.lastUpdate,
    document.archivedAt,
    document.archivedBy,
    present.id,
  );
  connection.run('UPDATE host_marks SET last_seen = ?, run_id = NULL WHERE id = ?', document.lastSeen, present.id);
  connection.run('DELETE FROM relations WHERE hostname = ?', document.hostname);
}

function putRelations({ connection }: WriteContext, document: SentDocument): void {
  for (const edge of document.relations) {
    connection.run(
      'INSERT INTO relations (hostname, type, target, source) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
      document.hostname,
      edge.type,
      edge.target,
      edge.source,
    );
  }
}

function rememberReplacement(context: WriteContext, now: SentDocument, present: WrittenHost, by: ChangeBy): void {
  const old = context.connection.get<{ labels: string; inventory: string }>(
    'SELECT labels, inventory FROM hosts WHERE id = ?',
    present.id,
  ) ?? { labels: '{}', inventory: '{}' };
  const archive = archiveOf(now.archivedAt, now.archivedBy);
  for (const change of replacementChanges({ ...stateOf(present), ...old }, { ...now, archive })) {
    remember(context, now.hostname, by, change);
  }
}
