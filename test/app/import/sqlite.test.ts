import { createSqlite } from '../../adapters/sqlite/sqlite-harness.ts';
import { describeImports } from './imports.suite.ts';

describeImports('SQLite', createSqlite);
