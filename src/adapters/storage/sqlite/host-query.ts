import { charactersOf } from '../../../app/hosts/decisions/host-size.ts';
import {
  type AccountHosts,
  type HostCounters,
  type HostFilter,
  type HostRecord,
  type HostScope,
  type HostSearch,
  type HostSearchStep,
  PAGE_CHARACTERS,
} from '../../../ports/index.ts';
import type { Connection, SqlValue } from './connection.ts';
import { HOST_COLUMNS, type HostRow, toHostRecord } from './rows.ts';

/** Reading many hosts: which index serves a filter, pages at any depth, counts. */

/** Above this number of accounts, merging their indexes costs more than a walk over all hosts. */
const MAX_MERGED_ACCOUNTS = 60;

/** One part of a query, in order of hostname by its index. Several parts are merged by SQLite without sorting. */
interface Arm {
  /** `null` where few hosts are looked up one by one, and sorted. */
  readonly index: string | null;
  readonly condition: string;
  readonly values: readonly SqlValue[];
}

export interface PageRequest {
  readonly filter: HostFilter;
  readonly offset: number;
  readonly limit: number;
  readonly after?: string | undefined;
}

export function readPage(connection: Connection, request: PageRequest): HostRecord[] {
  if (request.limit <= 0 || reachesNone(request.filter.scope)) return [];
  const parts = arms(connection, request.filter);
  if (request.offset <= 0) return readFrom(connection, parts, '>', request.after, request.limit);
  return connection.snapshot(() => {
    const start = nameAt(connection, request);
    return start === undefined ? [] : readFrom(connection, parts, '>=', start, request.limit);
  });
}

/** Number of hosts examined while other work waits: some milliseconds. */
const SEARCHED_AT_ONCE = 2_000;

/** One step of a search; `undefined` if there are no more hosts. */
export function searchStep(connection: Connection, { filter, holding, after }: HostSearch): HostSearchStep | undefined {
  if (reachesNone(filter.scope)) return undefined;
  return connection.snapshot(() => {
    const parts = arms(connection, filter);
    const { sql, values } = query(parts, 'h.hostname FROM hosts h', '', '>', after);
    const names = connection.allRaw<[string]>(`${sql} LIMIT ?`, ...values, SEARCHED_AT_ONCE).map(([name]) => name);
    const last = names.at(-1);
    if (last === undefined) return undefined;
    const hosts = readFrom(connection, narrowed(parts, last, holding), '>', after, names.length);
    const stopped = charactersOf(hosts) < PAGE_CHARACTERS ? last : (hosts.at(-1)?.hostname ?? last);
    return { hosts, looked: names.indexOf(stopped) + 1, last: stopped };
  });
}

/** Up to a hostname, and only hosts that hold a text of each list. */
function narrowed(parts: readonly Arm[], last: string, holding: HostSearch['holding']): readonly Arm[] {
  const held = ['h.hostname', 'h.labels', 'h.inventory'].map((column) => `${column} LIKE ? ESCAPE '!'`).join(' OR ');
  const lists = holding.map((texts) => `(${texts.map(() => held).join(' OR ')})`);
  const patterns = holding.flat().map((text) => `%${text.replaceAll(/[!%_]/g, '!$&')}%`);
  const values = [last, ...patterns.flatMap((pattern) => [pattern, pattern, pattern])];
  return parts.map((arm) => ({
    ...arm,
    condition: [arm.condition, 'h.hostname <= ?', ...lists].join(' AND '),
    values: [...arm.values, ...values],
  }));
}

function readFrom(
  connection: Connection,
  parts: readonly Arm[],
  operator: '>' | '>=',
  bound: string | undefined,
  limit: number,
): HostRecord[] {
  const records: HostRecord[] = [];
  let characters = 0;
  const { sql, values } = query(
    parts,
    `${HOST_COLUMNS} FROM hosts h`,
    ' CROSS JOIN host_marks m ON m.id = h.id',
    operator,
    bound,
  );
  connection.takeRaw<HostRow>(`${sql} LIMIT ?`, [...values, limit], (row) => {
    const record = toHostRecord(row);
    records.push(record);
    characters += charactersOf([record]);
    return characters >= PAGE_CHARACTERS;
  });
  return records;
}

