import { afterEach, beforeEach } from 'vitest';
import { SCHEMA_VERSION } from '../../../src/adapters/storage/sqlite/migrate.ts';
import { describeReleasedSchemas } from '../../support/released-schemas.ts';
import { versionOf } from './older-database.ts';
import { makeFromSqlText, sqlTextOf } from './sql-text.ts';
import { openSqlite, type SqliteFolder, sqliteFolder } from './sqlite-harness.ts';

let folder: SqliteFolder;
let made = 0;
beforeEach(async () => {
  folder = await sqliteFolder();
});
afterEach(() => folder.remove());

describeReleasedSchemas(
  {
    store: 'sqlite',
    ending: 'sql',
    async fresh() {
      const path = `${folder.path}-${++made}`;
      return {
        open: () => openSqlite(path),
        text: async () => sqlTextOf(path),
        makeFrom: async (text) => makeFromSqlText(path, text),
        schemaVersion: async () => Number(versionOf(path)),
      };
    },
  },
  SCHEMA_VERSION,
);
