import { MemoryRecords, memoryRecords } from '../../../src/adapters/storage/memory/records.ts';
import { describeRecordStoreContract } from '../../../src/testing/record-store.contract.ts';

describeRecordStoreContract('memory', {
  async create() {
    const kept = new MemoryRecords();
    return { records: memoryRecords(() => kept, { now: () => new Date() }), close: async () => {} };
  },
});
