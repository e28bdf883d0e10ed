import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../src/app/catalogue/operations.ts';
import { KEYS_OF_FEATURES } from '../../src/app/kernel/config/schema.ts';
import { FEATURE_OF_PLUGIN } from '../../src/plugins/index.ts';
import { ROOT } from '../architecture/source-files.ts';

// A maintainer takes a feature off the list: the program is built without it, starts, and has nothing of it at any entrance.

const LIST = join('src', 'main', 'features.ts');
const text = readFileSync(join(ROOT, LIST), 'utf8');
const all = [...text.matchAll(/^import \{ (\w+) \} from '\.\.\/app\/([\w-]+)\/feature\.ts';$/gm)].map(
  ([line = '', variable = '', id = '']) => ({ line, variable, id }),
);
/** A build takes ten seconds, so the usual run tries the one with most operations. */
const tried = process.env.THOROUGH === '1' ? all : all.filter(({ id }) => id === 'exports');

function operationsOf(id: string) {
  const folder = join(ROOT, 'src/app', id);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /operations\/[^/]+$/.test(path),
  );
  const names = files.flatMap(
    (path) => /^ {2}name: '([^']+)'/m.exec(readFileSync(join(folder, path), 'utf8'))?.[1] ?? [],
  );
  return OPERATIONS.filter(({ name }) => names.includes(name));
}

