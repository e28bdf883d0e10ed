import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canConnect, endProcess, freePort, runProgram, startProgram, until, userNamed } from '../servers/processes.ts';

const PROGRAM = '/usr/sbin/pgbouncer';

/** As for the database itself: in CI it is there, elsewhere its tests are counted as skipped. */
export const hasPooler = process.env.CI === 'true' || existsSync(PROGRAM);

/** A pooler before a database that gives each transaction whichever connection is free. */
export async function startPooler(url: string): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const { hostname, port, username, password, pathname } = new URL(url);
  const folder = await mkdtemp(join(tmpdir(), 'muster-pooler-'));
  const own = await freePort();
  // Newer ones prepare statements for each client, unless they are told not to; older ones do not know the setting.
  const preparing = (await preparesStatements()) ? 'max_prepared_statements = 0\n' : '';
  const settings = join(folder, 'pgbouncer.ini');
  await writeFile(
    settings,
    `[databases]
* = host=${hostname} port=${port} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 5
${preparing}`,
  );
  const user = await userNamed('postgres');
  if (user !== undefined) await runProgram('chown', ['-R', `${user.uid}:${user.gid}`, folder]);
  const started = startProgram(PROGRAM, [settings], { log: join(folder, 'log'), cwd: folder, user, signal: 'SIGINT' });
  await until(() => canConnect(own), started);
  return {
    url: `postgresql://${username}@127.0.0.1:${own}${pathname}`,
    async stop() {
      await endProcess(started);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function preparesStatements(): Promise<boolean> {
  const [, major, minor] = /(\d+)\.(\d+)/.exec(await runProgram(PROGRAM, ['--version'])) ?? [];
  return Number(major) > 1 || Number(minor) >= 21;
}
