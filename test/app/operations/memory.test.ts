import { memoryStorage } from '../../../src/adapters/storage/memory/storage.ts';
import { describeOperations } from './operations.suite.ts';

describeOperations('memory', async () => {
  const storage = memoryStorage()();
  await storage.start();
  return { storage, close: () => storage.stop() };
});
