import { memoryStorage } from '../../../src/adapters/storage/memory/storage.ts';
import { createStorage } from '../../adapters/mongodb/harness.ts';
import { openSqlite, sqliteFolder } from '../../adapters/sqlite/sqlite-harness.ts';
import { describeTargetRules } from './target-rules.suite.ts';

describeTargetRules('memory', async () => {
  const storage = memoryStorage()();
  await storage.start();
  return { storage, close: () => storage.stop() };
});

describeTargetRules('SQLite', async () => {
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

if (process.env.THOROUGH === '1') describeTargetRules('MongoDB', createStorage);
