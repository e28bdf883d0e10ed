import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { asArrays, loadSqliteDriver, type SqliteDatabase, type SqliteStatement } from '../../sqlite-driver.ts';
import { toAppError } from './errors.ts';

export type SqlValue = string | number | null;

/**
 * Creates the file readable only for its owner, since it holds password hashes and sealed secrets. SQLite gives its side files
 * the same mode.
 */
function createPrivately(path: string): void {
  if (existsSync(path)) return;
  makeDirectory(dirname(path));
  closeSync(openSync(path, 'a', 0o600));
}

/** Not by `recursive`, which never ends where a file system refuses a directory as if its parent were missing (/proc does). */
function makeDirectory(path: string): void {
  if (existsSync(path)) return;
  makeDirectory(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have been faster.
    if (!existsSync(path)) throw error;
  }
}

/**
 * One open database file. Statements are prepared at their first use and kept by their text. Every failure leaves as an
 * `AppError`.
 */
export class Connection {
  readonly path: string;
  readonly #database: SqliteDatabase;
  readonly #statements = new Map<string, SqliteStatement>();
  readonly #rawStatements = new Map<string, SqliteStatement>();

  constructor(path: string, lockTimeoutMs: number) {
    this.path = path;
    try {
      // First, so that nothing is created without a driver.
      const open = loadSqliteDriver();
      createPrivately(path);
      this.#database = open(path, lockTimeoutMs);
    } catch (error) {
      throw toAppError(withCode(error), path);
    }
  }

  /** All rows as objects by column. */
  all<Row>(sql: string, ...values: SqlValue[]): Row[] {
    try {
      return this.#prepared(sql).all(...values) as Row[];
    } catch (error) {
      throw toAppError(error, this.path);
    }
  }

  get<Row>(sql: string, ...values: SqlValue[]): Row | undefined {
    try {
      return this.#prepared(sql).get(...values) as Row | undefined;
    } catch (error) {
      throw toAppError(error, this.path);
    }
  }

  /** All rows as arrays in order of the columns, which is faster for many rows. */
  allRaw<Row>(sql: string, ...values: SqlValue[]): Row[] {
    try {
      return this.#raw(sql).all(...values) as Row[];
    } catch (error) {
      throw toAppError(error, this.path);
    }
  }

  /** Rows as objects until `take` answers that it has enough: rows behind that one are not read. `take` must not write. */
  take<Row>(sql: string, values: readonly SqlValue[], take: (row: Row) => boolean): void {
    this.#take(this.#prepared(sql), values, take);
  }

  /** The same with rows as arrays. */
  takeRaw<Row>(sql: string, values: readonly SqlValue[], take: (row: Row) => boolean): void {
    this.#take(this.#raw(sql), values, take);
  }

  getRaw<Row>(sql: string, ...values: SqlValue[]): Row | undefined {
    try {
      return this.#raw(sql).get(...values) as Row | undefined;
    } catch (error) {
      throw toAppError(error, this.path);
    }
  }

  /** The number of changed rows. */
  run(sql: string, ...values: SqlValue[]): number {
    try {
      return this.#prepared(sql).run(...values).changes;
    } catch (error) {
      throw toAppError(error, this.path);
    }
  }

  /** The id of the new row. */
  insert(sql: string, ...values: SqlValue[]): number {
    try {
      return Number(this.#prepared(sql).run(...values).lastInsertRowid);
    } catch (error) {
      throw toAppError(error, this.path);
    }
  }

  /** Several statements without values or results. */
  execute(sql: string): void {
    try {
      this.#database.exec(sql);
    } catch (error) {
      throw toAppError(error, this.path);
    }
  }

  pragma<Value>(text: string): Value {
    try {
      return this.#database.pragma(text, { simple: true }) as Value;
    } catch (error) {
      throw toAppError(error, this.path);
    }
  }

  /** Reads that must see one state of the database. `work` must not wait for anything. */
  snapshot<T>(work: () => T): T {
    this.run('BEGIN');
    try {
      return work();
    } finally {
      this.run('COMMIT');
    }
  }

  /** Takes a transaction back, unless the database already did. */
  rollback(): void {
    if (this.#database.inTransaction) this.execute('ROLLBACK');
  }

  close(): void {
    this.#statements.clear();
    this.#rawStatements.clear();
    this.#database.close();
  }

  #take<Row>(statement: SqliteStatement, values: readonly SqlValue[], take: (row: Row) => boolean): void {
    try {
      for (const row of statement.iterate(...values)) if (take(row as Row)) return;
    } catch (error) {
      throw toAppError(error, this.path);
    }
  }

  #prepared(sql: string): SqliteStatement {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #raw(sql: string): SqliteStatement {
    let statement = this.#rawStatements.get(sql);
    if (statement === undefined) {
      statement = asArrays(this.#database.prepare(sql));
      this.#rawStatements.set(sql, statement);
    }
    return statement;
  }
}

/** Making the directory fails with codes of the operating system. */
function withCode(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  if (error.code === 'EACCES' || error.code === 'EPERM') return Object.assign(error, { code: 'SQLITE_PERM' });
  if (error.code === 'EROFS') return Object.assign(error, { code: 'SQLITE_READONLY' });
  if (error.code === 'ENOSPC') return Object.assign(error, { code: 'SQLITE_FULL' });
  if (error.code === 'ENOTDIR' || error.code === 'EEXIST' || error.code === 'ENOENT')
    return Object.assign(error, { code: 'SQLITE_CANTOPEN' });
  return error;
}
