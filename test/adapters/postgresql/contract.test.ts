import { describe } from 'vitest';
import { describeRecordStoreContract } from '../../../src/testing/record-store.contract.ts';
import { describeStorageContract } from '../../../src/testing/storage.contract.ts';
import { hasPostgresql } from '../../support/postgresql-server.ts';
import { createRecords, createStorage, reopenStorage } from './harness.ts';

describe.skipIf(!hasPostgresql)('over a real server', () => {
  describeRecordStoreContract('PostgreSQL', { create: createRecords });
  describeStorageContract('PostgreSQL', { create: createStorage, reopen: reopenStorage });
});
