import { createSqlite } from '../../adapters/sqlite/sqlite-harness.ts';
import { describePlans } from './plans.suite.ts';

describePlans('SQLite', createSqlite);
