import { memoryStorage } from '../../../src/adapters/storage/memory/storage.ts';
import { describeCronOperations } from './cron.suite.ts';
import { describeExports } from './exports.suite.ts';
import { describeOperations } from './operations.suite.ts';

async function createStorage() {
  const storage = memoryStorage()();
  await storage.start();
  return { storage, close: () => storage.stop() };
}

describeOperations('memory', createStorage);
describeCronOperations('memory', createStorage);
describeExports('memory', createStorage);
