import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { storeMissing } from '../shared/store-faults.ts';
import { Connection } from './connection.ts';
import { migrate, requireUpgradable, schemaVersion } from './migrate.ts';
import { isOlder, notUpgraded, type UpgradeOptions, upgradeDatabase } from './upgrade.ts';

/** The connection of the writer thread: durable before it answers. */
export function openWriter(path: string, lockTimeoutMs: number): Connection {
  const connection = new Connection(path, lockTimeoutMs);
  connection.pragma('synchronous = FULL');
  connection.pragma('fullfsync = ON');
  connection.pragma('foreign_keys = ON');
  connection.pragma('cache_size = -32000');
  connection.pragma('wal_autocheckpoint = 4000');
  connection.pragma(`journal_size_limit = ${64 * 1024 * 1024}`);
  return connection;
}

export interface ReaderOptions extends UpgradeOptions {
  /** False: a database of an older version is an error. */
  readonly mayUpgrade: boolean;
}

/** The connection of a calling thread: brings the schema up to date, then only reads. */
export async function openReader(
  path: string,
  options: ReaderOptions,
): Promise<{ readonly connection: Connection; readonly migrated: number }> {
  const { lockTimeoutMs, steps } = options;
  const connection = new Connection(path, lockTimeoutMs);
  try {
    const version = schemaVersion(connection);
    if (isOlder(version, steps)) {
      requireUpgradable(connection, version, steps);
      if (!options.mayUpgrade) throw notUpgraded(path, version, steps);
      connection.close();
      await upgradeDatabase(path, options);
      return openReader(path, { ...options, mayUpgrade: false });
    }
    await useWal(connection, lockTimeoutMs);
    const migrated = migrate(connection, steps);
    connection.pragma('query_only = ON');
    connection.pragma('cache_size = -16000');
    return { connection, migrated };
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Refuses a path without a database, which opening would make. A path that cannot be looked at is left to opening it, which says why. */
export function requireDatabase(path: string): void {
  let isFilled: boolean;
  try {
    // A file without content was made and never filled.
    isFilled = (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;
  } catch {
    return;
  }
  if (!isFilled) throw storeMissing(path);
}

/** SQLite does not wait for the lock that this change takes when several processes make it at once. */
async function useWal(connection: Connection, timeoutMs: number): Promise<void> {
  const until = Date.now() + timeoutMs;
  for (;;) {
    try {
      if (connection.pragma<string>('journal_mode') === 'wal') return;
      connection.pragma('synchronous = FULL');
      connection.pragma('journal_mode = WAL');
      return;
    } catch (error) {
      if (Date.now() > until || !isUnavailable(error)) throw error;
      await sleep(20);
    }
  }
}

function isUnavailable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'unavailable';
}
