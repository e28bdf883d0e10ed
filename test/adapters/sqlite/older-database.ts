import { readFile } from 'node:fs/promises';
import Database from 'better-sqlite3';
import { migrations } from '../../../src/adapters/storage/sqlite/migrate.ts';

/** "MSTR", as every database of ours says. */
const APPLICATION_ID = 0x4d535452;

/** A database as a program left it that knew so many migrations, with what the statements put into it. */
export async function olderDatabase(path: string, version: number, statements = ''): Promise<void> {
  const database = new Database(path);
  database.pragma('journal_mode = WAL');
  for (const file of migrations().slice(0, version)) database.exec(await readFile(file, 'utf8'));
  database.pragma(`application_id = ${APPLICATION_ID}`);
  database.pragma(`user_version = ${version}`);
  database.exec(statements);
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