describe.each(tried)('the program without $id', ({ line, variable, id }) => {
  const operations = operationsOf(id);
  let folder: string;
  let work: string;
  let service: ChildProcess;
  let address: string;

  const environment = (more: Readonly<Record<string, string>> = {}) => ({
    PATH: process.env.PATH,
    SERVICE_HTTP_PORT: '0',
    ...more,
  });
  async function muster(args: readonly string[], more?: Readonly<Record<string, string>>) {
    const running = promisify(execFile)(process.execPath, [join(folder, 'bin/muster'), ...args], {
      cwd: work,
      env: environment(more),
    });
    return running.then(
      ({ stdout, stderr }) => ({ code: 0, said: stdout + stderr }),
      ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, said: stdout + stderr }),
    );
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'muster-without-'));
    work = join(folder, 'work');
    for (const part of ['bin', 'src', 'scripts', 'package.json', 'tsconfig.json', 'sample'])
      await cp(join(ROOT, part), join(folder, part), { recursive: true });
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    await mkdir(work);
    await writeFile(join(folder, LIST), text.replace(`${line}\n`, '').replace(`  ${variable},\n`, ''));
    const build = `
      const { writeCatalogue } = await import('./scripts/catalogue.mjs');
      const { bundleProgram, writeProgram } = await import('./scripts/build-program.mjs');
      await writeCatalogue();
      await writeProgram('dist', (await bundleProgram()).outputs, new Set());`;
    await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', build], { cwd: folder });
    await writeFile(join(work, 'hosts.csv'), 'host,site\nweb01,berlin\n');
    const made = await muster([
      'account',
      'add',
      'lab',
      '--type',
      'csv',
      '--set',
      'path=hosts.csv',
      '--set',
      'hostname_field=host',
    ]);
    expect(made).toMatchObject({ code: 0 });
    service = spawn(process.execPath, [join(folder, 'bin/muster'), 'serve'], { cwd: work, env: environment() });
    address = await new Promise((resolve, reject) => {
      let said = '';
      const hear = (chunk: Buffer): void => {
        said += String(chunk);
        const found = /https?:\/\/[\d.]+:\d+/.exec(said)?.[0];
        if (found !== undefined) resolve(found);
      };
      service.stdout?.on('data', hear);
      service.stderr?.on('data', hear);
      service.once('exit', () => reject(new Error(said)));
    });
  }, 240_000);
  afterAll(async () => {
    const ended = once(service, 'exit');
    service.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true, force: true });
  });

  it('imports a file, serves it as an inventory, and finds nothing wrong', async () => {
    expect(await muster(['import', 'lab'])).toMatchObject({ code: 0 });
    const inventory = await muster(['inventory', 'automation', '--list']);
    expect(JSON.parse(inventory.said)).toMatchObject({ _meta: { hostvars: { web01: { site: 'berlin' } } } });
    const doctor = JSON.parse((await muster(['doctor', '--json'])).said) as {
      findings: { check: string; ok: boolean }[];
    };
    expect(doctor.findings.filter(({ ok }) => !ok)).toEqual([]);
    expect(await muster(['maintenance'])).toMatchObject({ code: 0 });
    expect(await muster(['status'])).toMatchObject({ code: 0 });
    expect((await fetch(`${address}/healthz`)).status).toBe(200);
  });

  it('has none of its operations over REST, as commands or as tools', async () => {
    expect(operations.length).toBeGreaterThan(0);
    const { paths } = (await (await fetch(`${address}/openapi.json`)).json()) as { paths: Record<string, object> };
    const offered = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map(
        (method) => `${method.toUpperCase()} ${path.replace('/api/v1', '').replaceAll(/\{(\w+)\}/g, ':$1')}`,
      ),
    );
    expect(offered.length).toBeGreaterThan(10);
    for (const { name, at } of operations) if (at.rest !== undefined) expect(offered, name).not.toContain(at.rest.path);
    for (const { words } of operations.flatMap(({ at }) => at.command ?? [])) {
      const told = await muster([...words.split(' '), '--help']);
      expect(told.code === 0 && told.said.startsWith(`Usage: muster ${words} `), words).toBe(false);
    }
    const tools = operations.flatMap(({ at }) => at.tool?.name ?? []);
    expect((await toolNames()).filter((name) => tools.includes(name))).toEqual([]);
  }, 240_000);

  it('refuses its keys of the configuration by name, and has none of its plugins', async () => {
    const [key] = Object.keys(KEYS_OF_FEATURES).filter((each) => KEYS_OF_FEATURES[each as 'PLAN_DAYS'] === id);
    if (key !== undefined) {
      const refused = await muster(['host', 'show', 'web01'], { [`SERVICE_${key}`]: '1' });
      expect(refused.code).not.toBe(0);
      expect(refused.said).toContain(`${key} in SERVICE_${key} belongs to ${id}`);
    }
    const plugins = (await muster(['plugins', '-o', 'name'])).said.split('\n');
    expect(plugins.filter((plugin) => FEATURE_OF_PLUGIN[plugin] === id)).toEqual([]);
  });

  it('names its operations to the pages, which then leave out what is made of them', async () => {
    const { password } = JSON.parse((await muster(['user', 'add', 'olga', '--role', 'all', '--json'])).said);
    const answer = await fetch(`${address}/admin/api/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'olga', password }),
    });
    const { refused } = (await answer.json()) as { refused: Record<string, { why: string }> };
    const absent = Object.keys(refused).filter((name) => refused[name]?.why === 'absent');
    expect(absent.sort()).toEqual(operations.map(({ name }) => name).sort());
  });

  async function toolNames(): Promise<readonly string[]> {
    const made = await muster(['user', 'add', 'model', '--role', 'mcp', '--json']);
    const { password } = JSON.parse(made.said) as { password: string };
    const env = environment({ SERVICE_API_USER: 'model', SERVICE_API_PASSWORD: password });
    const child = spawn(process.execPath, [join(folder, 'bin/muster'), 'mcp'], { cwd: work, env });
    try {
      let said = '';
      const listed = new Promise<string>((resolve) => {
        child.stdout.on('data', (chunk: Buffer) => {
          said += String(chunk);
          const line = said.split('\n').find((each) => each.includes('"id":2'));
          if (line?.endsWith('}') === true) resolve(line);
        });
      });
      const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
      const client = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
      send({ id: 1, method: 'initialize', params: client });
      send({ method: 'notifications/initialized' });
      send({ id: 2, method: 'tools/list', params: {} });
      const { result } = JSON.parse(await listed) as { result: { tools: { name: string }[] } };
      return result.tools.map(({ name }) => name);
    } finally {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    }
  }
});
