import { memoryStorage } from '../../../src/adapters/storage/memory/storage.ts';
import { describeStorageContract } from '../../../src/testing/storage.contract.ts';

describeStorageContract('memory', {
  async create() {
    const storage = memoryStorage()();
    await storage.start();
    return { storage, close: () => storage.stop() };
  },
});
