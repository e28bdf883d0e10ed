import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type SqliteStorage,
  type SqliteStorageOptions,
  sqliteStorage,
} from '../../../src/adapters/storage/sqlite/storage.ts';
import type { Logger } from '../../../src/ports/index.ts';
import type { OpenedStorage } from '../../../src/testing/harness.ts';

export const silent: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silent,
};

export interface SqliteFolder {
  readonly path: string;
  remove(): Promise<void>;
}

export async function sqliteFolder(): Promise<SqliteFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-sqlite-'));
  return { path: join(folder, 'muster.db'), remove: () => rm(folder, { recursive: true, force: true }) };
}

export async function openSqlite(
  path: string,
  options: Partial<Omit<SqliteStorageOptions, 'path'>> = {},
): Promise<SqliteStorage> {
  const storage = sqliteStorage({ path, ...options })({ logger: silent });
  await storage.start();
  return storage;
}

/** A started store of its own that holds nothing, for suites of all stores. */
export async function createSqlite(): Promise<OpenedStorage> {
  const folder = await sqliteFolder();
  const storage = await openSqlite(folder.path);
  return {
    storage,
    async close() {
      await storage.stop();
      await folder.remove();
    },
  };
}
