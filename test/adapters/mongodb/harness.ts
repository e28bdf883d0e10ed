import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { mongodbStorage } from '../../../src/adapters/storage/mongodb/storage.ts';
import type { Logger, Storage } from '../../../src/ports/index.ts';
import type { OpenedStorage } from '../../contracts/harness.ts';
import { sharedMongodbUrl } from '../../support/shared-mongodb.ts';

export const silent: Logger = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  child: () => silent,
};

/** A URL of a database that nobody else has. */
export async function freshUrl(): Promise<string> {
  return withDatabase(await sharedMongodbUrl(), `muster_${randomUUID().replaceAll('-', '')}`);
}

export function withDatabase(serverUrl: string, database: string): string {
  const [address, query] = serverUrl.split('?');
  const server = /^mongodb(?:\+srv)?:\/\/[^/]+/.exec(address ?? '')?.[0];
  return `${server}/${database}${query === undefined ? '' : `?${query}`}`;
}

export function openStorage(url: string, leaseMs?: number): Storage {
  return mongodbStorage({ url, ...(leaseMs === undefined ? {} : { leaseMs }) })({ logger: silent });
}

export async function dropDatabase(url: string): Promise<void> {
  const client = new MongoClient(url);
  await client.connect();
  await client.db().dropDatabase();
  await client.close();
}

const urls = new WeakMap<OpenedStorage, string>();

export async function createStorage(): Promise<OpenedStorage> {
  const url = await freshUrl();
  const storage = openStorage(url);
  await storage.start();
  const opened = {
    storage,
    async close() {
      await storage.stop();
      await dropDatabase(url);
    },
  };
  urls.set(opened, url);
  return opened;
}

/** The same database as another node sees it. */
export async function reopenStorage(opened: OpenedStorage): Promise<OpenedStorage> {
  const storage = openStorage(urls.get(opened) ?? '');
  await storage.start();
  return { storage, close: () => storage.stop() };
}
