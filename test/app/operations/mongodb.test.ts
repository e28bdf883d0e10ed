import { createStorage } from '../../adapters/mongodb/harness.ts';
import { describeCronOperations } from './cron.suite.ts';
import { describeExports } from './exports.suite.ts';
import { describeOperations } from './operations.suite.ts';

describeOperations('MongoDB', createStorage);
describeCronOperations('MongoDB', createStorage);
describeExports('MongoDB', createStorage);
