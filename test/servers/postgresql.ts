import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { serverCertificates } from './certificates.ts';
import { freePort, runProgram, startProgram, until, userNamed } from './processes.ts';
import type { Recipe } from './recipe.ts';

const PASSWORD = 'secret';

export const postgresql: Recipe = {
  name: 'postgresql',
  about: 'PostgreSQL that takes encrypted connections only, with 1,000 hosts in the table hosts of the database cmdb',
  packages: ['postgresql'],
  programs: ['psql'],
  async start(folder) {
    const bin = await binaries();
    const user = await userNamed('postgres');
    const data = join(folder, 'data');
    const { ca, server } = await serverCertificates(folder);
    const passwordFile = join(folder, 'password');
    await writeFile(passwordFile, PASSWORD);
    if (user !== undefined) await runProgram('chown', ['-R', `${user.uid}:${user.gid}`, folder]);
    const setup = [
      '-D',
      data,
      '-U',
      'postgres',
      '-A',
      'scram-sha-256',
      `--pwfile=${passwordFile}`,
      '-E',
      'UTF8',
      '--no-locale',
      '-N',
    ];
    await runProgram(join(bin, 'initdb'), setup, { cwd: folder, user });
    // Names alone do not let anybody in who does not encrypt.
    await writeFile(join(data, 'pg_hba.conf'), 'hostssl all all 127.0.0.1/32 scram-sha-256\n');
    for (const [name, text] of Object.entries({ 'server.crt': server.cert, 'server.key': server.key })) {
      await writeFile(join(data, name), text, { mode: 0o600 });
      if (user !== undefined) await runProgram('chown', [`${user.uid}:${user.gid}`, join(data, name)]);
    }
    const port = await freePort();
    const settings = {
      listen_addresses: '127.0.0.1',
      port,
      unix_socket_directories: folder,
      ssl: 'on',
      fsync: 'off',
      log_destination: 'stderr',
    };
    const started = startProgram(
      join(bin, 'postgres'),
      ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      { log: join(folder, 'log'), cwd: folder, user, signal: 'SIGINT' },
    );
    const login = { host: '127.0.0.1', port, user: 'postgres', password: PASSWORD, ssl: { ca: server.ca } };
    await until(() => query({ ...login, database: 'postgres' }, 'CREATE DATABASE cmdb'), started);
    await query({ ...login, database: 'cmdb' }, SEED);
    return {
      facts: {
        address: `postgresql://postgres@127.0.0.1:${port}/cmdb`,
        port: String(port),
        username: 'postgres',
        password: PASSWORD,
        ca,
      },
      processes: [started],
    };
  },
};

const SEED = `CREATE TABLE hosts (name text PRIMARY KEY, ip inet, site text, updated timestamptz DEFAULT now());
  INSERT INTO hosts SELECT 'h' || i, ('10.0.' || i / 256 || '.' || i % 256)::inet, 'berlin' FROM generate_series(1, 1000) i`;

async function query(login: pg.ClientConfig, text: string): Promise<void> {
  const client = new pg.Client(login);
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

/** Debian keeps the programs of each version apart. */
async function binaries(): Promise<string> {
  const root = '/usr/lib/postgresql';
  const versions = (await readdir(root)).sort((a, b) => Number(a) - Number(b));
  return join(root, versions.at(-1) ?? '', 'bin');
}
