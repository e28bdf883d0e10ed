import type { StoreDriver } from '../../ports/storage/store-driver.ts';
import { memoryDriver } from './memory/driver.ts';
import { mongodbDriver } from './mongodb/driver.ts';
import { postgresqlDriver } from './postgresql/driver.ts';
import { sqliteDriver } from './sqlite/driver.ts';

/** Every store that there is. One more is one more line. */
export const STORE_DRIVERS: readonly StoreDriver[] = [sqliteDriver, postgresqlDriver, mongodbDriver, memoryDriver];
