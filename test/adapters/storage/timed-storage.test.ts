import { memoryStorage } from '../../../src/adapters/storage/memory/storage.ts';
import { timedStorage } from '../../../src/adapters/storage/timed-storage.ts';
import { CallTimings } from '../../../src/app/kernel/timings.ts';
import { describeStorageContract } from '../../../src/testing/storage.contract.ts';

describeStorageContract('a timed storage', {
  async create() {
    const storage = timedStorage(memoryStorage()(), new CallTimings());
    await storage.start();
    return { storage, close: () => storage.stop() };
  },
});
