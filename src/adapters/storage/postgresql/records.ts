import type {
  RangeRemoval,
  RecordChange,
  RecordQuery,
  RecordStore,
  RecordWrite,
  StoredRecord,
} from '../../../ports/index.ts';
import { MAX_SORT_KEYS } from '../../../ports/index.ts';
import { type Database, Rollback, type Sql } from './database.ts';
import { type Column, listsOf } from './lists.ts';

const NOW = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';
const SORTS = Array.from({ length: MAX_SORT_KEYS }, (_, number) => `s${number}`);

type RecordRow = readonly [key: string | null, value: string, version: number, now: number];

/** Records over the pool: each write is a transaction. */
export function postgresqlRecords(database: Database): RecordStore {
  return {
    ...readings(database),
    async write(changes) {
      const [only] = changes;
      if (only === undefined) return 0;
      try {
        if (changes.length === 1 && isAlone(only)) {
          await writeAlone(database, only);
          return 0;
        }
        return await database.transaction((sql) => writeAll(sql, changes));
      } catch (error) {
        if (error instanceof Rollback) return null;
        throw error;
      }
    },
  };
}

/** Records inside of a transaction, which fails as a whole where an expectation does not hold. */
export function recordsOf(sql: Sql): RecordStore {
  return { ...readings(sql), write: (changes) => writeAll(sql, changes) };
}

function readings(sql: Sql): Pick<RecordStore, 'get' | 'list' | 'count'> {
  return {
    async get(kind, keys) {
      const rows = await sql.rows<RecordRow>(
        `SELECT r.key, r.value, r.version, ${NOW} FROM (SELECT 1) one
         LEFT JOIN muster.records r ON r.kind = $1 AND r.key = ANY($2::text[])`,
        [kind, keys],
      );
      return { now: rows[0]?.[3] ?? 0, records: new Map(rows.flatMap(toRecord).map((record) => [record.key, record])) };
    },

    async list({ limit, descending = false, ...query }) {
      const { condition, order, values } = conditionOf(query);
      const direction = descending ? ' DESC' : '';
      const rows = await sql.rows<RecordRow>(
        `SELECT r.key, r.value, r.version, ${NOW} FROM (SELECT 1) one LEFT JOIN LATERAL
           (SELECT key, value, version, ${order[0]} AS sort FROM muster.records WHERE ${condition}
            ORDER BY ${order.map((column) => column + direction).join(', ')} LIMIT ${Math.max(0, Math.min(limit, 1e9))}) r ON true
         ORDER BY r.sort${direction}, r.key${direction}`,
        values,
      );
      return { now: rows[0]?.[3] ?? 0, records: rows.flatMap(toRecord) };
    },

    async count(query) {
      const { condition, values } = conditionOf(query);
      return (await sql.rows<[number]>(`SELECT count(*) FROM muster.records WHERE ${condition}`, values))[0]?.[0] ?? 0;
    },
  };
}

function toRecord([key, value, version]: RecordRow): StoredRecord[] {
  return key === null ? [] : [{ key, value, version }];
}

function conditionOf({ kind, by, from, after, before }: RecordQuery) {
  const column = by === undefined ? 'key' : (SORTS[by] ?? 's0');
  const values: unknown[] = [kind];
  const conditions = ['kind = $1'];
  if (by !== undefined) conditions.push(`${column} IS NOT NULL`);
  for (const [operator, text] of [
    ['>=', from],
    ['>', after],
    ['<', before],
  ] as const) {
    if (text !== undefined) conditions.push(`${column} ${operator} $${values.push(text)}`);
  }
  return { condition: conditions.join(' AND '), values, order: by === undefined ? ['key'] : [column, 'key'] };
}

function isAlone(change: RecordChange): change is RecordWrite & { readonly value: string } {
  return !('remove' in change) && change.value !== null && change.expect !== undefined;
}

/** One record by one statement, as most writes are. */
async function writeAlone(sql: Sql, { kind, key, value, sorts = [], expect }: RecordWrite): Promise<void> {
  const values = [kind, key, value, ...SORTS.map((_, number) => sorts[number] ?? null)];
  const written =
    expect === null
      ? await sql.run(
          `INSERT INTO muster.records (kind, key, value, ${SORTS}) VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`,
          values,
        )
      : await sql.run(
          `UPDATE muster.records SET value = $3, s0 = $4, s1 = $5, s2 = $6, s3 = $7, version = nextval('muster.record_versions')
           WHERE kind = $1 AND key = $2 AND version = $8`,
          [...values, expect],
        );
  if (written !== 1) throw new Rollback('a record has another version than was expected');
}

