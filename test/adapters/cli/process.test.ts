import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const program = join(root, 'bin/muster');

interface Finished {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

let directory: string;
let environment: NodeJS.ProcessEnv;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'muster-process-'));
  environment = { PATH: process.env.PATH, SERVICE_DATABASE_URL: `sqlite:${join(directory, 'muster.db')}` };
  await run(program, [
    'account',
    'add',
    'nodes',
    '--type',
    'csv',
    '--set',
    `path=${join(root, 'sample/wikimedia-nodes.csv')}`,
  ]);
  const imported = await run(program, ['import', 'nodes', '--json']);
  expect(JSON.parse(imported.stdout)).toMatchObject({ seen: 964, created: 964 });
  await run(program, ['rules', 'import', join(root, 'sample/rules.json')]);
});

afterAll(async () => {
  await rm(directory, { recursive: true, force: true });
});

function run(file: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Finished> {
  return new Promise((resolve) => {
    const options = { cwd: directory, env: { ...environment, ...env }, maxBuffer: 64 * 1024 * 1024 };
    const child = execFile(file, args, options, (_error, stdout, stderr) => {
      resolve({ exitCode: child.exitCode ?? -1, stdout, stderr });
    });
  });
}

const NOISY_PLUGIN = `import { definePlugin } from 'muster/plugin-api';
console.log('noise of the module');
export default definePlugin({
  id: 'noisy',
  apiVersion: 1,
  register(host) {
    process.stdout.write('noise of registering\\n');
    host.inventoryProvider('noisy', () => ({
      full() {
        console.info('noise of rendering');
        return { _meta: { hostvars: {} }, all: { hosts: [] } };
      },
      host: () => false,
    }));
  },
});
`;

it('what plugins print does not get into results', async () => {
  await writeFile(join(directory, 'noisy.mjs'), NOISY_PLUGIN);
  const { exitCode, stdout, stderr } = await run(program, ['inventory', 'noisy', '--list'], {
    SERVICE_PLUGINS: './noisy.mjs',
  });
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toEqual({ _meta: { hostvars: {} }, all: { hosts: [] } });
  expect(stderr.match(/noise of \w+/g)).toEqual(['noise of the', 'noise of registering', 'noise of rendering']);
});

/** Waits until the file has that size: the import is in its midst. */
async function grown(file: string, size: number): Promise<void> {
  for (;;) {
    const now = await stat(file).then(
      (stats) => stats.size,
      () => 0,
    );
    if (now >= size) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('the built program', () => {
  it('exits 0, 1 and 2', async () => {
    expect((await run(program, ['host', 'list'])).exitCode).toBe(0);
    expect((await run(program, ['host', 'show', 'nobody'])).exitCode).toBe(1);
    expect((await run(program, ['hots'])).exitCode).toBe(2);
  });

  it('does not load what help does not need', async () => {
    const loaded = join(directory, 'loaded');
    const { exitCode } = await run(program, ['--help'], { NODE_V8_COVERAGE: loaded });
    expect(exitCode).toBe(0);
    const [report = ''] = await readdir(loaded);
    const { result } = JSON.parse(await readFile(join(loaded, report), 'utf8')) as { result: { url: string }[] };
    const files = result
      .map(({ url }) => url)
      .filter((url) => url.startsWith('file:'))
      .map((url) => fileURLToPath(url));
    const sizes = await Promise.all(files.map(async (file) => (await readFile(file)).length));
    expect(files.some((file) => file.includes('dist'))).toBe(true);
    expect(files.filter((file) => file.includes('node_modules'))).toEqual([]);
    // Commander and the names of the commands. zod alone would be three times that.
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(160_000);
  });

  it('loads no HTTP client and no driver of a source before the first run that needs it', async () => {
    const loaded = join(directory, 'loaded-inventory');
    expect((await run(program, ['inventory', 'automation', '--list'], { NODE_V8_COVERAGE: loaded })).exitCode).toBe(0);
    const [report = ''] = await readdir(loaded);
    const { result } = JSON.parse(await readFile(join(loaded, report), 'utf8')) as { result: { url: string }[] };
    const files = result.map(({ url }) => url).filter((url) => url.startsWith('file:'));
    const texts = await Promise.all(files.map((url) => readFile(fileURLToPath(url), 'utf8')));
    expect(texts.length).toBeGreaterThan(10);
    const used = /UND_ERR_|DECLARE muster|HANDSHAKE_NO_SSL_SUPPORT|EINSTLOOKUP|1\.2\.840\.113556\.1\.4\.319/;
    expect(texts.filter((text) => used.test(text))).toEqual([]);
  });

  it('ends in peace when its reader goes away', async () => {
    const script = `set -o pipefail; "${program}" host list --json | head -n 1; echo "$?"; "${program}" inventory automation --list | head -c 5; echo " $?"`;
    const { stdout, stderr } = await run('bash', ['--norc', '-c', script]);
    expect(stdout).toBe('[\n0\n{"_me 0\n');
    expect(stderr).toBe('');
  });

  it('stops an import on SIGINT, says what it kept, and completes it next time', async () => {
    const hosts = 150_000;
    const file = join(directory, 'many.csv');
    await writeFile(
      file,
      `host,site\n${Array.from({ length: hosts }, (_, index) => `h${index}.example.org,eqiad\n`).join('')}`,
    );
    const env = { SERVICE_DATABASE_URL: `sqlite:${join(directory, 'many.db')}` };
    await run(program, ['account', 'add', 'many', '--type', 'csv', '--set', `path=${file}`], env);
    const child = spawn(program, ['import', 'many', '--json'], { cwd: directory, env: { ...environment, ...env } });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => (stdout += chunk));
    child.stderr.on('data', (chunk) => (stderr += chunk));
    await grown(join(directory, 'many.db-wal'), 1_000_000);
    child.kill('SIGINT');
    const [code] = (await once(child, 'close')) as [number];
    expect(code).toBe(130);
    expect(JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
      code: 'cancelled',
      message: expect.stringContaining('"muster import many" completes the run'),
    });
    const { created } = JSON.parse(stdout) as { created: number };
    expect(created).toBeLessThan(hosts);
    const completed = JSON.parse((await run(program, ['import', 'many', '--json'], env)).stdout);
    expect(completed).toMatchObject({ seen: hosts, created: hosts - created, unchanged: created });
  }, 60_000);

  it('serves, and stops in good order on SIGTERM', async () => {
    const { stdout: password } = await run(program, ['user', 'add', 'reader', '--role', 'automation']);
    const service = spawn(program, ['serve', '--http-port', '0'], {
      cwd: directory,
      env: { ...environment, SERVICE_LOG_LEVEL: 'error' },
    });
    const closed = once(service, 'close');
    const [line] = (await once(service.stdout.setEncoding('utf8'), 'data')) as [string];
    const address = line.trim().split(' ').at(-1) ?? '';
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);

    const local = await run(program, ['inventory', 'automation', '--list']);
    const remote = { MUSTER_URL: address, SERVICE_API_USER: 'reader', SERVICE_API_PASSWORD: password.trim() };
    const rest = await run(join(root, 'ansible/rest_inventory'), ['--list'], remote);
    expect(rest.stderr).toBe('');
    expect(rest.stdout === local.stdout).toBe(true);
    const one = await run(join(root, 'ansible/rest_inventory'), ['--host', 'mw1349.eqiad.wmnet'], remote);
    expect(one.stdout).toBe((await run(program, ['inventory', '--host=mw1349.eqiad.wmnet'])).stdout);
    const refused = await run(join(root, 'ansible/rest_inventory'), ['--list'], {
      ...remote,
      SERVICE_API_PASSWORD: 'wrong',
    });
    expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
    expect(refused.stderr).toMatch(/^rest_inventory: http.* answered 401: /);

    service.kill('SIGTERM');
    expect(await closed).toEqual([0, null]);
  }, 60_000);

  it('runs the demo again and again without touching other data', async () => {
    const env = { SERVICE_DATABASE_URL: undefined };
    for (const _ of [1, 2]) {
      const { exitCode, stdout } = await run(program, ['demo', '--no-serve'], env);
      expect(exitCode).toBe(0);
      expect(stdout).toMatch(/964 hosts imported, \d+ rules applied\./);
    }
    expect(await readdir(join(directory, 'data'))).toContain('demo.db');
    expect(await readdir(join(directory, 'data'))).not.toContain('muster.db');
  }, 60_000);
});

