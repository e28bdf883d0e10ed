import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { freePort, runProgram, type Started, startProgram, type User, until, userNamed } from './processes.ts';

export const PASSWORD = 'secret';

interface DatabaseSettings {
  /** Who may connect, as a line of `pg_hba.conf`. */
  readonly admits: string;
  /** Beside those for an address of its own and no care for power failures. */
  readonly settings?: Readonly<Record<string, string | number>>;
  /** Beside its tables, readable by the server alone. */
  readonly files?: Readonly<Record<string, string>>;
}

interface DatabaseServer {
  readonly started: Started;
  /** Starts it again over what it stored, after it was ended. */
  startAgain(): Started;
  readonly port: number;
  readonly login: Readonly<{ host: string; port: number; user: string; password: string }>;
}

/** Starts an empty PostgreSQL that stores in the folder, as a user of its own where this process is root. */
export async function startDatabase(folder: string, given: DatabaseSettings): Promise<DatabaseServer> {
  const { admits, settings = {}, files = {} } = given;
  const user = await userNamed('postgres');
  const data = join(folder, 'data');
  const passwordFile = join(folder, 'password');
  await writeFile(passwordFile, PASSWORD);
  if (user !== undefined) await runProgram('chown', ['-R', `${user.uid}:${user.gid}`, folder]);
  const setup = ['-D', data, '-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`, '-E', 'UTF8'];
  await runProgram(await databaseProgram('initdb'), [...setup, '--no-locale', '-N'], { cwd: folder, user });
  await writeFile(join(data, 'pg_hba.conf'), `${admits}\n`);
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(data, name), text, { mode: 0o600 });
    if (user !== undefined) await runProgram('chown', [`${user.uid}:${user.gid}`, join(data, name)]);
  }
  return startOver(folder, user, settings);
}

/** Starts a streaming replica of a server that admits it, which stores in the folder. */
export async function startReplica(
  folder: string,
  { host, port, user: name, password }: DatabaseServer['login'],
  settings: Readonly<Record<string, string | number>> = {},
): Promise<DatabaseServer> {
  const user = await userNamed('postgres');
  if (user !== undefined) await runProgram('chown', [`${user.uid}:${user.gid}`, folder]);
  const primary = `host=${host} port=${port} user=${name} password=${password}`;
  const copy = ['-D', join(folder, 'data'), '-R', '--checkpoint=fast', '--no-sync', '-d', primary];
  await runProgram(await databaseProgram('pg_basebackup'), copy, { cwd: folder, user });
  return startOver(folder, user, settings);
}

/** Starts a server over what it stored in the folder. */
async function startOver(
  folder: string,
  user: User | undefined,
  settings: Readonly<Record<string, string | number>>,
): Promise<DatabaseServer> {
  const data = join(folder, 'data');
  const port = await freePort();
  const all = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: folder,
    fsync: 'off',
    log_destination: 'stderr',
    ...settings,
  };
  const program = await databaseProgram('postgres');
  const startAgain = (): Started =>
    startProgram(program, ['-D', data, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])], {
      log: join(folder, 'log'),
      cwd: folder,
      user,
      signal: 'SIGINT',
    });
  return {
    started: startAgain(),
    startAgain,
    port,
    login: { host: '127.0.0.1', port, user: 'postgres', password: PASSWORD },
  };
}

/** Runs statements, one after the other where there are several. */
export async function query(login: pg.ClientConfig, ...statements: readonly string[]): Promise<void> {
  const client = new pg.Client(login);
  client.on('error', () => undefined);
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Waits until it takes statements. */
export async function databaseIsUp(
  started: Started,
  login: pg.ClientConfig,
  ...statements: readonly string[]
): Promise<void> {
  await until(() => query({ ...login, database: 'postgres' }, ...statements), started);
}

/** The path of one of its programs. Debian keeps those of each version apart. */
export async function databaseProgram(name: string): Promise<string> {
  const root = '/usr/lib/postgresql';
  const versions = (await readdir(root)).sort((a, b) => Number(a) - Number(b));
  return join(root, versions.at(-1) ?? '', 'bin', name);
}
