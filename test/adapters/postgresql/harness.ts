import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll } from 'vitest';
import { Database } from '../../../src/adapters/storage/postgresql/database.ts';
import { postgresqlRecords } from '../../../src/adapters/storage/postgresql/records.ts';
import { settingsOf } from '../../../src/adapters/storage/postgresql/settings.ts';
import { postgresqlStorage } from '../../../src/adapters/storage/postgresql/storage.ts';
import type { Logger, Storage } from '../../../src/ports/index.ts';
import type { OpenedStorage } from '../../../src/testing/harness.ts';
import { sharedPostgresqlUrl } from '../../support/shared-databases.ts';

export const silent: Logger = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  child: () => silent,
};

/** An address of a schema that no other test has. */
export async function freshUrl(options = ''): Promise<string> {
  return `${await sharedPostgresqlUrl()}?sslmode=disable&schema=t${randomUUID().replaceAll('-', '')}${options}`;
}

export async function openStorage(url: string, maxHostBytes?: number): Promise<Storage> {
  const settings = await settingsOf(url, process.cwd());
  return postgresqlStorage({ settings, url, ...(maxHostBytes === undefined ? {} : { maxHostBytes }) })({
    logger: silent,
  });
}

/** Works on the database behind the storage's back. */
export async function withRaw<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url.split('?')[0], ssl: false });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

export async function dropSchema(url: string): Promise<void> {
  const { schema } = await settingsOf(url, process.cwd());
  await withRaw(url, (client) => client.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`));
}

const urls = new WeakMap<OpenedStorage, string>();
/** Schemas without data. Making one costs more than emptying one does, and a suite takes hundreds. */
const empty: string[] = [];

afterAll(async () => {
  for (const url of empty.splice(0)) await dropSchema(url);
});

const TABLES = 'hosts host_changes host_feed relations account_marks rules rule_versions records revisions'.split(' ');

async function emptySchema(url: string): Promise<void> {
  const { schema } = await settingsOf(url, process.cwd());
  const statements = TABLES.map((table) => `DELETE FROM ${schema}.${table}`);
  const renewed = `UPDATE ${schema}.host_feed_state SET pruned = last_place`;
  await withRaw(url, (client) => client.query([...statements, renewed].join(';')));
  empty.push(url);
}

export async function createStorage(): Promise<OpenedStorage> {
  const url = empty.pop() ?? (await freshUrl());
  const storage = await openStorage(url);
  await storage.start();
  const opened = {
    storage,
    async close() {
      await storage.stop();
      await emptySchema(url);
    },
  };
  urls.set(opened, url);
  return opened;
}

/** The records of a schema of their own. */
export async function createRecords() {
  const url = empty.pop() ?? (await freshUrl());
  const storage = await openStorage(url);
  await storage.start();
  await storage.stop();
  const database = new Database(await settingsOf(url, process.cwd()), silent);
  database.open();
  return {
    records: postgresqlRecords(database),
    async close() {
      await database.close();
      await emptySchema(url);
    },
  };
}

/** The same schema as another node sees it. */
export async function reopenStorage(opened: OpenedStorage): Promise<OpenedStorage> {
  const storage = await openStorage(urls.get(opened) ?? '');
  await storage.start();
  return { storage, close: () => storage.stop() };
}
