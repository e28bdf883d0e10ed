import { describeStorageContract } from '../../../src/testing/storage.contract.ts';
import { createStorage, reopenStorage } from './harness.ts';

describeStorageContract('MongoDB', { create: createStorage, reopen: reopenStorage });
