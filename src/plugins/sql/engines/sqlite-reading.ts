import { createRequire } from 'node:module';
import type { Database as Sqlite, Statement } from 'better-sqlite3';
import { worded } from '../../../kit/worded.ts';
import { AppError, type JsonValue } from '../../../ports/index.ts';
import type { Row, Rows } from '../engine.ts';
import { wholeNumber } from '../values.ts';

/** The request to the process that reads a file separately. */
export interface ProcessRequest {
  readonly path: string;
  readonly statement: string;
  readonly base64: boolean;
}

/** How long the event loop may be held at a time. */
const HOLD_MS = 4;
/** Time to wait for a lock: writers hold the file only for moments. */
const LOCK_MS = 2000;

export function sqliteError(message: string, code: string): Error & { readonly code: string } {
  return Object.assign(new Error(message), { name: 'SqliteError', code });
}

export function isSqliteError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && error.name === 'SqliteError';
}

/** Loaded when a file is opened: where it could not be compiled, everything else works without it. */
function driver(): typeof import('better-sqlite3') {
  try {
    const Database = createRequire(import.meta.url)('better-sqlite3') as typeof import('better-sqlite3');
    new Database(':memory:').close();
    return Database;
  } catch (error) {
    throw new AppError(
      'failed',
      worded`Files of SQLite are read with the package better-sqlite3, and it is not compiled here: run "npm rebuild better-sqlite3" where Muster is installed, with a C++ compiler and Python`,
      { cause: error },
    );
  }
}

/** A database file of another program, for reading. Throws what the driver throws. */
export function openFile(path: string): Sqlite {
  const Database = driver();
  const database = new Database(path, { readonly: true, fileMustExist: true, timeout: LOCK_MS });
  try {
    // The schema is not trusted and may call functions; those of this program must not be available to it.
    for (const setting of ['query_only = ON', 'trusted_schema = OFF']) database.pragma(setting);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

export function prepared(database: Sqlite, text: string): Statement {
  const statement = database.prepare(text);
  if (!statement.reader || !statement.readonly) {
    throw new AppError('invalid_input', worded`query of the account writes, and a source only reads`);
  }
  return statement.raw(true).safeIntegers(true);
}

/** Whether each row is one of a table, so that the next row is never far. Views, joins and recursion may be without end. */
export function isPlainScan(database: Sqlite, text: string): boolean {
  const steps = database.prepare(`EXPLAIN QUERY PLAN ${text}`).all() as readonly { readonly detail: string }[];
  return steps.length === 1 && steps.every(({ detail }) => /^SCAN (?!.*VIRTUAL TABLE)/.test(detail));
}

/** The driver has no waiting calls, so rows are taken for some milliseconds at a time. */
export function* piecesOf(database: Sqlite, text: string, base64: boolean): Generator<Rows> {
  const statement = prepared(database, text);
  const columns = statement.columns().map(({ name }) => name);
  const cursor = statement.iterate() as IterableIterator<unknown[]>;
  try {
    for (let done = false; !done; ) {
      const until = performance.now() + HOLD_MS;
      const rows: Row[] = [];
      do {
        const step = cursor.next();
        done = step.done === true;
        if (step.done !== true) rows.push(step.value.map((value) => plain(value, base64)));
      } while (!done && performance.now() < until);
      yield { columns, rows };
    }
  } finally {
    // A database whose answer is open cannot be closed.
    cursor.return?.();
  }
}

function plain(value: unknown, base64: boolean): JsonValue | undefined {
  if (typeof value === 'bigint') return wholeNumber(String(value));
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'string' || value === null) return value;
  return base64 && value instanceof Uint8Array ? Buffer.from(value).toString('base64') : undefined;
}
