import { openSqlite, sqliteFolder } from '../../adapters/sqlite/sqlite-harness.ts';
import { describeCronOperations } from './cron.suite.ts';
import { describeExports } from './exports.suite.ts';
import { describeOperations } from './operations.suite.ts';

async function createStorage() {
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

describeOperations('SQLite', createStorage);
describeCronOperations('SQLite', createStorage);
describeExports('SQLite', createStorage);
