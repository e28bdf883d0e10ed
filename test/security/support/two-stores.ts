import { createStorage as createMongodb } from '../../adapters/mongodb/harness.ts';
import { createSqlite } from '../../adapters/sqlite/sqlite-harness.ts';

/** The stores that keep what attackers leave behind, for `describe.each`. */
export const STORES = [
  ['SQLite', createSqlite],
  ['MongoDB', createMongodb],
] as const;

/** For suites of minutes: SQLite, and the other store as well where THOROUGH=1 is set, as before a release. */
export const THOROUGH_STORES = process.env.THOROUGH ? STORES : ([STORES[0]] as const);
