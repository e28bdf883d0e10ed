import { createSqlite } from '../sqlite/sqlite-harness.ts';
import { describeRulesFolder } from './rules-folder.suite.ts';

describeRulesFolder('SQLite', createSqlite);
