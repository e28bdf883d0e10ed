import { archiveStale, archiveUnseen } from '../../../app/hosts/decisions/archive.ts';
import { withdrawContributions } from '../../../app/hosts/decisions/contribution.ts';
import type { NamedChange } from '../../../app/hosts/decisions/named-change.ts';
import { isProtected } from '../../../app/hosts/decisions/protection.ts';
import { renameChange } from '../../../app/hosts/decisions/rename.ts';
import { isArchived, scopeTest } from '../../../app/hosts/decisions/scope.ts';
import { sweepDecision } from '../../../app/hosts/decisions/sweep.ts';
import { templatesOf } from '../../../kit/document/templates.ts';
import {
  type Actor,
  type Clock,
  type HostRename,
  type HostScope,
  type HostStore,
  type PurgeOutcome,
  type RenameOutcome,
  StoredJson,
} from '../../../ports/index.ts';
import { movesOfHost, removalsOfHost } from '../records/host-records.ts';
import { reachNote, type TimedNote } from '../shared/feed-notes.ts';
import { type ChangeHosts, hostWrites, named } from '../shared/host-writes.ts';
import { wellFormed } from '../shared/utf8-order.ts';
import type { Database, Sql } from './database.ts';
import { addToFeed, bumpRevision, nextNumbers, rememberChanges } from './feed.ts';
import { changeHosts, lockHosts } from './host-changes.ts';
import {
  countHosts,
  countsByAccount,
  readCounters,
  readEach,
  readPage,
  scanHosts,
  searchHosts,
  visibleNames,
} from './host-reads.ts';
import { recordsOf, removeKeyRanges } from './records.ts';

interface HostSettings {
  readonly clock: Clock;
  readonly maxBytes: number;
  /** Whether searches have an index. */
  isIndexed(): boolean;
}

interface ChangedBy {
  readonly at: Date;
  readonly actor: Actor;
}