/** The hostname `offset` places after the start of the filter, or after `after`. */
function nameAt(connection: Connection, request: PageRequest): string | undefined {
  const { filter, offset, after } = request;
  if (filter.scope === null && filter.kind === 'hosts' && filter.state === 'active') {
    return nameByRanges(connection, offset, after);
  }
  const { sql, values } = query(arms(connection, filter), 'h.hostname FROM hosts h', '', '>', after);
  return connection.getRaw<[string]>(`${sql} LIMIT 1 OFFSET ?`, ...values, offset)?.[0];
}

/** As `nameAt` for all active hosts: walks the ranges that the writer keeps, then the rest inside one of them. */
function nameByRanges(connection: Connection, offset: number, after: string | undefined): string | undefined {
  const active = 'FROM hosts INDEXED BY hosts_active WHERE archived_at IS NULL AND is_object = 0';
  let rest = offset;
  if (after !== undefined) {
    const before =
      connection.getRaw<[number]>(
        `SELECT (SELECT coalesce(sum(hosts), 0) FROM host_ranges WHERE first < r.first)
              + (SELECT count(*) ${active} AND hostname >= r.first AND hostname <= ?)
         FROM host_ranges r WHERE first <= ? ORDER BY first DESC LIMIT 1`,
        after,
        after,
      )?.[0] ?? 0;
    rest += before;
  }
  for (const [first, hosts] of connection.allRaw<[string, number]>(
    'SELECT first, hosts FROM host_ranges ORDER BY first',
  )) {
    if (rest < hosts) {
      return connection.getRaw<[string]>(
        `SELECT hostname ${active} AND hostname >= ? ORDER BY hostname LIMIT 1 OFFSET ?`,
        first,
        rest,
      )?.[0];
    }
    rest -= hosts;
  }
  return undefined;
}

function query(
  parts: readonly Arm[],
  select: string,
  join: string,
  operator: '>' | '>=',
  bound: string | undefined,
): { readonly sql: string; readonly values: SqlValue[] } {
  const values: SqlValue[] = [];
  const texts = parts.map((arm) => {
    values.push(...arm.values);
    if (bound !== undefined) values.push(bound);
    const from = bound === undefined ? '' : ` AND h.hostname ${operator} ?`;
    const by = arm.index === null ? 'NOT INDEXED' : `INDEXED BY ${arm.index}`;
    return `SELECT ${select} ${by}${join} WHERE ${arm.condition}${from}`;
  });
  const order = parts.length === 1 ? 'h.hostname' : '1';
  return { sql: `${texts.join(' UNION ALL ')} ORDER BY ${order}`, values };
}

function reachesNone(scope: HostScope): boolean {
  return scope?.accounts?.length === 0 || scope?.templates?.length === 0;
}

function arms(connection: Connection, filter: HostFilter): Arm[] {
  const templates = filter.scope?.templates ?? null;
  if (templates === null) return armsOfAccounts(filter);
  const wanted = JSON.stringify(templates);
  const few = connection.getRaw<[number]>(
    `SELECT count(*) FROM (SELECT 1 FROM host_templates WHERE template IN (SELECT value FROM json_each(?)) LIMIT ?)`,
    wanted,
    FEW_OF_TEMPLATES,
  );
  if ((few?.[0] ?? 0) < FEW_OF_TEMPLATES) {
    const { condition, values } = chosen(filter.scope);
    return [{ index: null, condition: [condition, ...conditionsOf(filter)].join(' AND '), values }];
  }
  const named =
    'EXISTS (SELECT 1 FROM host_templates t WHERE t.host_id = h.id AND t.template IN (SELECT value FROM json_each(?)))';
  return armsOfAccounts(filter).map((arm) => ({
    ...arm,
    condition: `${arm.condition} AND ${named}`,
    values: [...arm.values, wanted],
  }));
}