describe('the inventory scripts', () => {
  it('answer as the command does, also through links', async () => {
    const link = join(directory, 'linked_inventory');
    await symlink(join(root, 'ansible/inventory'), link);
    const { stdout } = await run(program, ['inventory', 'automation', '--list']);
    for (const script of [join(root, 'ansible/inventory'), link, join(root, 'ansible/inventory_single')]) {
      expect((await run(script, ['--list'])).stdout === stdout, script).toBe(true);
    }
    const databases = await run(link, ['--list'], { SERVICE_INVENTORY_PROVIDER: 'databases' });
    expect(databases.stdout).toBe((await run(program, ['inventory', 'databases', '--list'])).stdout);
    expect(databases.stdout).not.toBe(stdout);
  });

  it('answer for one host and for monitoring servers', async () => {
    const expected = (await run(program, ['inventory', '--host=mw1349.eqiad.wmnet'])).stdout;
    expect((await run(join(root, 'ansible/inventory'), ['--host', 'mw1349.eqiad.wmnet'])).stdout).toBe(expected);
    const whole = await run(program, ['inventory', '--list'], { SERVICE_INVENTORY_HOST: 'mw1349.eqiad.wmnet' });
    for (const args of [['mw1349.eqiad.wmnet'], ['--host', 'mw1349.eqiad.wmnet'], ['--host=mw1349.eqiad.wmnet']]) {
      const single = await run(join(root, 'ansible/inventory_single'), args);
      expect(single.stdout).toBe(whole.stdout);
      expect(JSON.parse(single.stdout)._meta.hostvars['mw1349.eqiad.wmnet']).toEqual(JSON.parse(expected));
    }
    const servers = await run(join(root, 'ansible/cmk_server_inventory'), ['--list']);
    expect(servers.stdout).toBe((await run(program, ['inventory', 'cmk_sites', '--list'])).stdout);
    const unknown = await run(join(root, 'ansible/inventory'), ['--host', 'nobody']);
    expect(unknown).toMatchObject({ exitCode: 1, stdout: '' });
  });
});
