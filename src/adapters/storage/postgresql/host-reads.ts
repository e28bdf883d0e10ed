import { charactersOf } from '../../../app/hosts/decisions/host-size.ts';
import { scopeTest } from '../../../app/hosts/decisions/scope.ts';
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
import { accountHostsOf } from '../shared/host-counts.ts';
import { wellFormed } from '../shared/utf8-order.ts';
import type { Database, Sql } from './database.ts';
import { type Conditions, conditionsOf, HOST_COLUMNS, type HostRow, reachesNone, toHostRecord } from './host-rows.ts';
import { SEARCHED } from './schema.ts';

/** Number of rows weighed at once before their texts are read. */
const WEIGHED = 2_000;

/**
 * Hosts by hostname, at most `limit`; fewer where their texts hold `PAGE_CHARACTERS` together. Texts are read only of those that
 * are answered: their sizes are known without reading them.
 */
async function readFrom(sql: Sql, conditions: Conditions, limit: number, offset = 0): Promise<HostRecord[]> {
  const size = 'octet_length(h.labels) + octet_length(h.inventory)';
  const rows = await sql.rows<HostRow>(
    `SELECT ${HOST_COLUMNS.replaceAll(/[hm]\./g, '')} FROM
       (SELECT ${HOST_COLUMNS}, sum(${size}) OVER (ORDER BY h.hostname) - (${size}) AS before
        FROM muster.hosts h JOIN muster.host_marks m USING (id) WHERE ${conditions.text}
        ORDER BY h.hostname LIMIT ${limit} OFFSET ${offset}) weighed
     WHERE before < ${PAGE_CHARACTERS} ORDER BY hostname`,
    conditions.values,
  );
  return rows.map(toHostRecord);
}

export interface PageRequest {
  readonly filter: HostFilter;
  readonly offset: number;
  readonly limit: number;
  readonly after?: string | undefined;
}

export async function readPage(sql: Sql, { filter, offset, limit, after }: PageRequest): Promise<HostRecord[]> {
  if (limit <= 0 || reachesNone(filter.scope)) return [];
  const found: HostRecord[] = [];
  let characters = 0;
  let last = after === undefined ? undefined : wellFormed(after);
  let skipped = Math.max(0, offset);
  while (found.length < limit && characters < PAGE_CHARACTERS) {
    const wanted = Math.min(limit - found.length, WEIGHED);
    const conditions = conditionsOf(filter);
    if (last !== undefined) conditions.add('h.hostname > ?', last);
    const batch = await readFrom(sql, conditions, wanted, skipped);
    skipped = 0;
    found.push(...batch);
    last = batch.at(-1)?.hostname;
    const size = charactersOf(batch);
    characters += size;
    // Bytes are weighed, so a batch may end before it holds that many characters.
    if (last === undefined || (batch.length < wanted && size * 4 < PAGE_CHARACTERS)) break;
  }
  return found;
}

/** Batches of pages that are as large as pages may be: the next page is asked for while this one is worked on. */
export async function* scanHosts(
  read: (request: PageRequest) => Promise<HostRecord[]>,
  filter: HostFilter,
  batchSize: number,
  start?: string,
): AsyncGenerator<readonly HostRecord[]> {
  const limit = Math.max(batchSize, WEIGHED);
  const pageAfter = (after: string | undefined): Promise<HostRecord[]> => {
    const page = read({ filter, offset: 0, limit, after });
    page.catch(() => undefined);
    return page;
  };
  let next: Promise<HostRecord[]> | undefined = pageAfter(start);
  while (next !== undefined) {
    const page: HostRecord[] = await next;
    const last = page.at(-1);
    if (last === undefined) return;
    next = page.length < limit && charactersOf(page) < PAGE_CHARACTERS ? undefined : pageAfter(last.hostname);
    for (let from = 0; from < page.length; from += batchSize) yield page.slice(from, from + batchSize);
  }
}

/** The records of these names, by name; each once. */
export async function readEach(sql: Sql, hostnames: readonly string[]): Promise<ReadonlyMap<string, HostRecord>> {
  const found = new Map<string, HostRecord>();
  let rest = [...new Set(hostnames)];
  while (rest.length > 0) {
    const asked = rest.slice(0, WEIGHED);
    const batch = await readFrom(sql, conditionsOf(EVERY).add('h.hostname = ANY(?::text[])', asked), asked.length);
    for (const record of batch) found.set(record.hostname, record);
    const last = batch.at(-1);
    const size = charactersOf(batch);
    const isCut = last !== undefined && size * 4 >= PAGE_CHARACTERS;
    rest = isCut ? rest.filter((name) => !found.has(name)) : rest.slice(asked.length);
  }
  return found;
}

/** Which of these are active and in scope. */
export async function visibleNames(
  sql: Sql,
  hostnames: readonly string[],
  scope: HostScope,
): Promise<ReadonlySet<string>> {
  const rows = await sql.rows<[string, string | null, string]>(
    'SELECT hostname, account_id, members FROM muster.hosts WHERE hostname = ANY($1::text[]) AND archived_at IS NULL',
    [hostnames],
  );
  const reaches = scopeTest(scope);
  return new Set(rows.filter(([, accountId, members]) => reaches({ accountId, members })).map(([name]) => name));
}

