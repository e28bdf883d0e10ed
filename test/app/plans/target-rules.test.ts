import { memoryStorage } from '../../../src/adapters/storage/memory/storage.ts';
import { createStorage } from '../../adapters/mongodb/harness.ts';
import { createSqlite } from '../../adapters/sqlite/sqlite-harness.ts';
import { describeTargetRules } from './target-rules.suite.ts';

describeTargetRules('memory', async () => {
  const storage = memoryStorage()();
  await storage.start();
  return { storage, close: () => storage.stop() };
});

describeTargetRules('SQLite', createSqlite);

if (process.env.THOROUGH === '1') describeTargetRules('MongoDB', createStorage);
