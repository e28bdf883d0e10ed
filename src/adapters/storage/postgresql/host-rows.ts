import {
  type ArchiveReason,
  type HostFilter,
  type HostRecord,
  type HostScope,
  StoredJson,
} from '../../../ports/index.ts';

export const HOST_COLUMNS = `h.hostname, h.account_id, h.is_object, h.object_type, h.labels, h.inventory, h.members, h.folder,
  h.created_at, m.last_seen, h.last_update, h.archived_at, h.archived_by`;

export type HostRow = readonly [
  hostname: string,
  accountId: string | null,
  isObject: boolean,
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

/** Most hosts have no sections or further members; values are immutable, so they share one. */
const EMPTY = StoredJson.ofText<Record<string, never>>('{}');

export function toHostRecord(row: HostRow): HostRecord {
  return {
    hostname: row[0],
    accountId: row[1],
    isObject: row[2],
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

/** Conditions with the values that they name by number. */
export class Conditions {
  readonly values: unknown[] = [];
  readonly #texts: string[] = [];

  /** `text` names the value as `?`. */
  add(text: string, ...values: readonly unknown[]): this {
    let rest = text;
    for (const value of values) rest = rest.replace('?', `$${this.values.push(value)}`);
    this.#texts.push(rest);
    return this;
  }

  get text(): string {
    return this.#texts.length === 0 ? 'true' : this.#texts.join(' AND ');
  }
}

export function reachesNone(scope: HostScope): boolean {
  return scope?.accounts?.length === 0 || scope?.templates?.length === 0;
}

/** Translates a filter to conditions on `hosts h`. */
export function conditionsOf({ kind, state, scope }: HostFilter): Conditions {
  const conditions = new Conditions();
  if (state === 'active') conditions.add('h.archived_at IS NULL');
  if (state === 'archived') conditions.add('h.archived_at IS NOT NULL');
  if (kind !== 'all') conditions.add(kind === 'objects' ? 'h.is_object' : 'NOT h.is_object');
  if (scope?.accounts != null) conditions.add('h.account_id = ANY(?::text[])', scope.accounts);
  if (scope?.templates != null) conditions.add(`h.templates <> '{}' AND h.templates && ?::text[]`, scope.templates);
  return conditions;
}
