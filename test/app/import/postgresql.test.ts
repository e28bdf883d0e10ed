import { createStorage } from '../../adapters/postgresql/harness.ts';
import { describeImports } from './imports.suite.ts';

describeImports('PostgreSQL', createStorage);