/** Hosts in PostgreSQL. Each call that writes is one transaction. */
export function postgresqlHosts(database: Database, { clock, maxBytes, isIndexed }: HostSettings): HostStore {
  const change: ChangeHosts = (named, request) => {
    for (const text of request.texts) JSON.parse(text);
    if (named.isQuestion === true) return changeHosts(database, named, request, maxBytes);
    return database.transaction((sql) => changeHosts(sql, named, request, maxBytes));
  };

  /** Changes hosts that a query found, in the same transaction. None of these lets a host grow. */
  const changeFound = <Message>(
    sql: Sql,
    found: NamedChange<Message, null, boolean>,
    message: Message,
    names: readonly string[],
  ): Promise<readonly boolean[]> => changeHosts(sql, found, { message, ...named(names) }, Number.POSITIVE_INFINITY);

  const findEach: HostStore['findEach'] = async (hostnames) => {
    const names = hostnames.map(wellFormed);
    const found = await readEach(database, names);
    return names.map((name) => found.get(name));
  };
  const find: HostStore['find'] = async (hostname) => (await findEach([hostname]))[0];

  return {
    ...hostWrites(async (...request) => change(...request), clock),

    find,

    async get(hostname, scope) {
      const host = await find(hostname);
      if (host === undefined || host.archive !== null) return undefined;
      return scopeTest(scope)({ accountId: host.accountId, members: host.members.text }) ? host : undefined;
    },

    findEach,

    visible: (hostnames, scope) => visibleNames(database, hostnames.map(wellFormed), scope),

    withdrawContributions: ({ accountId, runId = null, seenBefore, except, at, actor }) =>
      database.transaction(async (sql) => {
        const limit = seenBefore?.getTime() ?? null;
        const rows = await sql.rows<[string]>(
          `SELECT h.hostname FROM muster.contributions c JOIN muster.hosts h ON h.id = c.host_id
           WHERE c.account_id = $1 AND ($2::text IS NULL OR (c.run_id IS DISTINCT FROM $2 AND h.archived_at IS NULL))
           AND ($3::bigint IS NULL OR c.at < $3) AND h.hostname <> ALL($4::text[]) ORDER BY h.hostname`,
          [accountId, runId, limit, except.map(wellFormed)],
        );
        const message = { accountId, runId, seenBefore: limit, at, actor };
        const changed = await changeFound(
          sql,
          withdrawContributions,
          message,
          rows.map(([name]) => name),
        );
        return changed.filter(Boolean).length;
      }),

    async contributions(hostname) {
      const rows = await database.rows<[string, number, boolean, string, number]>(
        `SELECT c.account_id, c.precedence, c.is_owner, c.labels, c.at FROM muster.contributions c
         JOIN muster.hosts h ON h.id = c.host_id WHERE h.hostname = $1 ORDER BY c.precedence DESC, c.account_id DESC`,
        [wellFormed(hostname)],
      );
      return rows.map(([accountId, precedence, owner, labels, at]) => {
        return { accountId, precedence, owner, labels: StoredJson.ofText(labels), at: new Date(at) };
      });
    },

    rename: ({ hosts, ...by }) => database.transaction((sql) => renameHosts(sql, hosts, by)),

    archiveUnseen: ({ seenBefore, except, objectType = null, ...sweep }) =>
      database.transaction(async (sql) => {
        const rows = await sql.rows<[string]>(
          `SELECT h.hostname FROM muster.hosts h JOIN muster.host_marks m USING (id)
           WHERE h.account_id = $1 AND h.archived_at IS NULL AND m.run_id IS DISTINCT FROM $2
           AND (m.last_seen IS NULL OR m.last_seen < $3) AND h.hostname <> ALL($4::text[])
           AND ($5::text IS NULL OR h.object_type = $5) ORDER BY h.hostname`,
          [sweep.accountId, sweep.runId, seenBefore.getTime(), except.map(wellFormed), objectType],
        );
        const candidates = rows.map(([name]) => name);
        const result = sweepDecision({ ...sweep, candidates });
        const message = { ...sweep, seenBefore: seenBefore.getTime() };
        if (result.archived > 0) await changeFound(sql, archiveUnseen, message, candidates);
        return result;
      }),

    archiveStale: ({ seenBefore, accountId = null, at, actor }) =>
      database.transaction(async (sql) => {
        const message = { seenBefore: seenBefore.getTime(), accountId, at, actor };
        const rows = await sql.rows<[string]>(
          `SELECT h.hostname FROM muster.hosts h JOIN muster.host_marks m USING (id)
           WHERE h.archived_at IS NULL AND NOT h.is_object AND coalesce(m.last_seen, h.created_at) < $1
           AND ($2::text IS NULL OR h.account_id = $2) ORDER BY h.hostname`,
          [message.seenBefore, accountId],
        );
        const names = rows.map(([name]) => name);
        const archived = await changeFound(sql, archiveStale, message, names);
        return names.filter((_, index) => archived[index]);
      }),

    purgeArchived: (before, by) =>
      database.transaction(async (sql) => {
        const rows = await sql.rows<[string, string]>(
          'SELECT hostname, members FROM muster.hosts WHERE archived_at < $1 ORDER BY hostname',
          [before.getTime()],
        );
        const old = rows.filter(([, members]) => !isProtected(members)).map(([name]) => name);
        const outcomes = await purge(sql, old, null, by);
        return outcomes.filter((outcome) => outcome === 'purged').length;
      }),

    purge: ({ hostnames, scope, ...by }) =>
      database.transaction((sql) => purge(sql, hostnames.map(wellFormed), scope, by)),

    count: (filter) => countHosts(database, filter),

    countByAccount: () => countsByAccount(database),

    page: (request) => readPage(database, request),

    scan: (...request) => scanHosts((page) => readPage(database, page), ...request),

    search: (request) => searchHosts(database, request, isIndexed()),

    counters: ({ scope, checkpoint }) => readCounters(database, scope, checkpoint.getTime()),
  };
}

interface FoundHost {
  readonly id: number;
  readonly accountId: string | null;
  readonly members: string;
  readonly archive: { readonly at: number; readonly by: 'operator' } | null;
}

/** Hosts by name, locked. */
async function lockedHosts(sql: Sql, hostnames: readonly string[]): Promise<Map<string, FoundHost>> {
  const ids = await lockHosts(sql, hostnames);
  const rows = await sql.rows<[number, string, string | null, string, number | null]>(
    'SELECT id, hostname, account_id, members, archived_at FROM muster.hosts WHERE id = ANY($1::bigint[])',
    [ids],
  );
  return new Map(
    rows.map(([id, hostname, accountId, members, archivedAt]) => {
      const archive = archivedAt === null ? null : { at: archivedAt, by: 'operator' as const };
      return [hostname, { id, accountId, members, archive }];
    }),
  );
}

