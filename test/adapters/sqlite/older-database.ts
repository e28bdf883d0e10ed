import { readFile } from 'node:fs/promises';
import Database from 'better-sqlite3';
import { SCHEMA_STEPS } from '../../../src/adapters/storage/sqlite/schema-steps.ts';

/** "MSTR", as every database of ours says. */
const APPLICATION_ID = 0x4d535452;

/** A database as the first migration makes it, with what the statements put into it. */
export async function firstDatabase(path: string, statements = ''): Promise<void> {
  const [first = ''] = SCHEMA_STEPS.migrations();
  makeDatabase(path, SCHEMA_STEPS.first, `${await readFile(first, 'utf8')};${statements}`);
}

/** A database of ours that gives its schema this number. */
export function makeDatabase(path: string, version: number, statements: string): void {
  const database = new Database(path);
  database.pragma('journal_mode = WAL');
  database.exec(statements);
  database.pragma(`application_id = ${APPLICATION_ID}`);
  database.pragma(`user_version = ${version}`);
  database.close();
}

export function versionOf(path: string): unknown {
  const database = new Database(path, { readonly: true });
  try {
    return database.pragma('user_version', { simple: true });
  } finally {
    database.close();
  }
}
