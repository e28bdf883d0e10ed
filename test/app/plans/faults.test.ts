import { createStorage } from '../../adapters/mongodb/harness.ts';
import { createSqlite } from '../../adapters/sqlite/sqlite-harness.ts';
import { describeFaults } from './faults.suite.ts';

describeFaults('SQLite', createSqlite);

if (process.env.THOROUGH === '1') describeFaults('MongoDB', createStorage);
