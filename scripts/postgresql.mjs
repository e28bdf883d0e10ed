#!/usr/bin/env node
// Finds the programs of PostgreSQL for the tests over a real server, or gets them. The tests start servers of their own.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installPackages, mayInstallPackages } from './debian.mjs';
import { fail, note, SetupError, step } from './report.mjs';

/** Where `test/support/postgresql-server.ts` looks, too. */
const programs = '/usr/lib/postgresql';
/** `test/support/pooler.ts` runs it, with THOROUGH=1 alone. */
const pooler = '/usr/sbin/pgbouncer';
const clusterSettings = '/etc/postgresql-common/createcluster.conf';

const hasServer = () =>
  Boolean(process.env.MUSTER_TEST_POSTGRESQL_URL) || (existsSync(programs) && readdirSync(programs).length > 0);

function missingPackages() {
  return [
    ...(hasServer() ? [] : ['postgresql']),
    ...(process.env.THOROUGH && !existsSync(pooler) ? ['pgbouncer'] : []),
  ];
}

/** The package makes a database for all of the machine otherwise. */
function wantNoCluster() {
  if (existsSync(clusterSettings)) return;
  mkdirSync(dirname(clusterSettings), { recursive: true });
  writeFileSync(clusterSettings, 'create_main_cluster = false\n');
}

/**
 * Begins to install what is missing where this process may; other things can be done beside it. The answer waits for that, and says whether
 * there is a PostgreSQL. Where there is none, its tests are skipped, and in CI nothing is tested at all.
 */
export function preparePostgresql() {
  const wanted = missingPackages();
  if (wanted.length === 0) return async () => true;
  const mayInstall = mayInstallPackages();
  if (mayInstall && wanted.includes('postgresql')) wantNoCluster();
  const installed = mayInstall ? installPackages(...wanted) : Promise.resolve();
  return async () => {
    if (mayInstall) await step(`Getting ${wanted.join(' and ')} for the tests`, () => installed);
    const missing = missingPackages();
    if (missing.length === 0) return true;
    const advice = `install ${missing.join(' and ')} (Debian, Ubuntu: apt-get install ${missing.join(' ')})`;
    if (process.env.CI === 'true') throw new SetupError(`In CI the tests over PostgreSQL must run: ${advice}.`);
    note(`Tests over ${missing.includes('postgresql') ? 'PostgreSQL' : 'a pooler'} are skipped: ${advice}.`);
    return hasServer();
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  Promise.resolve()
    .then(() => preparePostgresql()())
    .catch(fail);
}
