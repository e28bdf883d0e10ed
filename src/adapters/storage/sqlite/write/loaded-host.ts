import type { DraftHost } from '../../../../app/hosts/decisions/host-draft.ts';
import type { HostLayer } from '../../../../app/hosts/decisions/label-layers.ts';
import type { ArchiveReason } from '../../../../ports/index.ts';
import type { Connection } from '../connection.ts';
import { archiveOf } from './host-row.ts';

const COLUMNS =
  'h.id, h.account_id, h.is_object, h.object_type, h.archived_at, h.archived_by, h.contributed, h.folder, ' +
  'h.created_at, h.last_update, m.last_seen, m.run_id';
const FROM = 'FROM hosts h CROSS JOIN host_marks m ON m.id = h.id WHERE h.hostname = ?';
const HOST = `SELECT ${COLUMNS} ${FROM}`;
const HOST_AND_SAME = `SELECT ${COLUMNS}, h.labels = ? ${FROM}`;

/** A host as it is stored, without what may be large. */
export type LoadedRow = readonly [
  id: number,
  accountId: string | null,
  isObject: number,
  objectType: string,
  archivedAt: number | null,
  archivedBy: ArchiveReason | null,
  contributed: number,
  folder: string | null,
  createdAt: number,
  lastUpdate: number | null,
  lastSeen: number | null,
  runId: string | null,
  same?: number,
];

const NO_LAYERS: readonly HostLayer[] = [];

/** A host for a draft. What may be large is read when somebody looks at it. */
export class LoadedHost implements DraftHost {
  readonly row: LoadedRow;
  accountId: string | null;
  isObject: boolean;
  objectType: string;
  archive: DraftHost['archive'];
  folder: string | null;
  createdAt: number;
  lastUpdate: number | null;
  lastSeen: number | null;
  runId: string | null;
  readonly #connection: Connection;
  #labels: string | undefined;
  #inventory: string | undefined;
  #members: string | undefined;
  #layers: readonly HostLayer[] | undefined;
  #stored: readonly HostLayer[] | undefined;

  constructor(connection: Connection, row: LoadedRow, labels: string | undefined) {
    this.row = row;
    this.accountId = row[1];
    this.isObject = row[2] === 1;
    this.objectType = row[3];
    this.archive = archiveOf(row[4], row[5]);
    this.folder = row[7];
    this.createdAt = row[8];
    this.lastUpdate = row[9];
    this.lastSeen = row[10];
    this.runId = row[11];
    this.#connection = connection;
    this.#labels = labels;
  }

  get labels(): string {
    this.#labels ??= this.#read('SELECT labels FROM hosts WHERE id = ?');
    return this.#labels;
  }

  set labels(text: string) {
    this.#labels = text;
  }

  get inventory(): string {
    this.#inventory ??= this.#read('SELECT inventory FROM hosts WHERE id = ?');
    return this.#inventory;
  }

  set inventory(text: string) {
    this.#inventory = text;
  }

  get members(): string {
    this.#members ??= this.#read('SELECT members FROM hosts WHERE id = ?');
    return this.#members;
  }

  set members(text: string) {
    this.#members = text;
  }

  get layers(): readonly HostLayer[] {
    return this.#layers ?? this.storedLayers;
  }

  set layers(layers: readonly HostLayer[]) {
    this.#layers = layers;
  }

  /** The layers before anything was changed. */
  get storedLayers(): readonly HostLayer[] {
    if (this.row[6] === 0) return NO_LAYERS;
    this.#stored ??= this.#connection
      .all<Omit<HostLayer, 'owner'> & { readonly isOwner: number }>(
        `SELECT account_id AS accountId, precedence, is_owner AS isOwner, labels, at, run_id AS runId
         FROM contributions WHERE host_id = ?`,
        this.row[0],
      )
      .map(({ isOwner, ...layer }) => ({ ...layer, owner: isOwner === 1 }));
    return this.#stored;
  }

  #read(sql: string): string {
    return this.#connection.getRaw<[string]>(sql, this.row[0])?.[0] ?? '{}';
  }
}

/**
 * The fast path of imports, where most hosts are unchanged: the database compares the labels that are `likely` there with the
 * stored ones, in the one row that is read anyway, and labels that are the same to the letter are never read.
 */
export function loadHost(connection: Connection, hostname: string, likely: string | undefined): LoadedHost | undefined {
  const row =
    likely === undefined
      ? connection.getRaw<LoadedRow>(HOST, hostname)
      : connection.getRaw<LoadedRow>(HOST_AND_SAME, likely, hostname);
  return row && new LoadedHost(connection, row, row[12] === 1 ? likely : undefined);
}

/** Lengths come from the heads of the rows: long texts themselves are not read. */
const SIZE = `SELECT octet_length(inventory) + octet_length(members) + CASE contributed WHEN 0 THEN octet_length(labels)
  ELSE (SELECT sum(octet_length(c.labels)) FROM contributions c WHERE c.host_id = h.id) END FROM hosts h WHERE id = ?`;

/** The bytes of the stored host. */
export function sizeOf(connection: Connection, hostId: number): number {
  return connection.getRaw<[number]>(SIZE, hostId)?.[0] ?? 0;
}
