import { createStorage } from '../../adapters/mongodb/harness.ts';
import { describeOperations } from './operations.suite.ts';

describeOperations('MongoDB', createStorage);
