import { afterEach } from 'vitest';
import { SCHEMA_VERSION } from '../../../src/adapters/storage/mongodb/schema.ts';
import { describeReleasedSchemas } from '../../support/released-schemas.ts';
import { makeDatabase, textOfDatabase } from './database-text.ts';
import { dropDatabase, freshUrl, openStorage, withRaw } from './harness.ts';

const urls: string[] = [];
afterEach(async () => {
  for (const url of urls.splice(0)) await dropDatabase(url);
});

describeReleasedSchemas(
  {
    store: 'mongodb',
    ending: 'ejsonl',
    async fresh() {
      const url = await freshUrl();
      urls.push(url);
      return {
        async open() {
          const storage = openStorage(url);
          await storage.start();
          return storage;
        },
        text: () => withRaw(url, textOfDatabase),
        makeFrom: (text) => withRaw(url, (db) => makeDatabase(db, text)),
        schemaVersion: () =>
          withRaw(url, async (db) => {
            const schema = await db.collection<{ _id: string; n: number }>('control').findOne({ _id: 'schema' });
            return schema?.n ?? 0;
          }),
      };
    },
  },
  SCHEMA_VERSION,
);
