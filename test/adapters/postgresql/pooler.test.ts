import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe } from 'vitest';
import type { OpenedStorage } from '../../../src/testing/harness.ts';
import { describeStorageContract } from '../../../src/testing/storage.contract.ts';
import { hasPooler, startPooler } from '../../support/pooler.ts';
import { hasPostgresql } from '../../support/postgresql-server.ts';
import { sharedPostgresqlUrl } from '../../support/shared-databases.ts';
import { dropSchema, openStorage } from './harness.ts';

describe.skipIf(!hasPostgresql || !hasPooler)('over a pooler that gives each transaction another connection', () => {
  let pooler: Awaited<ReturnType<typeof startPooler>>;
  beforeAll(async () => {
    pooler = await startPooler(await sharedPostgresqlUrl());
  });
  afterAll(() => pooler?.stop());

  const urls = new WeakMap<OpenedStorage, string>();
  describeStorageContract('PostgreSQL behind a pooler', {
    async create() {
      const options = `?sslmode=disable&schema=p${randomUUID().replaceAll('-', '')}`;
      const storage = await openStorage(pooler.url + options);
      await storage.start();
      const opened = {
        storage,
        async close() {
          await storage.stop();
          await dropSchema((await sharedPostgresqlUrl()) + options);
        },
      };
      urls.set(opened, pooler.url + options);
      return opened;
    },
    async reopen(opened) {
      const storage = await openStorage(urls.get(opened) ?? '');
      await storage.start();
      return { storage, close: () => storage.stop() };
    },
  });
});
