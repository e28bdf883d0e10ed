import { createRequire } from 'node:module';

/** The part of a SQLite driver that Muster uses. */
export interface SqliteDatabase {
  readonly inTransaction: boolean;
  prepare(sql: string): SqliteStatement;
  exec(sql: string): void;
  /** The first value of the answer. */
  pragma(text: string, form: { readonly simple: true }): unknown;
  close(): void;
}

export interface SqliteStatement {
  all(...values: unknown[]): unknown[];
  get(...values: unknown[]): unknown;
  run(...values: unknown[]): { readonly changes: number; readonly lastInsertRowid: number | bigint };
  iterate(...values: unknown[]): Iterable<unknown>;
}

/** The part of `node:sqlite` that is used. The types of the oldest supported Node.js lack it. */
interface NodeSqlite {
  readonly DatabaseSync: new (
    path: string,
    options: { readonly timeout: number },
  ) => Omit<SqliteDatabase, 'inTransaction' | 'pragma' | 'prepare'> & {
    readonly isTransaction: boolean;
    prepare(sql: string): SqliteStatement & { setReturnArrays(on: boolean): void };
  };
}

type Open = (path: string, timeoutMs: number) => SqliteDatabase;
let open: Open | undefined;

/**
 * The compiled driver, which is faster; if it was not built, the SQLite of Node.js itself, so that a first inventory needs no
 * compiler. Throws the error of the compiled driver if neither is available.
 */
export function loadSqliteDriver(): Open {
  open ??= compiled();
  return open;
}

/** Rows of the statement are arrays from now on. */
export function asArrays(statement: SqliteStatement): SqliteStatement {
  if ('raw' in statement && typeof statement.raw === 'function') statement.raw(true);
  else if ('setReturnArrays' in statement && typeof statement.setReturnArrays === 'function')
    statement.setReturnArrays(true);
  return statement;
}

function compiled(): Open {
  try {
    const Database = createRequire(import.meta.url)('better-sqlite3') as typeof import('better-sqlite3');
    // The compiled part is loaded by the first database.
    new Database(':memory:').close();
    return (path, timeout) => new Database(path, { timeout });
  } catch (error) {
    const ofNode = nodeSqlite();
    if (ofNode === undefined) throw error;
    return (path, timeout) => {
      const database = new ofNode.DatabaseSync(path, { timeout });
      return {
        prepare: (sql) => database.prepare(sql),
        exec: (sql) => database.exec(sql),
        pragma: (text) => Object.values(database.prepare(`PRAGMA ${text}`).get() ?? {})[0],
        close: () => database.close(),
        get inTransaction() {
          return database.isTransaction;
        },
      };
    };
  }
}

/**
 * Returns the driver only if it returns every text whole: in Node.js 22 it ends a text at its first NUL. Its warning about being
 * experimental would be in every answer.
 */
function nodeSqlite(): NodeSqlite | undefined {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    const found = process.getBuiltinModule('node:sqlite' as 'node:fs') as unknown as NodeSqlite | undefined;
    if (found === undefined) return undefined;
    const database = new found.DatabaseSync(':memory:', { timeout: 0 });
    const [text] = asArrays(database.prepare('SELECT ?')).get('a\0b') as readonly unknown[];
    database.close();
    return text === 'a\0b' ? found : undefined;
  } catch {
    return undefined;
  } finally {
    process.emitWarning = emitWarning;
  }
}
