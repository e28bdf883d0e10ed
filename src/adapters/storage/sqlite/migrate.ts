import { readFileSync } from 'node:fs';
import { AppError } from '../../../ports/index.ts';
import { noLongerUpgraded } from '../shared/store-faults.ts';
import type { Connection } from './connection.ts';
import type { SchemaSteps } from './schema-steps.ts';

/** Marks the file as ours ("MSTR"), so that no foreign database gets our tables. */
const APPLICATION_ID = 0x4d535452;

/** Reads the schema version of a database: 0 in an empty file. */
export function schemaVersion(connection: Connection): number {
  return connection.pragma<number>('user_version');
}

/**
 * Brings the schema up to date: nothing to do is one pragma. Else under the write lock, so that of several processes that
 * start at once one migrates and the others find it done. Answers how many migrations ran.
 */
export function migrate(connection: Connection, steps: SchemaSteps): number {
  const found = schemaVersion(connection);
  if (found === steps.last) return 0;
  if (found > steps.last) throw tooNew(connection, found, steps);
  connection.execute('BEGIN IMMEDIATE');
  try {
    const version = schemaVersion(connection);
    if (version > steps.last) throw tooNew(connection, version, steps);
    if (version === 0) claim(connection);
    else requireUpgradable(connection, version, steps);
    const all = steps.migrations();
    const pending = version === 0 ? all : all.slice(version - steps.first + 1);
    for (const file of pending) connection.execute(readFileSync(file, 'utf8'));
    connection.pragma(`user_version = ${steps.first + all.length - 1}`);
    connection.execute('COMMIT');
    return pending.length;
  } catch (error) {
    connection.rollback();
    throw error;
  }
}

/** Throws for a database of another program, which numbers its schemas too, and for one of before the first migration. */
export function requireUpgradable(connection: Connection, version: number, { first }: SchemaSteps): void {
  if (connection.pragma<number>('application_id') !== APPLICATION_ID) throw foreign(connection);
  if (version < first) {
    throw new AppError('failed', `The database ${connection.path} ${noLongerUpgraded(version)}.`);
  }
}

function claim(connection: Connection): void {
  const tables = connection.get<{ count: number }>('SELECT count(*) AS count FROM sqlite_master')?.count ?? 0;
  if (tables > 0) throw foreign(connection);
  connection.pragma(`application_id = ${APPLICATION_ID}`);
}

function foreign({ path }: Connection): AppError {
  return new AppError('failed', `The database ${path} belongs to another program; name another file.`);
}

function tooNew(connection: Connection, version: number, { last }: SchemaSteps): AppError {
  return new AppError(
    'failed',
    `The database ${connection.path} was written by a newer version (schema ${version}, this program knows ${last}); update the program, or put the copy from before the upgrade in its place.`,
  );
}
