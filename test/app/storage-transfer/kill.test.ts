import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { fillStorage } from '../../../src/testing/stored-samples.ts';
import { openSqlite } from '../../adapters/sqlite/sqlite-harness.ts';
import { fillHosts, freshFolder } from './support.ts';

// The program as people run it, from dist/, killed in the midst of its work.

const program = fileURLToPath(new URL('../../../bin/muster', import.meta.url));
const HOSTS = 8_000;

interface Place {
  readonly folder: string;
  readonly source: string;
  readonly target: string;
}

async function place(): Promise<Place> {
  const folder = await freshFolder();
  const storage = await openSqlite(join(folder, 'a.db'));
  await fillStorage(storage);
  await fillHosts(storage, HOSTS);
  await storage.stop();
  return { folder, source: `sqlite:${join(folder, 'a.db')}`, target: join(folder, 'b.db') };
}

function environment(url: string): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, SERVICE_DATABASE_URL: url };
}

function start({ folder }: Place, url: string, args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [program, ...args], { cwd: folder, env: environment(url), stdio: 'ignore' });
}

async function run<T>({ folder }: Place, url: string, args: readonly string[]): Promise<T> {
  const options = { cwd: folder, env: environment(url), maxBuffer: 16 * 1024 * 1024 };
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...args, '--json'], options);
  return JSON.parse(stdout) as T;
}

/** Kills the process without warning once the target holds so many hosts. */
async function killAt(child: ChildProcess, path: string, hosts: number): Promise<void> {
  const exited = once(child, 'exit');
  while (child.exitCode === null && hostsIn(path) < hosts) await new Promise((resolve) => setTimeout(resolve, 5));
  child.kill('SIGKILL');
  const [code, signal] = await exited;
  expect([code, signal]).toEqual([null, 'SIGKILL']);
}

function hostsIn(path: string): number {
  if (!existsSync(path)) return 0;
  try {
    const database = new Database(path, { readonly: true });
    const count = database.prepare('SELECT count(*) FROM hosts').pluck().get() as number;
    database.close();
    return count;
  } catch {
    // The tables are just being made.
    return 0;
  }
}

interface Report {
  readonly resumed: boolean;
  readonly parts: readonly { readonly part: string; readonly count: number; readonly digest: string }[];
}

describe('killed in the midst', () => {
  it('a migration goes on with the same command, and both sides are equal', async () => {
    const where = await place();
    const args = ['storage', 'migrate', '--from', where.source, '--to', `sqlite:${where.target}`];
    await killAt(start(where, where.source, args), where.target, 1_000);
    const first = hostsIn(where.target);
    expect(first).toBeLessThan(HOSTS);
    await killAt(start(where, where.source, args), where.target, first + 1_000);
    expect(hostsIn(where.target)).toBeLessThan(HOSTS);
    const report = await run<Report>(where, where.source, args);
    expect(report.resumed).toBe(true);
    expect(report.parts.find(({ part }) => part === 'hosts')?.count).toBe(HOSTS + 17);
    const check = await run<{ found: number }>(where, `sqlite:${where.target}`, ['storage', 'check']).catch(
      (error: { stdout: string }) => JSON.parse(error.stdout) as { problems: { subject: string }[] },
    );
    // The sample's accounts and pools are no complete documents, and its chain is none; nothing else may be wrong.
    const subjects = 'problems' in check ? (check.problems as { subject: string }[]).map(({ subject }) => subject) : [];
    expect(
      subjects.filter((subject) => !/^(audit log$|(accounts|cmk_folder_pool|custom_attributes) )/.test(subject)),
    ).toEqual([]);
  }, 60_000);

  it('a restore goes on with the same command', async () => {
    const where = await place();
    const file = join(where.folder, 'backup.gz');
    await run(where, where.source, ['backup', file]);
    const url = `sqlite:${where.target}`;
    await killAt(start(where, url, ['restore', file]), where.target, 1_000);
    expect(hostsIn(where.target)).toBeLessThan(HOSTS);
    const report = await run<Report>(where, url, ['restore', file]);
    expect(report.resumed).toBe(true);
    expect(hostsIn(where.target)).toBe(HOSTS + 17);
  }, 60_000);
});
