import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { AppError } from '../../../ports/index.ts';
import type { Connection } from './connection.ts';

/** How many migrations there are. A test compares it with the folder; start-up must not read files to know it. */
export const SCHEMA_VERSION = 20;

/** Marks the file as ours ("MSTR"), so that no foreign database gets our tables. */
const APPLICATION_ID = 0x4d535452;

/** What a database holds: 0 in an empty file. */
export function schemaVersion(connection: Connection): number {
  return connection.pragma<number>('user_version');
}

/**
 * Brings the schema up to date: nothing to do is one pragma. Else under the write lock, so that of several processes that
 * start at once one migrates and the others find it done. Answers how many migrations ran.
 */
export function migrate(connection: Connection): number {
  const found = schemaVersion(connection);
  if (found === SCHEMA_VERSION) return 0;
  if (found > SCHEMA_VERSION) throw tooNew(connection, found);
  connection.execute('BEGIN IMMEDIATE');
  try {
    const version = schemaVersion(connection);
    if (version > SCHEMA_VERSION) throw tooNew(connection, version);
    if (version === 0) claim(connection);
    else requireOurs(connection);
    const pending = migrations().slice(version);
    for (const file of pending) connection.execute(readFileSync(file, 'utf8'));
    connection.pragma(`user_version = ${version + pending.length}`);
    connection.execute('COMMIT');
    return pending.length;
  } catch (error) {
    connection.rollback();
    throw error;
  }
}

/** Other programs number their schemas too. */
export function requireOurs(connection: Connection): void {
  if (connection.pragma<number>('application_id') !== APPLICATION_ID) throw foreign(connection);
}

/** The SQL files in order. They stand beside this module in the sources and beside the bundle in the build. */
export function migrations(): string[] {
  const folder = new URL('./migrations/', import.meta.url);
  if (!existsSync(folder)) {
    throw new AppError(
      'failed',
      'The migrations of the database are missing from this installation; install it again.',
    );
  }
  const journal: { entries: { tag: string }[] } = JSON.parse(
    readFileSync(new URL('meta/_journal.json', folder), 'utf8'),
  );
  return journal.entries.map((entry) => fileURLToPath(new URL(`${entry.tag}.sql`, folder)));
}

function claim(connection: Connection): void {
  const tables = connection.get<{ count: number }>('SELECT count(*) AS count FROM sqlite_master')?.count ?? 0;
  if (tables > 0) throw foreign(connection);
  connection.pragma(`application_id = ${APPLICATION_ID}`);
}

function foreign({ path }: Connection): AppError {
  return new AppError('failed', `The database ${path} belongs to another program; name another file.`);
}

function tooNew(connection: Connection, version: number): AppError {
  return new AppError(
    'failed',
    `The database ${connection.path} was written by a newer version (schema ${version}, this program knows ${SCHEMA_VERSION}); update the program, or put the copy from before the upgrade in its place.`,
  );
}
