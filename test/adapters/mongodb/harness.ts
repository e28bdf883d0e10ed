import { randomUUID } from 'node:crypto';
import { type Db, MongoClient } from 'mongodb';
import { afterAll } from 'vitest';
import { databaseName } from '../../../src/adapters/storage/mongodb/connection.ts';
import { mongodbStorage } from '../../../src/adapters/storage/mongodb/storage.ts';
import type { Logger, Storage } from '../../../src/ports/index.ts';
import type { OpenedStorage } from '../../../src/testing/harness.ts';
import type { CuttableLine } from '../../support/cuttable-line.ts';
import { sharedMongodbUrl } from '../../support/shared-databases.ts';

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

/** The same over a line that can be cut, with options of the address. */
export async function freshUrlThrough(line: CuttableLine, options: string): Promise<string> {
  const direct = await freshUrl();
  const { port } = line;
  return `${direct.replace(/:\d+\//, `:${port}/`)}${direct.includes('?') ? '&' : '?'}${options}`;
}

export function withDatabase(serverUrl: string, database: string): string {
  const [address, query] = serverUrl.split('?');
  const server = /^mongodb(?:\+srv)?:\/\/[^/]+/.exec(address ?? '')?.[0];
  return `${server}/${database}${query === undefined ? '' : `?${query}`}`;
}

export function openStorage(url: string, leaseMs?: number, maxHostBytes?: number): Storage {
  const limits = {
    ...(leaseMs === undefined ? {} : { leaseMs }),
    ...(maxHostBytes === undefined ? {} : { maxHostBytes }),
  };
  return mongodbStorage({ url, ...limits })({ logger: silent });
}

/** Works on the database behind the storage's back. */
export async function withRaw<T>(url: string, work: (db: Db) => Promise<T>): Promise<T> {
  const client = await MongoClient.connect(url);
  try {
    return await work(client.db());
  } finally {
    await client.close();
  }
}

let cleaner: Promise<MongoClient> | undefined;
/** Databases with indexes and without data. Making one costs twice what emptying one does, and a suite takes hundreds. */
const empty: string[] = [];

async function database(url: string): Promise<Db> {
  cleaner ??= MongoClient.connect(await sharedMongodbUrl());
  return (await cleaner).db(databaseName(url));
}

export async function dropDatabase(url: string): Promise<void> {
  await (await database(url)).dropDatabase();
}

async function emptyDatabase(url: string): Promise<void> {
  const collections = await (await database(url)).collections();
  await Promise.all(
    collections.map((collection) =>
      collection.deleteMany(collection.collectionName === 'control' ? { kind: { $ne: 'schema' } } : {}),
    ),
  );
  empty.push(url);
}

afterAll(async () => {
  for (const url of empty.splice(0)) await dropDatabase(url);
  await (await cleaner)?.close();
  cleaner = undefined;
});

const urls = new WeakMap<OpenedStorage, string>();

export async function createStorage(): Promise<OpenedStorage> {
  const url = empty.pop() ?? (await freshUrl());
  const storage = openStorage(url);
  await storage.start();
  const opened = {
    storage,
    async close() {
      await storage.stop();
      await emptyDatabase(url);
    },
  };
  urls.set(opened, url);
  return opened;
}

/** All that a stream gives. */
export async function everything<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of stream) found.push(item);
  return found;
}

/** The same database as another node sees it. */
export async function reopenStorage(opened: OpenedStorage): Promise<OpenedStorage> {
  const storage = openStorage(urls.get(opened) ?? '');
  await storage.start();
  return { storage, close: () => storage.stop() };
}
