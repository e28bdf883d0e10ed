import { memoryStorage } from '../../../src/adapters/storage/memory/storage.ts';
import { describePlans } from './plans.suite.ts';

describePlans('memory', async () => {
  const storage = memoryStorage()();
  await storage.start();
  return { storage, close: () => storage.stop() };
});