/** Up to this number, sorting the hosts of some templates is faster than finding them on a walk over all hosts. */
const FEW_OF_TEMPLATES = 2_000;

/** The hosts of some templates by their ids, and of the accounts where the scope names these too. */
function chosen(scope: HostScope): { readonly condition: string; readonly values: readonly SqlValue[] } {
  const list = '(SELECT value FROM json_each(?))';
  const templates = `h.id IN (SELECT host_id FROM host_templates WHERE template IN ${list})`;
  const wanted = JSON.stringify(scope?.templates ?? []);
  const accounts = scope?.accounts ?? null;
  if (accounts === null) return { condition: templates, values: [wanted] };
  return { condition: `${templates} AND h.account_id IN ${list}`, values: [wanted, JSON.stringify(accounts)] };
}

function armsOfAccounts(filter: HostFilter): Arm[] {
  const limit = filter.scope?.accounts ?? null;
  if (limit === null) return armsOfAll(filter);
  const accounts = [...new Set(limit)];
  if (accounts.length <= MAX_MERGED_ACCOUNTS) {
    const condition = ['h.account_id = ?', ...conditionsOf(filter)].join(' AND ');
    return accounts.map((account) => ({ index: 'hosts_account', condition, values: [account] }));
  }
  const scope = 'h.account_id IN (SELECT value FROM json_each(?))';
  const values = [JSON.stringify(accounts)];
  return armsOfAll(filter).map((arm) => ({ ...arm, condition: `${arm.condition} AND ${scope}`, values }));
}

const ACTIVE_HOSTS: Arm = { index: 'hosts_active', condition: 'h.archived_at IS NULL AND h.is_object = 0', values: [] };

/** Each arm is answered by its index alone, so that an offset skips entries of the index and reads no host. */
function armsOfAll(filter: HostFilter): Arm[] {
  const { kind, state } = filter;
  if (kind === 'all' && state === 'any') return [{ index: 'hosts_hostname', condition: 'true', values: [] }];
  if (kind === 'hosts' && state === 'active') return [ACTIVE_HOSTS];
  const condition = conditionsOf(filter).join(' AND ');
  if (kind === 'objects') return [{ index: 'hosts_objects', condition, values: [] }];
  if (state === 'archived') return [{ index: 'hosts_archived', condition, values: [] }];
  if (kind === 'hosts') {
    const archived = 'h.archived_at IS NOT NULL AND h.is_object = 0';
    return [ACTIVE_HOSTS, { index: 'hosts_archived', condition: archived, values: [] }];
  }
  const objects = 'h.archived_at IS NULL AND h.is_object = 1';
  return [ACTIVE_HOSTS, { index: 'hosts_objects', condition: objects, values: [] }];
}

function conditionsOf({ kind, state }: HostFilter): string[] {
  const conditions: string[] = [];
  if (state === 'active') conditions.push('h.archived_at IS NULL');
  if (state === 'archived') conditions.push('h.archived_at IS NOT NULL');
  if (kind !== 'all') conditions.push(`h.is_object = ${kind === 'objects' ? 1 : 0}`);
  return conditions;
}

interface Totals {
  readonly hosts: number;
  readonly objects: number;
  readonly archivedHosts: number;
  readonly archivedObjects: number;
}

/** Counts hosts one by one: no counters are kept by template. */
function totalsOfTemplates(connection: Connection, scope: HostScope): Totals {
  const { condition, values } = chosen(scope);
  const counted = (archived: string, isObject: number, name: string): string =>
    `coalesce(sum(h.archived_at IS ${archived} AND h.is_object = ${isObject}), 0) AS ${name}`;
  const sums = [
    counted('NULL', 0, 'hosts'),
    counted('NULL', 1, 'objects'),
    counted('NOT NULL', 0, 'archivedHosts'),
    counted('NOT NULL', 1, 'archivedObjects'),
  ];
  const found = connection.get<Totals>(
    `SELECT ${sums.join(', ')} FROM hosts h NOT INDEXED WHERE ${condition}`,
    ...values,
  );
  return found ?? NO_TOTALS;
}

