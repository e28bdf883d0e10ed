import { setImmediate as turn } from 'node:timers/promises';
import SqliteDatabase, { type Database as Sqlite, SqliteError, type Statement } from 'better-sqlite3';
import { worded } from '../../../app/kernel/worded.ts';
import { AppError, type JsonValue, type SourceFiles, type Wording } from '../../../ports/index.ts';
import { serverError, told } from '../../shared/connection/faults.ts';
import type { Database, Reading, Row, Rows } from '../engine.ts';
import { wholeNumber } from '../values.ts';

/** How long the event loop may be held at a time. */
const HOLD_MS = 4;
/** Somebody who writes to the file holds it for moments. */
const LOCK_MS = 2000;

/** A database file of another program, opened for reading. */
export async function openSqlite(path: string, files: Pick<SourceFiles, 'locate'>): Promise<Database> {
  const file = await files.locate(path);
  let database: Sqlite;
  try {
    database = new SqliteDatabase(file.path, { readonly: true, fileMustExist: true, timeout: LOCK_MS });
  } catch (error) {
    throw sqliteFault(path, error);
  }
  try {
    await file.requireSame();
    // A schema that somebody made may call functions; those of this program are not for it.
    for (const setting of ['query_only = ON', 'trusted_schema = OFF']) database.pragma(setting);
  } catch (error) {
    database.close();
    throw sqliteFault(path, error);
  }
  return {
    name: path,
    rows: (statement, reading) => readRows(database, path, statement, reading),
    about: () => Promise.resolve({ user: '', version: `SQLite ${version(database)}` }),
    close: () => {
      database.close();
      return Promise.resolve();
    },
  };
}

function version(database: Sqlite): string {
  return String(database.prepare('SELECT sqlite_version()').pluck().get());
}

/** The driver has no waiting calls, so rows are taken for some milliseconds at a time. */
async function* readRows(
  database: Sqlite,
  path: string,
  text: string,
  { signal, base64 }: Reading,
): AsyncGenerator<Rows, void, undefined> {
  let cursor: IterableIterator<unknown[]> | undefined;
  try {
    const statement = prepared(database, text);
    const columns = statement.columns().map(({ name }) => name);
    cursor = statement.iterate() as IterableIterator<unknown[]>;
    for (let done = false; !done; ) {
      signal.throwIfAborted();
      const until = performance.now() + HOLD_MS;
      const rows: Row[] = [];
      do {
        const step = cursor.next();
        done = step.done === true;
        if (step.done !== true) rows.push(step.value.map((value) => plain(value, base64)));
      } while (!done && performance.now() < until);
      yield { columns, rows };
      await turn();
    }
  } catch (error) {
    throw sqliteFault(path, error);
  } finally {
    // A database whose answer is open cannot be closed.
    cursor?.return?.();
  }
}

function prepared(database: Sqlite, text: string): Statement {
  const statement = database.prepare(text);
  if (!statement.reader || !statement.readonly) {
    throw new AppError('invalid_input', worded`query of the account writes, and a source only reads`);
  }
  return statement.raw(true).safeIntegers(true);
}

function plain(value: unknown, base64: boolean): JsonValue | undefined {
  if (typeof value === 'bigint') return wholeNumber(String(value));
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'string' || value === null) return value;
  return base64 && value instanceof Uint8Array ? Buffer.from(value).toString('base64') : undefined;
}

const FAULTS: Readonly<Record<string, Wording>> = {
  SQLITE_NOTADB: worded`is not a SQLite database, or an encrypted one`,
  SQLITE_CORRUPT: worded`is damaged; check it with "PRAGMA integrity_check" and restore it`,
  SQLITE_BUSY: worded`is locked by a program that writes to it; run it again later`,
  SQLITE_LOCKED: worded`is locked by a program that writes to it; run it again later`,
  SQLITE_CANTOPEN: worded`cannot be opened: permission denied for it, or for the files next to it (-wal, -shm) that a database in WAL mode needs`,
  SQLITE_READONLY_CANTINIT: worded`cannot be opened: it is in WAL mode, and this program may not write the -shm file next to it; open it with a program that may, or import a copy`,
  SQLITE_READONLY_ROLLBACK: worded`was left in the middle of a change; open it once with the program that it belongs to`,
  SQLITE_IOERR: worded`cannot be read: the disk reports an error`,
  SQLITE_INTERRUPT: worded`was closed while it was read`,
};

function sqliteFault(path: string, error: unknown): unknown {
  if (!(error instanceof SqliteError)) return error;
  const { code, message } = error;
  const known = FAULTS[code] ?? FAULTS[code.split('_').slice(0, 2).join('_')];
  if (known !== undefined) return serverError('failed', path, known, error);
  return serverError('failed', path, worded`cannot be asked this: ${{ said: told(message) }}`, error);
}
