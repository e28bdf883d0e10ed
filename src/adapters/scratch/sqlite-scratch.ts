import Database from 'better-sqlite3';
import type { Scratch, ScratchRow, ScratchTable } from '../../ports/index.ts';

/**
 * A scratch in a private temporary file of SQLite: readable by this user alone, and without a name from the moment it is open where the
 * system allows that. What fits into the cache never reaches the disk.
 */
export function sqliteScratch(): Scratch {
  // The empty name is how SQLite is asked for such a file.
  const database = new Database('');
  for (const pragma of ['journal_mode = OFF', 'synchronous = OFF', 'cache_size = -16000', 'locking_mode = EXCLUSIVE']) {
    database.pragma(pragma);
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

function openTable(database: Database.Database, table: string, calledOf: (name: string) => string): ScratchTable {
  database.exec(`CREATE TABLE ${table} (key TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID`);
  const put = database.prepare(`INSERT INTO ${table} VALUES (?, ?) ON CONFLICT DO UPDATE SET text = excluded.text`);
  const add = database.prepare(`INSERT INTO ${table} VALUES (?, ?) ON CONFLICT DO NOTHING`);
  const get = database.prepare(`SELECT text FROM ${table} WHERE key = ?`).pluck();
  const remove = database.prepare(`DELETE FROM ${table} WHERE key = ?`);
  // One bound each: of two, the database would walk from the lower one.
  const from = database.prepare(`SELECT key, text FROM ${table} WHERE key >= ? ORDER BY key LIMIT ?`).raw(true);
  const behind = database.prepare(`SELECT key, text FROM ${table} WHERE key > ? ORDER BY key LIMIT ?`).raw(true);
  const end = database
    .prepare(`SELECT max(key) FROM (SELECT key FROM ${table} WHERE key > ? ORDER BY key LIMIT ?)`)
    .pluck();
  const without = new Map<string, Database.Statement>();
  const count = database.prepare(`SELECT count(*) FROM ${table}`).pluck();
  const together = <Items, Result>(work: (items: Items) => Result) => database.transaction(work);
  const addAll = together((all: readonly ScratchRow[]) => all.map((row) => add.run(row).changes === 1));
  const putAll = together((all: readonly ScratchRow[]) => {
    for (const row of all) put.run(row);
  });
  const removeAll = together((keys: readonly string[]) => {
    for (const key of keys) remove.run(key);
  });
  return {
    put: (all) => putAll(all),
    add: (all) => addAll(all),
    get: (keys) => keys.map((key) => get.get(key) as string | undefined),
    remove: (keys) => removeAll(keys),
    page({ prefix = '', after = '', limit }) {
      const isBehind = prefix === '' || Buffer.compare(Buffer.from(after), Buffer.from(prefix)) >= 0;
      const found = (isBehind ? behind.all(after, limit) : from.all(prefix, limit)) as ScratchRow[];
      if (prefix === '') return found;
      const end = found.findIndex(([key]) => !key.startsWith(prefix));
      return end < 0 ? found : found.slice(0, end);
    },
    pageWithout(other, { after, limit }) {
      const last = end.get(after, limit) as string | null;
      if (last === null) return { rows: [] };
      const statement = without.get(other) ?? database.prepare(withoutSql(table, calledOf(other))).raw(true);
      without.set(other, statement);
      return { rows: statement.all(after, last) as ScratchRow[], last };
    },
    count: () => count.get() as number,
  };
}

function withoutSql(table: string, other: string): string {
  return `SELECT key, text FROM ${table} WHERE key > ? AND key <= ? AND NOT EXISTS
    (SELECT 1 FROM ${other} WHERE ${other}.key = ${table}.key) ORDER BY key`;
}
