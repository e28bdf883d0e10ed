import { createStorage } from '../../adapters/mongodb/harness.ts';
import { describeImports } from './imports.suite.ts';

describeImports('MongoDB', createStorage);
