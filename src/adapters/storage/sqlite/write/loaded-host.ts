import type { DraftHost } from '../../../../app/hosts/decisions/host-draft.ts';
import type { HostLayer } from '../../../../app/hosts/decisions/label-layers.ts';
import type { ArchiveReason } from '../../../../ports/index.ts';
import type { Connection } from '../connection.ts';
import { archiveOf } from './host-row.ts';

const COLUMNS =
  'h.id, h.account_id, h.is_object, h.archived_at, h.archived_by, h.contributed, h.created_at, m.last_seen, m.run_id';
const FROM = 'FROM hosts h CROSS JOIN host_marks m ON m.id = h.id WHERE h.hostname = ?';
const HOST = `SELECT ${COLUMNS}, 0, h.object_type, h.folder, h.last_update ${FROM}`;
/** A column costs about as much as the decision, so these are only what every label write looks at. */
const HOST_AND_SAME = `SELECT ${COLUMNS}, h.labels = ? ${FROM}`;
const DETAILS = 'SELECT object_type, folder, last_update FROM hosts WHERE id = ?';

type Row = readonly [
  id: number,
  accountId: string | null,
  isObject: number,
  archivedAt: number | null,
  archivedBy: ArchiveReason | null,
  contributed: number,
  createdAt: number,
  lastSeen: number | null,
  runId: string | null,
  same: number,
];

type Details = readonly [objectType: string, folder: string | null, lastUpdate: number | null];

/** A host as it is stored, without what may be large. */
export type LoadedRow = Row | readonly [...Row, ...Details];

/** Details of a host that was deleted between two reads of a query. */
const NO_DETAILS: Details = ['host', null, null];
const NO_LAYERS: readonly HostLayer[] = [];

/** A host for a draft. Large values are read only when they are accessed. */
export class LoadedHost implements DraftHost {
  readonly row: LoadedRow;
  accountId: string | null;
  isObject: boolean;
  archive: DraftHost['archive'];
  createdAt: number;
  lastSeen: number | null;
  runId: string | null;
  readonly #connection: Connection;
  #objectType: string | undefined;
  #folder: string | null | undefined;
  #lastUpdate: number | null | undefined;
  #storedDetails: Details | undefined;
  #labels: string | undefined;
  #inventory: string | undefined;
  #members: string | undefined;
  #layers: readonly HostLayer[] | undefined;
  #stored: readonly HostLayer[] | undefined;

  constructor(connection: Connection, row: LoadedRow, labels: string | undefined) {
    this.row = row;
    this.accountId = row[1];
    this.isObject = row[2] === 1;
    this.archive = archiveOf(row[3], row[4]);
    this.createdAt = row[6];
    this.lastSeen = row[7];
    this.runId = row[8];
    this.#connection = connection;
    this.#labels = labels;
  }

  get objectType(): string {
    return this.#objectType ?? this.#details[0];
  }

  set objectType(objectType: string) {
    this.#objectType = objectType;
  }

  get folder(): string | null {
    return this.#folder === undefined ? this.#details[1] : this.#folder;
  }

  set folder(folder: string | null) {
    this.#folder = folder;
  }

  get lastUpdate(): number | null {
    return this.#lastUpdate === undefined ? this.#details[2] : this.#lastUpdate;
  }

  set lastUpdate(lastUpdate: number | null) {
    this.#lastUpdate = lastUpdate;
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
    if (this.row[5] === 0) return NO_LAYERS;
    this.#stored ??= this.#connection
      .all<Omit<HostLayer, 'owner'> & { readonly isOwner: number }>(
        `SELECT account_id AS accountId, precedence, is_owner AS isOwner, labels, at, run_id AS runId
         FROM contributions WHERE host_id = ?`,
        this.row[0],
      )
      .map(({ isOwner, ...layer }) => ({ ...layer, owner: isOwner === 1 }));
    return this.#stored;
  }

  get #details(): Details {
    const { row } = this;
    this.#storedDetails ??=
      row.length === 13
        ? [row[10], row[11], row[12]]
        : (this.#connection.getRaw<Details>(DETAILS, row[0]) ?? NO_DETAILS);
    return this.#storedDetails;
  }

  #read(sql: string): string {
    return this.#connection.getRaw<[string]>(sql, this.row[0])?.[0] ?? '{}';
  }
}

/**
 * The fast path of imports, where most hosts are unchanged: the database compares the labels that are `likely` there with the
 * stored ones, in the one row that is read anyway, and labels that are the same to the letter are never read.
 */
export function loadRow(connection: Connection, hostname: string, likely: string | undefined): LoadedRow | undefined {
  return likely === undefined
    ? connection.getRaw<LoadedRow>(HOST, hostname)
    : connection.getRaw<LoadedRow>(HOST_AND_SAME, likely, hostname);
}

/** Whether the host is not archived, no other account contributes to it, and its labels are the likely ones. */
export function isLikely(row: LoadedRow): boolean {
  return row[9] === 1 && row[3] === null && row[5] === 0;
}

/** A host for a draft, of the row that was read with the `likely` labels. */
export function hostOf(connection: Connection, row: LoadedRow, likely: string | undefined): LoadedHost {
  return new LoadedHost(connection, row, row[9] === 1 ? likely : undefined);
}

/** Lengths come from the heads of the rows: long texts themselves are not read. */
const SIZE = `SELECT octet_length(inventory) + octet_length(members) + CASE contributed WHEN 0 THEN octet_length(labels)
  ELSE (SELECT sum(octet_length(c.labels)) FROM contributions c WHERE c.host_id = h.id) END FROM hosts h WHERE id = ?`;

/** The bytes of the stored host. */
export function sizeOf(connection: Connection, hostId: number): number {
  return connection.getRaw<[number]>(SIZE, hostId)?.[0] ?? 0;
}
