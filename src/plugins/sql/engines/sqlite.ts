import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Database as Sqlite } from 'better-sqlite3';
import { serverError, told } from '../../../kit/connection/faults.ts';
import { fileFault, shown } from '../../../kit/file-source/fault.ts';
import { worded } from '../../../kit/worded.ts';
import type { JsonValue, LocatedFile, SourceFiles, Wording } from '../../../ports/index.ts';
import type { Database, Reading, Rows } from '../engine.ts';
import {
  isPlainScan,
  isSqliteError,
  openFile,
  type ProcessRequest,
  piecesOf,
  prepared,
  sqliteError,
} from './sqlite-reading.ts';

interface OpenedFile {
  /** As the account names it. */
  readonly path: string;
  readonly file: LocatedFile;
}

/** A database file of another program, opened for reading. */
export async function openSqlite(
  path: string,
  files: Pick<SourceFiles, 'locate'>,
  encoding?: string,
): Promise<Database> {
  const file = await files.locate(path);
  let database: Sqlite;
  try {
    database = openFile(file.path);
  } catch (error) {
    throw sqliteFault(path, error);
  }
  try {
    await file.requireSame();
  } catch (error) {
    database.close();
    throw sqliteFault(path, error);
  }
  return {
    name: path,
    rows: (statement, reading) => {
      const read = (text: string) => readRows(database, { path, file }, text, reading);
      return encoding === undefined
        ? withoutLost(path, read(statement))
        : decodedRows(database, { path, encoding, statement }, read);
    },
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

async function* readRows(
  database: Sqlite,
  { path, file }: OpenedFile,
  text: string,
  { signal, base64 }: Reading,
): AsyncGenerator<Rows, void, undefined> {
  try {
    prepared(database, text);
    if (!isPlainScan(database, text)) {
      yield* rowsOfProcess({ path: file.path, statement: text, base64 }, file, signal);
      return;
    }
    for (const piece of piecesOf(database, text, base64)) {
      signal.throwIfAborted();
      yield piece;
      await turn();
    }
  } catch (error) {
    throw sqliteFault(path, error);
  }
}

type ProcessLine =
  | { readonly opened: true }
  | { readonly done: true }
  | { readonly failed: { readonly code: string; readonly message: string } }
  | { readonly columns: readonly string[]; readonly rows: readonly (readonly JsonValue[])[] };

/** The rows as a process of their own reads them. It is killed when they are no longer wanted, however long a row takes. */
async function* rowsOfProcess(
  request: ProcessRequest,
  file: Pick<LocatedFile, 'requireSame'>,
  signal: AbortSignal,
): AsyncGenerator<Rows, void, undefined> {
  const child = spawn(process.execPath, [processEntry(), JSON.stringify(request)], {
    env: {},
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const kill = (): void => void child.kill('SIGKILL');
  signal.addEventListener('abort', kill, { once: true });
  let failure: Error | undefined;
  child.on('error', (error) => {
    failure = error;
    kill();
  });
  try {
    signal.throwIfAborted();
    for await (const line of createInterface({ input: child.stdout, crlfDelay: Number.POSITIVE_INFINITY })) {
      const said = JSON.parse(line) as ProcessLine;
      if ('done' in said) return;
      if ('failed' in said) throw sqliteError(said.failed.message, said.failed.code);
      if ('opened' in said) await file.requireSame();
      else
        yield {
          columns: said.columns,
          rows: said.rows.map((row) => row.map((value) => (value === false ? undefined : value))),
        };
    }
    signal.throwIfAborted();
    if (child.exitCode === null && child.signalCode === null && failure === undefined) await once(child, 'close');
    const reason = failure?.message ?? child.signalCode ?? `exit code ${child.exitCode}`;
    throw sqliteError(`the process that reads the file ended: ${reason}`, 'SQLITE_INTERRUPT');
  } finally {
    signal.removeEventListener('abort', kill);
    kill();
  }
}

/** Returns the built file of the process: next to this module in the bundle, in `dist` when running from sources. */
function processEntry(): string {
  const beside = fileURLToPath(new URL('./sqlite-reader.js', import.meta.url));
  return existsSync(beside) ? beside : fileURLToPath(new URL('../../../../dist/sqlite-reader.js', import.meta.url));
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
  if (!isSqliteError(error)) return error;
  const { code, message } = error;
  const known = FAULTS[code] ?? FAULTS[code.split('_').slice(0, 2).join('_')];
  if (known !== undefined) return serverError('failed', path, known, error);
  return serverError('failed', path, worded`cannot be asked this: ${{ said: told(message) }}`, error);
}

/** The driver silently replaces bytes that are not UTF-8 with a substitute character. */
async function* withoutLost(path: string, pieces: AsyncIterable<Rows>): AsyncGenerator<Rows, void, undefined> {
  let count = 0;
  for await (const piece of pieces) {
    for (const row of piece.rows) {
      count++;
      const lost = row.findIndex((value) => typeof value === 'string' && value.includes('\ufffd'));
      if (lost === -1) continue;
      const column = shown(piece.columns[lost] ?? '');
      throw fileFault(
        path,
        worded`has a text in the column ${{ column }}, row ${{ row: String(count) }}, that is not UTF-8; set its encoding: latin1, cp1252, …, or utf-8 if the character � is meant`,
      );
    }
    yield piece;
  }
}

/** The rows of a statement whose texts are of an encoding: they are asked for as hexadecimal digits of their bytes. */
async function* decodedRows(
  database: Parameters<typeof prepared>[0],
  { path, encoding, statement }: { readonly path: string; readonly encoding: string; readonly statement: string },
  read: (text: string) => AsyncIterable<Rows>,
): AsyncGenerator<Rows, void, undefined> {
  const columns = prepared(database, statement)
    .columns()
    .map(({ name }) => name);
  const names = columns.map((_, index) => `c${index}`);
  const casts = names.map(
    (name) => `CASE typeof(${name}) WHEN 'text' THEN hex(CAST(${name} AS BLOB)) ELSE ${name} END`,
  );
  const kinds = names.map((name) => `typeof(${name}) = 'text'`);
  const stored = String(database.pragma('encoding', { simple: true }));
  const name = stored.startsWith('UTF-16') ? stored : encoding;
  const { otherDecoder } = await import('../../../kit/file-source/other-decoder.ts');
  const other = /^utf-?8$/i.test(name) ? undefined : otherDecoder(path, name);
  const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const decoded = (digits: string): string => {
    const bytes = Buffer.from(digits, 'hex');
    try {
      return other === undefined ? utf8.decode(bytes) : other.decode(bytes);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      throw fileFault(path, worded`has a text that is not UTF-8; set its encoding: latin1, cp1252, …`, error);
    }
  };
  for await (const piece of read(`WITH q(${names}) AS (${statement}\n) SELECT ${[...casts, ...kinds]} FROM q`)) {
    const rows = piece.rows.map((row) =>
      row
        .slice(0, columns.length)
        .map((value, index) => (row[columns.length + index] === 1 ? decoded(String(value)) : value)),
    );
    yield { columns, rows };
  }
}
