import { memoryStorage } from '../../../src/adapters/storage/memory/storage.ts';
import { createStorage } from '../../adapters/mongodb/harness.ts';
import { openSqlite, sqliteFolder } from '../../adapters/sqlite/sqlite-harness.ts';
import { describeExports } from './exports.suite.ts';

describeExports('memory', async () => {
  const storage = memoryStorage()();
  await storage.start();
  return { storage, close: () => storage.stop() };
});

describeExports('SQLite', async () => {
  const folder = await sqliteFolder();
  const storage = await openSqlite(folder.path);
  return {
    storage,
    async close() {
      await storage.stop();
      await folder.remove();
    },
  };
});

describeExports('MongoDB', createStorage);