const NO_TOTALS: Totals = { hosts: 0, objects: 0, archivedHosts: 0, archivedObjects: 0 };

function totals(connection: Connection, scope: HostScope): Totals {
  if (scope !== null && scope.templates !== null) return totalsOfTemplates(connection, scope);
  const accounts = scope?.accounts ?? null;
  const sums =
    'SELECT coalesce(sum(hosts), 0) AS hosts, coalesce(sum(objects), 0) AS objects, ' +
    'coalesce(sum(archived_hosts), 0) AS archivedHosts, coalesce(sum(archived_objects), 0) AS archivedObjects ' +
    'FROM account_counters';
  if (accounts === null) return connection.get<Totals>(sums) ?? NO_TOTALS;
  // The row `''` counts what belongs to no account, which is in no scope.
  const condition = " WHERE account_id <> '' AND account_id IN (SELECT value FROM json_each(?))";
  return connection.get<Totals>(sums + condition, JSON.stringify(accounts)) ?? NO_TOTALS;
}

export function readCount(connection: Connection, filter: HostFilter): number {
  const all = totals(connection, filter.scope);
  let count = 0;
  if (filter.kind !== 'objects' && filter.state !== 'archived') count += all.hosts;
  if (filter.kind !== 'hosts' && filter.state !== 'archived') count += all.objects;
  if (filter.kind !== 'objects' && filter.state !== 'active') count += all.archivedHosts;
  if (filter.kind !== 'hosts' && filter.state !== 'active') count += all.archivedObjects;
  return count;
}

export function readCountsByAccount(connection: Connection): AccountHosts[] {
  const archived = 'archived_hosts + archived_objects';
  const rows = connection.allRaw<[accountId: string, hosts: number, objects: number, archived: number]>(
    `SELECT account_id, hosts, objects, ${archived} FROM account_counters
     WHERE hosts + objects + ${archived} > 0 ORDER BY account_id`,
  );
  return rows.map(([accountId, hosts, objects, inArchive]) => {
    return { accountId: accountId === '' ? null : accountId, hosts, objects, archived: inArchive };
  });
}

export const HOUR = 3_600_000;

export function readCounters(connection: Connection, scope: HostScope, checkpoint: number): HostCounters {
  if (scope !== null && scope.templates !== null) return countersOfTemplates(connection, scope, checkpoint);
  const accounts = scope?.accounts ?? null;
  const hour = Math.floor(checkpoint / HOUR) * HOUR;
  return connection.snapshot(() => {
    const { hosts, objects } = totals(connection, scope);
    const scoped =
      accounts === null ? '' : "AND a.account_id <> '' AND a.account_id IN (SELECT value FROM json_each(?))";
    const values: SqlValue[] = [hour, hour, checkpoint];
    if (accounts !== null) values.push(JSON.stringify(accounts));
    const unseen = connection.getRaw<[number | null]>(
      `SELECT sum(s.hosts) FROM account_counters a CROSS JOIN seen_counts s ON s.account_id = a.account_id
       WHERE ((s.unit = 1 AND s.at < ?) OR (s.unit = 0 AND s.at >= ? AND s.at < ?)) ${scoped}`,
      ...values,
    );
    return { hosts, objects, notSeenSince: unseen?.[0] ?? 0 };
  });
}

function countersOfTemplates(connection: Connection, scope: HostScope, checkpoint: number): HostCounters {
  const { condition, values } = chosen(scope);
  return connection.snapshot(() => {
    const { hosts, objects } = totalsOfTemplates(connection, scope);
    const unseen = connection.getRaw<[number]>(
      `SELECT count(*) FROM hosts h NOT INDEXED CROSS JOIN host_marks m ON m.id = h.id
       WHERE ${condition} AND h.archived_at IS NULL AND h.is_object = 0 AND coalesce(m.last_seen, h.created_at) < ?`,
      ...values,
      checkpoint,
    );
    return { hosts, objects, notSeenSince: unseen?.[0] ?? 0 };
  });
}
