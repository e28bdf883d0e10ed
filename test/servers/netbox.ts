import { createHash } from 'node:crypto';
import { chmod, copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { databaseIsUp, databaseProgram, PASSWORD, query, startDatabase } from './database-server.ts';
import { programPath } from './install.ts';
import {
  canConnect,
  endProcess,
  freePort,
  isRunning,
  runProgram,
  type Started,
  startProgram,
  until,
} from './processes.ts';
import type { Recipe, Running } from './recipe.ts';

const VERSION = '4.7.3';
const SECRET = '0123456789abcdef0123456789abcdef01234567';
const TOKENS = {
  token: `nbt_admin0000001.${SECRET}`,
  'token of version 1': '1'.repeat(40),
  'token of a reader': `nbt_reader000000.${SECRET}`,
  'token of halfway': `nbt_halfway00000.${SECRET}`,
  'token of a stranger': `nbt_stranger0000.${SECRET}`,
} as const;

/** Of the checkout: this file runs as part of a bundle, too, which is elsewhere. */
const root = process.cwd();
const USERS = join(root, 'test/servers/netbox_users.py');
const START_MS = 5 * 60_000;

/** A variable names them where they are there already: what follows takes minutes to install, and up to twenty to migrate. */
const VENV = 'MUSTER_TEST_NETBOX_VENV';
const DUMP = 'MUSTER_TEST_NETBOX_DUMP';

/** Their order is that of the databases in Redis, of which each needs two. */
const SITES = ['first', 'second'] as const;
export type NetBoxSite = (typeof SITES)[number];

/** Two NetBoxes without any objects, and tokens that both of them know. */
export const netbox: Recipe = {
  name: 'netbox',
  about: `NetBox ${VERSION}, two of them without objects, with tokens of several rights`,
  packages: ['postgresql', 'redis-server'],
  programs: ['psql', 'redis-server'],
  firstStart: 45,
  async refusal() {
    if (process.env[VENV] !== undefined || (await python()) !== undefined) return undefined;
    return `NetBox needs Python 3.12 or newer; install it and name it (PYTHON=/path/to/python3.12), or name a virtual environment with netbox==${VERSION} by ${VENV}`;
  },
  async start(folder) {
    const processes: Started[] = [];
    try {
      return await startBoth(folder, (started) => {
        processes.push(started);
        return started;
      });
    } catch (error) {
      await Promise.all(processes.map(endProcess));
      throw error;
    }
  },
};

async function startBoth(folder: string, begun: (started: Started) => Started): Promise<Running> {
  const venv = process.env[VENV] ?? (await alone(madeEnvironment));
  const store = join(folder, 'database');
  await mkdir(store);
  const database = await startDatabase(store, { admits: 'host all all 127.0.0.1/32 scram-sha-256' });
  begun(database.started);
  const redisPort = await freePort();
  const redis = begun(
    startProgram(
      programPath('redis-server') ?? 'redis-server',
      ['--bind', '127.0.0.1', '--port', String(redisPort), '--dir', folder, '--save', '', '--appendonly', 'no'],
      { log: join(folder, 'redis.log'), cwd: folder },
    ),
  );
  await databaseIsUp(database.started, database.login, 'CREATE DATABASE template');
  await until(() => canConnect(redisPort), redis);
  const ports = { database: database.port, redis: redisPort };
  const home = await configured(folder, 'template', ports);
  await alone(() => fillTemplate({ venv, folder: home, port: database.port }));
  const sites: { readonly address: string; readonly server: Started }[] = [];
  for (const site of SITES) {
    await query({ ...database.login, database: 'postgres' }, copyOf(site));
    const port = await freePort();
    const options = ['--workers', '2', '--timeout', '600', '--no-control-socket', '--bind', `127.0.0.1:${port}`];
    const server = begun(
      startProgram(join(venv, 'bin/gunicorn'), [...options, 'netbox.wsgi'], {
        log: join(folder, `${site}.log`),
        env: { NETBOX_ROOT: await configured(folder, site, ports) },
      }),
    );
    sites.push({ address: `http://127.0.0.1:${port}`, server });
  }
  for (const { address, server } of sites) await until(() => answers(`${address}/api/status/`), server, START_MS);
  return {
    facts: {
      address: sites[0]?.address ?? '',
      'second address': sites[1]?.address ?? '',
      username: 'admin',
      password: 'admin',
      ...TOKENS,
      'database port': String(database.port),
      'redis port': String(redisPort),
    },
    processes: [...sites.map(({ server }) => server), redis, database.started],
  };
}

/** Removes everything that somebody wrote into a NetBox since it was started. */
export async function emptyNetBox({ facts }: Running, site: NetBoxSite): Promise<void> {
  const port = Number(facts['database port']);
  const login = { host: '127.0.0.1', port, user: 'postgres', password: PASSWORD, database: 'postgres' };
  await query(login, `DROP DATABASE ${site} WITH (FORCE)`, copyOf(site));
  await runProgram('redis-cli', ['-p', facts['redis port'] ?? '', 'flushall']);
}

/** Runs a program within a NetBox that was started in the folder, as an administrator at its machine would. */
export async function runInNetBox(folder: string, site: NetBoxSite, program: string): Promise<void> {
  const venv = process.env[VENV] ?? (await alone(madeEnvironment));
  const env = { NETBOX_ROOT: join(folder, site) };
  await runProgram(join(venv, 'bin/netbox'), ['nbshell', '-c', await readFile(join(root, program), 'utf8')], { env });
}

function copyOf(site: NetBoxSite): string {
  return `CREATE DATABASE ${site} TEMPLATE template STRATEGY file_copy`;
}

async function answers(address: string): Promise<void> {
  const response = await fetch(address, { headers: { authorization: `Bearer ${TOKENS.token}` } });
  if (!response.ok) throw new Error(`${address} answers ${response.status}: ${await response.text()}`);
}

/** Answers the folder that NetBox takes its configuration from. */
async function configured(
  folder: string,
  database: NetBoxSite | 'template',
  ports: { readonly database: number; readonly redis: number },
): Promise<string> {
  const home = join(folder, database);
  const first = database === 'second' ? 2 : 0;
  await mkdir(join(home, 'conf'), { recursive: true });
  await writeFile(join(home, 'conf/__init__.py'), '');
  await writeFile(
    join(home, 'conf/configuration.py'),
    `ALLOWED_HOSTS = ['*']
DATABASES = {'default': {
    'ENGINE': 'django.db.backends.postgresql', 'NAME': '${database}', 'USER': 'postgres', 'PASSWORD': '${PASSWORD}',
    'HOST': '127.0.0.1', 'PORT': '${ports.database}', 'CONN_MAX_AGE': 0,
}}
_REDIS = dict(HOST='127.0.0.1', PORT=${ports.redis}, USERNAME='', PASSWORD='', SSL=False)
REDIS = {'tasks': dict(_REDIS, DATABASE=${first}), 'caching': dict(_REDIS, DATABASE=${first + 1})}
SECRET_KEY = '${'for-tests-only-'.repeat(4)}'
API_TOKEN_PEPPERS = {1: '${'a-pepper-for-tests-only-'.repeat(3)}'}
CENSUS_REPORTING_ENABLED = False
`,
  );
  return home;
}

interface Template {
  readonly venv: string;
  /** With the configuration. */
  readonly folder: string;
  readonly port: number;
}

/** Makes tables and users, or restores those of an earlier start. */
async function fillTemplate({ venv, folder, port }: Template): Promise<void> {
  const users = await readFile(USERS, 'utf8');
  const configuration = await readFile(join(folder, 'conf/configuration.py'), 'utf8');
  const secrets = /^SECRET_KEY.*\n.*PEPPERS.*$/m.exec(configuration)?.[0] ?? '';
  const digest = createHash('sha256').update(`${users}${secrets}`).digest('hex').slice(0, 12);
  const known = join(cacheFolder(), `database-${digest}.dump`);
  const login = ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres', '-d', 'template'];
  const env = { NETBOX_ROOT: folder, PGPASSWORD: PASSWORD };
  const restore = async (file: string): Promise<void> => {
    await runProgram(await databaseProgram('pg_restore'), ['--no-owner', '--exit-on-error', ...login, file], { env });
  };
  const isKnown = await readFile(known).then(
    () => true,
    () => false,
  );
  if (isKnown) return restore(known);
  const program = join(venv, 'bin/netbox');
  const given = process.env[DUMP];
  if (given === undefined) await runProgram(program, ['migrate', '--no-input'], { env });
  else await restore(given);
  await runProgram(program, ['nbshell', '-c', users], { env });
  const made = join(folder, 'database.dump');
  await runProgram(await databaseProgram('pg_dump'), ['--format', 'custom', '--file', made, ...login], { env });
  // Under its name only as a whole.
  const beside = `${known}.made`;
  await copyFile(made, beside);
  await rename(beside, known);
}

/** What is kept from start to start: the programs, and a database with all tables. */
function cacheFolder(): string {
  return join(root, 'node_modules/.cache/servers', `netbox-${VERSION}`);
}

/** One start at a time makes what is kept, of all test files; the others find it. */
async function alone<T>(work: () => Promise<T>): Promise<T> {
  const lock = join(cacheFolder(), 'lock');
  await mkdir(cacheFolder(), { recursive: true });
  while (!(await isWritten(lock))) {
    const owner = Number(await readFile(lock, 'utf8').catch(() => '0'));
    // Who was killed left it.
    if (owner > 0 && !isRunning(owner)) await rm(lock, { force: true });
    await pause(500);
  }
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}

function isWritten(lock: string): Promise<boolean> {
  return writeFile(lock, String(process.pid), { flag: 'wx' }).then(
    () => true,
    () => false,
  );
}

async function madeEnvironment(): Promise<string> {
  const venv = join(cacheFolder(), 'venv');
  const finished = join(venv, 'finished');
  const isThere = await readFile(finished).then(
    () => true,
    () => false,
  );
  if (isThere) return venv;
  await rm(venv, { recursive: true, force: true });
  await runProgram((await python()) ?? 'python3', ['-m', 'venv', venv]);
  await chmod(venv, 0o755);
  const options = ['--quiet', '--no-input', '--disable-pip-version-check', '--prefer-binary'];
  await runProgram(join(venv, 'bin/python'), ['-m', 'pip', 'install', ...options, `netbox==${VERSION}`]);
  await writeFile(finished, '');
  return venv;
}

async function python(): Promise<string | undefined> {
  const candidates = [process.env.PYTHON, 'python3', 'python3.14', 'python3.13', 'python3.12'];
  for (const candidate of candidates) {
    if (candidate === undefined) continue;
    const minor = await runProgram(candidate, ['-c', 'import sys; print(sys.version_info.minor)']).catch(() => '0');
    if (Number(minor) >= 12) return candidate;
  }
  return undefined;
}