/** Deletes archived hosts for good, with all that hangs on their names. */
async function purge(
  sql: Sql,
  hostnames: readonly string[],
  scope: HostScope,
  { at, actor }: ChangedBy,
): Promise<readonly PurgeOutcome[]> {
  const reaches = scopeTest(scope);
  const hosts = await lockedHosts(sql, hostnames);
  const gone = new Map<string, FoundHost>();
  const outcomes = hostnames.map((hostname): PurgeOutcome => {
    const host = hosts.get(hostname);
    if (!isArchived(host, reaches) || gone.has(hostname)) return 'not_found';
    gone.set(hostname, host);
    return 'purged';
  });
  if (gone.size === 0) return outcomes;
  const names = [...gone.keys()];
  await sql.run('DELETE FROM muster.hosts WHERE id = ANY($1::bigint[])', [[...gone.values()].map(({ id }) => id)]);
  for (const table of ['host_changes', 'relations', 'account_marks'])
    await sql.run(`DELETE FROM muster.${table} WHERE hostname = ANY($1::text[])`, [names]);
  await sql.run('DELETE FROM muster.relations WHERE target = ANY($1::text[])', [names]);
  await removeKeyRanges(sql, names.flatMap(removalsOfHost));
  const notes = [...gone].map(([hostname, { accountId, members }]): TimedNote<number> => {
    const reach = reachNote({ accountId, templates: templatesOf(members) });
    return { at, actor, note: { kind: 'deleted', hostname, ...reach } };
  });
  await addToFeed(sql, notes);
  return outcomes;
}

/** Tables in which rows belong to a host by its name, with the columns that are unique together with it. */
const NAMED_ROWS = [
  { table: 'relations', column: 'hostname', others: ['type', 'target', 'source'] },
  { table: 'relations', column: 'target', others: ['type', 'hostname', 'source'] },
  { table: 'account_marks', column: 'hostname', others: ['kind', 'value', 'account_id'] },
] as const;

async function renameHosts(sql: Sql, given: readonly HostRename[], by: ChangedBy): Promise<readonly RenameOutcome[]> {
  const hosts = given.map(({ from, to }) => ({ from: wellFormed(from), to: wellFormed(to) }));
  const known = await lockedHosts(sql, [...new Set(hosts.flatMap(({ from, to }) => [from, to]))]);
  const outcomes: RenameOutcome[] = [];
  const notes: TimedNote<number>[] = [];
  for (const rename of hosts) {
    const host = known.get(rename.from);
    if (host === undefined) outcomes.push('not_found');
    else if (known.has(rename.to)) outcomes.push('name_taken');
    else {
      known.delete(rename.from);
      known.set(rename.to, host);
      notes.push(await renameHost(sql, host, rename, by));
      outcomes.push('renamed');
    }
  }
  await addToFeed(sql, notes);
  if (notes.length > 0) await bumpRevision(sql, 'hosts');
  return outcomes;
}

async function renameHost(
  sql: Sql,
  { id, accountId, members }: FoundHost,
  rename: HostRename,
  { at, actor }: ChangedBy,
): Promise<TimedNote<number>> {
  const { from, to } = rename;
  await sql.run(
    'UPDATE muster.hosts SET hostname = $2, last_update = greatest(coalesce(last_update, 0), $3) WHERE id = $1',
    [id, to, at.getTime()],
  );
  await sql.run('UPDATE muster.host_changes SET hostname = $2 WHERE hostname = $1', [from, to]);
  // Rows that are at the new name already give way to those that come.
  for (const { table, column, others } of NAMED_ROWS) {
    const same = others.map((name) => `old.${name} = moved.${name}`).join(' AND ');
    await sql.run(
      `DELETE FROM muster.${table} old USING muster.${table} moved WHERE moved.${column} = $1 AND old.${column} = $2 AND ${same}`,
      [from, to],
    );
    await sql.run(`UPDATE muster.${table} SET ${column} = $2 WHERE ${column} = $1`, [from, to]);
  }
  await sql.run('DELETE FROM muster.relations WHERE hostname = $1 AND target = $1', [to]);
  const records = recordsOf(sql);
  await records.write(await movesOfHost(records, rename));
  const [number = 0] = await nextNumbers(sql, 1);
  await rememberChanges(sql, [{ hostname: to, at, actor, ...renameChange(rename) }], [number]);
  const reach = reachNote({ accountId, templates: templatesOf(members) });
  return { at, actor, note: { kind: 'renamed', hostname: to, from, change: number, ...reach } };
}
