import type { Scratch, ScratchRow, ScratchTable } from '../../ports/index.ts';
import { asArrays, loadSqliteDriver, type SqliteDatabase, type SqliteStatement } from '../sqlite-driver.ts';

/**
 * Opens a scratch in a private temporary file of SQLite: readable by this user alone, and without a name from the moment it is
 * open if the system allows that. Data that fits into the cache never reaches the disk.
 */
export function sqliteScratch(): Scratch {
  // An empty name requests such a file from SQLite.
  const database = loadSqliteDriver()('', 0);
  for (const pragma of ['journal_mode = OFF', 'synchronous = OFF', 'cache_size = -16000', 'locking_mode = EXCLUSIVE']) {
    database.pragma(pragma, { simple: true });
  }
  const tables = new Map<string, { readonly called: string; readonly table: ScratchTable }>();
  const opened = (name: string): { readonly called: string; readonly table: ScratchTable } => {
    const called = `t${tables.size}`;
    const known = tables.get(name) ?? { called, table: openTable(database, called, (other) => opened(other).called) };
    tables.set(name, known);
    return known;
  };
  return {
    table: (name) => opened(name).table,
    close() {
      database.close();
    },
  };
}

/** Rows of one statement, which costs half as much as a statement for each. */
const ROWS_AT_ONCE = 50;

/** Splits the rows into parts, all full except the last. */
function inParts(all: readonly ScratchRow[]): readonly (readonly ScratchRow[])[] {
  const parts: (readonly ScratchRow[])[] = [];
  for (let from = 0; from < all.length; from += ROWS_AT_ONCE) parts.push(all.slice(from, from + ROWS_AT_ONCE));
  return parts;
}

function openTable(database: SqliteDatabase, table: string, calledOf: (name: string) => string): ScratchTable {
  database.exec(`CREATE TABLE ${table} (key TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID`);
  const insert = (rows: number, more: string): SqliteStatement =>
    database.prepare(`INSERT INTO ${table} VALUES ${Array(rows).fill('(?, ?)').join(', ')} ON CONFLICT DO ${more}`);
  const put = insert(1, 'UPDATE SET text = excluded.text');
  const putMany = insert(ROWS_AT_ONCE, 'UPDATE SET text = excluded.text');
  const add = insert(1, 'NOTHING');
  const get = asArrays(database.prepare(`SELECT text FROM ${table} WHERE key = ?`));
  const remove = database.prepare(`DELETE FROM ${table} WHERE key = ?`);
  // One bound each: with two, the database would walk from the lower one.
  const from = asArrays(database.prepare(`SELECT key, text FROM ${table} WHERE key >= ? ORDER BY key LIMIT ?`));
  const behind = asArrays(database.prepare(`SELECT key, text FROM ${table} WHERE key > ? ORDER BY key LIMIT ?`));
  const end = asArrays(
    database.prepare(`SELECT max(key) FROM (SELECT key FROM ${table} WHERE key > ? ORDER BY key LIMIT ?)`),
  );
  const without = new Map<string, SqliteStatement>();
  const count = asArrays(database.prepare(`SELECT count(*) FROM ${table}`));
  const together = <Items, Result>(work: (items: Items) => Result) => {
    return (items: Items): Result => {
      database.exec('BEGIN');
      const result = work(items);
      database.exec('COMMIT');
      return result;
    };
  };
  const addAll = together((all: readonly ScratchRow[]) => all.map((row) => add.run(...row).changes === 1));
  const putAll = together((all: readonly ScratchRow[]) => {
    for (const part of inParts(all)) {
      if (part.length === ROWS_AT_ONCE) putMany.run(...part.flat());
      else for (const row of part) put.run(...row);
    }
  });
  const removeAll = together((keys: readonly string[]) => {
    for (const key of keys) remove.run(key);
  });
  return {
    put: (all) => putAll(all),
    add: (all) => addAll(all),
    get: (keys) => keys.map((key) => (get.get(key) as [string] | undefined)?.[0]),
    remove: (keys) => removeAll(keys),
    page({ prefix = '', after = '', limit }) {
      const isBehind = prefix === '' || Buffer.compare(Buffer.from(after), Buffer.from(prefix)) >= 0;
      const found = (isBehind ? behind.all(after, limit) : from.all(prefix, limit)) as ScratchRow[];
      if (prefix === '') return found;
      const end = found.findIndex(([key]) => !key.startsWith(prefix));
      return end < 0 ? found : found.slice(0, end);
    },
    pageWithout(other, { after, limit }) {
      const [last] = end.get(after, limit) as [string | null];
      if (last === null) return { rows: [] };
      const statement = without.get(other) ?? asArrays(database.prepare(withoutSql(table, calledOf(other))));
      without.set(other, statement);
      return { rows: statement.all(after, last) as ScratchRow[], last };
    },
    count: () => (count.get() as [number])[0],
  };
}

function withoutSql(table: string, other: string): string {
  return `SELECT key, text FROM ${table} WHERE key > ? AND key <= ? AND NOT EXISTS
    (SELECT 1 FROM ${other} WHERE ${other}.key = ${table}.key) ORDER BY key`;
}