const EVERY: HostFilter = { scope: null, kind: 'all', state: 'any' };

/** Matches of a search that one step reads, at first and at most. */
const FIRST_MATCHES = 100;
const MOST_MATCHES = 2_000;
/** Number of hosts examined in a step without a suitable index. */
const LOOKED_AT = 5_000;

/** Yields the steps of a search: by the index of trigrams if there is one, else through all hosts a few thousand at a time. */
export async function* searchHosts(
  database: Database,
  { filter, holding, after }: HostSearch,
  isIndexed: boolean,
): AsyncGenerator<HostSearchStep> {
  if (reachesNone(filter.scope)) return;
  let last = after === undefined ? undefined : wellFormed(after);
  for (let size = FIRST_MATCHES; ; size = Math.min(size * 4, MOST_MATCHES)) {
    const step = await database.snapshot((sql) => searchStep(sql, { filter, holding, last, size, isIndexed }));
    if (step === undefined) return;
    yield step;
    last = step.last;
  }
}

interface SearchRequest extends Pick<HostSearch, 'filter' | 'holding'> {
  readonly last: string | undefined;
  readonly size: number;
  readonly isIndexed: boolean;
}

async function searchStep(sql: Sql, request: SearchRequest): Promise<HostSearchStep | undefined> {
  const { filter, holding, last, size, isIndexed } = request;
  const behind = (): Conditions => {
    const conditions = conditionsOf(filter);
    return last === undefined ? conditions : conditions.add('h.hostname > ?', last);
  };
  const limit = isIndexed && holding.length > 0 ? undefined : LOOKED_AT;
  const walked = behind();
  const [end] = await sql.rows<[string | null, number]>(
    limit === undefined
      ? `SELECT max(hostname), count(*) FROM muster.hosts h WHERE ${walked.text}`
      : `SELECT max(hostname), count(*) FROM (SELECT hostname FROM muster.hosts h WHERE ${walked.text} ORDER BY hostname LIMIT ${limit}) w`,
    walked.values,
  );
  const through = end?.[0] ?? null;
  if (end === undefined || through === null) return undefined;
  const conditions = behind().add('h.hostname <= ?', through);
  for (const texts of holding) {
    const patterns = texts.map((text) => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`);
    conditions.add(`(${patterns.map(() => `${SEARCHED} ILIKE ?`).join(' OR ')})`, ...patterns);
  }
  const wanted = limit === undefined ? size : LOOKED_AT;
  const hosts = await readFrom(sql, conditions, wanted);
  const isCut = hosts.length >= wanted || charactersOf(hosts) * 4 >= PAGE_CHARACTERS;
  const lastFound = hosts.at(-1)?.hostname;
  if (!isCut || lastFound === undefined || lastFound === through) return { hosts, looked: end[1], last: through };
  const counted = behind().add('h.hostname <= ?', lastFound);
  const [looked] = await sql.rows<[number]>(
    `SELECT count(*) FROM muster.hosts h WHERE ${counted.text}`,
    counted.values,
  );
  return { hosts, looked: looked?.[0] ?? 0, last: lastFound };
}

export async function countHosts(sql: Sql, filter: HostFilter): Promise<number> {
  if (reachesNone(filter.scope)) return 0;
  const conditions = conditionsOf(filter);
  const [row] = await sql.rows<[number]>(
    `SELECT count(*) FROM muster.hosts h WHERE ${conditions.text}`,
    conditions.values,
  );
  return row?.[0] ?? 0;
}

export async function countsByAccount(sql: Sql): Promise<AccountHosts[]> {
  const rows = await sql.rows<[string | null, boolean, boolean, number]>(
    'SELECT account_id, archived_at IS NOT NULL, is_object, count(*) FROM muster.hosts GROUP BY 1, 2, 3',
  );
  return accountHostsOf(
    rows.map(([account, isArchived, isObject, count]) => ({ account, isArchived, isObject, count })),
  );
}

export async function readCounters(sql: Sql, scope: HostScope, checkpoint: number): Promise<HostCounters> {
  if (reachesNone(scope)) return { hosts: 0, objects: 0, notSeenSince: 0 };
  const conditions = conditionsOf({ scope, kind: 'all', state: 'active' });
  const limit = `$${conditions.values.push(checkpoint)}`;
  const [row] = await sql.rows<[number, number, number]>(
    `SELECT count(*) FILTER (WHERE NOT h.is_object), count(*) FILTER (WHERE h.is_object),
       count(*) FILTER (WHERE NOT h.is_object AND coalesce(m.last_seen, h.created_at) < ${limit})
     FROM muster.hosts h JOIN muster.host_marks m USING (id) WHERE ${conditions.text}`,
    conditions.values,
  );
  const [hosts = 0, objects = 0, notSeenSince = 0] = row ?? [];
  return { hosts, objects, notSeenSince };
}
