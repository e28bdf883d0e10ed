import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from '../architecture/source-files.ts';
import { blocksOf } from './support/markdown.ts';

const run = promisify(execFile);

/** A copy of the program with the operation of CONTRIBUTING.md and its part of a page, and nothing else added by hand. */
let folder: string;

async function muster(...args: readonly string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [join(folder, 'bin/muster'), ...args], { cwd: folder });
  return stdout;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-one-file-'));
  // The documentation is built too, and looks whether what it links to is there.
  const left = new Set(['node_modules', '.git', '.venv', '.cache', 'dist', 'data', 'test-results']);
  for (const name of await readdir(ROOT)) {
    if (!left.has(name)) await cp(join(ROOT, name), join(folder, name), { recursive: true });
  }
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const blocks = blocksOf('CONTRIBUTING.md').filter(({ purpose }) => purpose.startsWith('operation '));
  for (const { purpose, text } of blocks) {
    const path = join(folder, purpose.slice('operation '.length));
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  // The one line, with its import.
  const list = join(folder, 'src/main/features.ts');
  const features = await readFile(list, 'utf8');
  await writeFile(
    list,
    `import { racks } from '../app/racks/feature.ts';\n${features.replace('  search,\n', '  search,\n  racks,\n')}`,
  );
  await run(process.execPath, ['scripts/catalogue.mjs'], { cwd: folder });
  await run(process.execPath, ['scripts/build.mjs'], { cwd: folder });
  await muster('account', 'add', 'lab', '--type', 'api');
  await muster('host', 'set', 'web1', '--account', 'lab', '--label', 'site=here', '--label', 'os=debian');
}, 120_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

test('one file makes a command with help and JSON', async () => {
  expect(await muster('host', '--help')).toContain('label-names');
  expect(await muster('host', 'label-names', '--help')).toContain('$ muster host label-names web01.example.org');
  expect(await muster('host', 'label-names', 'web1')).toBe('site\nos\n');
  expect(JSON.parse(await muster('host', 'label-names', 'web1', '--json'))).toEqual({
    hostname: 'web1',
    names: ['site', 'os'],
  });
});

test('an operation whose name is not written out, which no list would have, is refused', async () => {
  const path = join(folder, 'src/app/search/operations/send-searches.ts');
  const text = await readFile(path, 'utf8');
  await writeFile(path, text.replace("name: 'search/send-searches'", 'name: NAME'));
  await expect(run(process.execPath, ['scripts/catalogue.mjs'], { cwd: folder })).rejects.toThrow(
    "sendSearches in src/app/search/operations/send-searches.ts has to begin with name: '…'",
  );
  await writeFile(path, text);
});

test('one folder and one line make a feature with a check and something to prune', async () => {
  expect(await muster('doctor')).toContain('each has a plan');
  expect(await muster('maintenance')).toContain('plans of racks pruned');
  expect(JSON.parse(await muster('maintenance', '--json'))).toMatchObject({ rack_plans: 0 });
});

test('and a tool with schemas', async () => {
  const { password } = await newUser('model', 'mcp');
  const client = new Client({ name: 'test', version: '0' });
  const env = { PATH: process.env.PATH ?? '', SERVICE_API_USER: 'model', SERVICE_API_PASSWORD: password };
  const args = [join(folder, 'bin/muster'), 'mcp'];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd: folder, env }));
  const { tools } = await client.listTools();
  expect(tools.find(({ name }) => name === 'list_label_names')).toMatchObject({ annotations: { readOnlyHint: true } });
  const answer = await client.callTool({ name: 'list_label_names', arguments: { hostname: 'web1' } });
  expect(answer.structuredContent).toEqual({ hostname: 'web1', names: ['site', 'os'] });
  await client.close();
}, 180_000);

test('and an endpoint with its documentation, and a call of the pages', async () => {
  const { password } = await newUser('olga', 'objects');
  const service = spawn(process.execPath, [join(folder, 'bin/muster'), 'serve', '--http-port', '0'], { cwd: folder });
  try {
    const url = await addressOf(service);
    const path = '/api/v1/objects/{hostname}/label-names';
    expect(((await (await fetch(`${url}/openapi.json`)).json()) as { paths: object }).paths).toHaveProperty([
      path,
      'get',
    ]);
    const authorization = `Basic ${Buffer.from(`olga:${password}`).toString('base64')}`;
    const rest = await fetch(`${url}/api/v1/objects/web1/label-names`, { headers: { authorization } });
    expect(await rest.json()).toEqual({ hostname: 'web1', names: ['site', 'os'] });
    const post = (where: string, body: object, headers: Record<string, string> = {}) =>
      fetch(`${url}/admin/api/${where}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
    const cookie = (await post('session', { name: 'olga', password })).headers.get('set-cookie')?.split(';')[0] ?? '';
    const page = await post('operations/hosts/label-names', { hostname: 'web1' }, { cookie });
    expect(await page.json()).toEqual({ hostname: 'web1', names: ['site', 'os'] });
  } finally {
    service.kill();
    await once(service, 'exit');
  }
}, 180_000);

test('and a part of a page that is checked against it', async () => {
  const part = join(folder, 'src/adapters/admin/pages/hosts/label-names.tsx');
  const check = () =>
    run(join(ROOT, 'node_modules/.bin/tsc'), ['--noEmit', '-p', 'src/adapters/admin/pages'], { cwd: folder });
  await check();
  await writeFile(part, (await readFile(part, 'utf8')).replace('({ names })', '({ labels })'));
  await expect(check()).rejects.toMatchObject({ stdout: expect.stringContaining("'labels' does not exist") });
}, 360_000);

/** A user with a generated password. */
async function newUser(name: string, role: string): Promise<{ password: string }> {
  return JSON.parse(await muster('user', 'add', name, '--role', role, '--json'));
}

async function addressOf({ stdout, stderr }: ChildProcess): Promise<string> {
  let output = '';
  return new Promise((resolve, reject) => {
    for (const stream of [stdout, stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        const [address] = /https?:\/\/[\w.]+:\d+/.exec(output) ?? [];
        if (address !== undefined) resolve(address);
      });
    }
    stdout?.on('end', () => reject(new Error(output)));
  });
}
