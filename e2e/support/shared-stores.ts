import { startMongodbServer } from '../../test/support/mongodb-server.ts';
import { hasPostgresql, startPostgresqlServer } from '../../test/support/postgresql-server.ts';

interface SharedStore {
  readonly name: string;
  /** Why there is no server here; `undefined` where there is one. */
  readonly missing: string | undefined;
  start(): Promise<{ readonly url: string; stop(): Promise<void> }>;
}

export const NO_POSTGRESQL = hasPostgresql ? undefined : 'PostgreSQL is not installed here';

/** The stores that several nodes may share. */
export const SHARED_STORES: readonly SharedStore[] = [
  { name: 'PostgreSQL', missing: NO_POSTGRESQL, start: () => startPostgresqlServer() },
  { name: 'MongoDB', missing: undefined, start: () => startMongodbServer() },
];