/** Carries out changes in their order: writes between two removals of ranges together. */
async function writeAll(sql: Sql, changes: readonly RecordChange[]): Promise<number> {
  await checkExpected(
    sql,
    changes.filter((change): change is RecordWrite => !('remove' in change)),
  );
  let removed = 0;
  let writes = new Map<string, RecordWrite>();
  for (const change of changes) {
    if ('remove' in change) {
      await carryOut(sql, [...writes.values()]);
      writes = new Map();
      removed += await removeRange(sql, change);
    } else writes.set(`${change.kind}\u0000${change.key}`, change);
  }
  await carryOut(sql, [...writes.values()]);
  return removed;
}

/** Locks the records that must have a version, and looks. A record that must not be there is found out when it is inserted. */
async function checkExpected(sql: Sql, writes: readonly RecordWrite[]): Promise<void> {
  const expected = writes.filter(({ expect }) => expect !== undefined && expect !== null);
  if (expected.length === 0) return;
  const [row] = await sql.rows<[number]>(
    `SELECT count(*) FROM (SELECT 1 FROM muster.records r
       JOIN unnest($1::text[], $2::text[], $3::bigint[]) AS e(kind, key, version) USING (kind, key, version)
       ORDER BY r.kind, r.key FOR UPDATE OF r) found`,
    [expected.map(({ kind }) => kind), expected.map(({ key }) => key), expected.map(({ expect }) => expect)],
  );
  const places = new Set(expected.map(({ kind, key }) => `${kind}\u0000${key}`));
  if (row?.[0] !== places.size) throw new Rollback('a record has another version than was expected');
}

async function carryOut(sql: Sql, writes: readonly RecordWrite[]): Promise<void> {
  const gone = writes.filter(({ value }) => value === null);
  if (gone.length > 0) {
    await sql.run(
      `DELETE FROM muster.records r USING unnest($1::text[], $2::text[]) AS e(kind, key) WHERE r.kind = e.kind AND r.key = e.key`,
      [gone.map(({ kind }) => kind), gone.map(({ key }) => key)],
    );
  }
  const isNew = ({ expect }: RecordWrite): boolean => expect === null;
  const puts = writes.filter(({ value }) => value !== null);
  const fresh = puts.filter(isNew);
  if ((await insert(sql, fresh, 'DO NOTHING')) !== fresh.length)
    throw new Rollback('a record has another version than was expected');
  const replaced = ['value', 'version', ...SORTS].map((column) => `${column} = excluded.${column}`).join(', ');
  await insert(
    sql,
    puts.filter((put) => !isNew(put)),
    `(kind, key) DO UPDATE SET ${replaced}`,
  );
}

async function insert(sql: Sql, puts: readonly RecordWrite[], otherwise: string): Promise<number> {
  if (puts.length === 0) return 0;
  const { names, rows, values } = listsOf(puts, [
    ['kind', 'text'],
    ['key', 'text'],
    ['value', 'text'],
    ...SORTS.map((name, number): Column<RecordWrite> => [name, 'text', ({ sorts }) => sorts?.[number]]),
  ]);
  return sql.run(
    `INSERT INTO muster.records (${names}) SELECT ${names} FROM ${rows} ORDER BY kind, key ON CONFLICT ${otherwise}`,
    values,
  );
}

/** Removes ranges of keys, which have both limits, in one statement. */
export async function removeKeyRanges(sql: Sql, removals: readonly RangeRemoval[]): Promise<void> {
  const { rows, values } = listsOf(removals, [
    ['kind', 'text', ({ remove }) => remove.kind],
    ['first', 'text', ({ remove }) => remove.from],
    ['behind', 'text', ({ remove }) => remove.before],
  ]);
  await sql.run(
    `DELETE FROM muster.records r USING ${rows} WHERE r.kind = u.kind AND r.key >= u.first AND r.key < u.behind`,
    values,
  );
}

async function removeRange(sql: Sql, { remove, except = [] }: RangeRemoval): Promise<number> {
  const { condition, values } = conditionOf(remove);
  const spared = except.length === 0 ? '' : ` AND key <> ALL($${values.push(except)}::text[])`;
  return sql.run(`DELETE FROM muster.records WHERE ${condition}${spared}`, values);
}
