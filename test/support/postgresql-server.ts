import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseIsUp, query, startDatabase } from '../servers/database-server.ts';
import { endProcess } from '../servers/processes.ts';

export interface PostgresqlServer {
  /** An address without options, of a database that tests share: each takes a schema of its own. */
  readonly url: string;
  stop(): Promise<void>;
  /** It is gone for a moment: after it has stored everything, or as it dies by a fault. Absent for a server that was given. */
  restart?(how: 'orderly' | 'crashed'): Promise<void>;
}

const PROGRAMS = '/usr/lib/postgresql';

/**
 * Whether tests over PostgreSQL run: where its programs are, or an address is given. In CI they always run, and fail where it is not there;
 * elsewhere they are counted as skipped.
 */
export const hasPostgresql =
  process.env.CI === 'true' ||
  process.env.MUSTER_TEST_POSTGRESQL_URL !== undefined ||
  (existsSync(PROGRAMS) && readdirSync(PROGRAMS).length > 0);

/** Starts a server of its own, empty, on the loopback address. Where MUSTER_TEST_POSTGRESQL_URL is set, that one is used as it is. */
export async function startPostgresqlServer(
  settings: Readonly<Record<string, string | number>> = {},
): Promise<PostgresqlServer> {
  const given = process.env.MUSTER_TEST_POSTGRESQL_URL;
  if (given !== undefined) return { url: given, stop: async () => {} };
  const folder = await mkdtemp(join(tmpdir(), 'muster-postgresql-'));
  const { started, startAgain, port, login } = await startDatabase(folder, {
    admits: 'host all all 127.0.0.1/32 scram-sha-256',
    settings: { max_connections: 300, synchronous_commit: 'off', full_page_writes: 'off', ...settings },
  });
  await databaseIsUp(started, login, 'CREATE DATABASE muster');
  // Otherwise the schema of the first test has the extension, and takes the index of others with it when it is dropped.
  await query(
    { ...login, database: 'muster' },
    'CREATE SCHEMA extensions',
    'CREATE EXTENSION pg_trgm SCHEMA extensions',
  );
  let running = started;
  return {
    url: `postgresql://${login.user}:${login.password}@127.0.0.1:${port}/muster`,
    async stop() {
      await endProcess(running);
      await rm(folder, { recursive: true, force: true });
    },
    async restart(how) {
      await endProcess({ pid: running.pid, signal: how === 'crashed' ? 'SIGQUIT' : 'SIGINT' });
      running = startAgain();
      await databaseIsUp(running, login);
    },
  };
}
