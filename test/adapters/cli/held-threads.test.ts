import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

const program = fileURLToPath(new URL('../../../bin/muster', import.meta.url));
const PASSWORD = 'correct horse battery';
const authorization = `Basic ${Buffer.from(`olga:${PASSWORD}`).toString('base64')}`;
/** Sources that never end: one holds its thread, the other waits and listens to no signal. */
const ENDLESS = `
  import { definePlugin, z } from 'muster/plugin-api';
  const source = (id, read) =>
    ({ id, title: id, description: id, options: z.strictObject({}), open: () => ({ read }) });
  export default definePlugin({
    id: 'endless', apiVersion: 2,
    register(host) {
      host.source(source('spins', async function* () { yield []; for (;;); }));
      host.source(source('waits', async function* () { yield []; await new Promise(() => {}); }));
    },
  });`;
const PATIENCE = { timeout: 30_000, interval: 200 };

let directory: string;
let service: ChildProcess | undefined;
let address: string;
let said: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'muster-held-'));
  await writeFile(join(directory, 'endless.mjs'), ENDLESS);
  await muster(['user', 'add', 'olga', '--role', 'all', '--admin', '--password-stdin'], PASSWORD);
  for (const type of ['spins', 'waits']) await muster(['account', 'add', type, '--type', type]);
  await muster(['account', 'add', 'crm', '--type', 'api']);
  // They are never due by themselves.
  const hour = (new Date().getUTCHours() + 12) % 24;
  const groups = ['spins', 'waits'].map((account) => ({
    ...{ name: account, enabled: true, interval: 'daily', timerange_from: hour, timerange_to: hour + 1 },
    jobs: [{ name: 'hosts', command: 'Import', account }],
  }));
  await writeFile(join(directory, 'groups.json'), JSON.stringify({ rules: { cron_groups: groups } }));
  await muster(['rules', 'import', 'groups.json']);
}, 60_000);

afterEach(async () => {
  if (service === undefined || service.exitCode !== null || service.signalCode !== null) return;
  const ended = once(service, 'exit');
  service.kill('SIGKILL');
  await ended;
});

afterAll(() => rm(directory, { recursive: true, force: true }));

function start(args: readonly string[]): ChildProcess {
  const env = {
    PATH: process.env.PATH,
    SERVICE_DATABASE_URL: `sqlite:${join(directory, 'muster.db')}`,
    SERVICE_PLUGINS: './endless.mjs',
    // What is tested here ends threads whatever runs on them, and not because a plugin is watched.
    SERVICE_PLUGIN_TIMEOUT_SECONDS: '600',
    SERVICE_WORKER_THREADS: '1',
    SERVICE_HTTP_PORT: '0',
  };
  return spawn(process.execPath, [program, ...args], { cwd: directory, env });
}

async function muster(args: readonly string[], input = ''): Promise<string> {
  const child = start(args);
  child.stdin?.end(`${input}\n`);
  const [output, errors] = await Promise.all([text(child.stdout!), text(child.stderr!), once(child, 'exit')]);
  if (child.exitCode !== 0) throw new Error(`muster ${args.join(' ')}: ${output}${errors}`);
  return output;
}

async function serve(): Promise<void> {
  said = '';
  const child = start(['serve']);
  service = child;
  address = await new Promise((resolve) => {
    const listen = (piece: Buffer): void => {
      said += piece;
      const [, found] = /Muster serves (\S+)/.exec(said) ?? [];
      if (found !== undefined) resolve(found);
    };
    child.stdout?.on('data', listen);
    child.stderr?.on('data', listen);
  });
}

async function ask(method: string, path: string): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetch(`${address}/api/v1${path}`, { method, headers: { authorization } });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

interface Run {
  readonly id: string;
  readonly account: string;
}

async function running(account: string): Promise<Run> {
  // It answers when the group has ended, which the service may do before.
  void ask('POST', `/syncer/cron/run/${account}`).catch(() => undefined);
  return vi.waitFor(async () => {
    const { body } = await ask('GET', '/runs/active');
    const run = (body.runs as readonly Run[]).find((each) => each.account === account);
    if (run === undefined) throw new Error('it does not run yet');
    return run;
  }, PATIENCE);
}

async function end(): Promise<number | null> {
  const ended = once(service as ChildProcess, 'exit');
  service?.kill('SIGTERM');
  return (await ended)[0] as number | null;
}

describe('a service', () => {
  it.each([
    ['spins', 'failed'],
    ['waits', 'cancelled'],
  ])(
    'is free of an import that %s once it is cancelled, and logs it as %s',
    {
      timeout: 90_000,
    },
    async (account, outcome) => {
      await serve();
      const { id } = await running(account);
      expect((await ask('POST', `/runs/active/${id}/cancel`)).status).toBe(200);
      await vi.waitFor(async () => {
        const { body } = await ask('GET', `/runs?kind=import&account=${account}`);
        expect(body.runs).toMatchObject([{ name: account, outcome }]);
      }, PATIENCE);
      expect((await ask('GET', '/runs/active')).body.runs).toEqual([]);
      // The only thread works again.
      expect((await ask('GET', '/inventory/automation/automation')).status).toBe(200);
      expect(await end()).toBe(0);
      expect(said).not.toMatch(/worker died/);
    },
  );

  it('ends by SIGTERM while a thread is held', { timeout: 60_000 }, async () => {
    await serve();
    await running('spins');
    // By itself, in good order: nothing had to kill it.
    expect(await end()).toBe(0);
    expect(service?.signalCode).toBeNull();
  });

  it('says no error when it is stopped right after an answer of a thread', { timeout: 60_000 }, async () => {
    await serve();
    for (const path of ['/objects/all', '/inventory/automation/automation']) {
      expect((await ask('GET', path)).status).toBe(200);
    }
    expect(await end()).toBe(0);
    expect(said).not.toMatch(/error|worker died/i);
  });
});
