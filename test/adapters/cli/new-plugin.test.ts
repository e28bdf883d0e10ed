import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { transform } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../architecture/source-files.ts';

// What `muster plugin new` writes, outside of this checkout and with the program as it is published: from `npm pack`, in an empty folder.

const THOROUGH = process.env.THOROUGH === '1';
const KINDS = ['source', 'target', 'provider', 'rule-type', 'job', 'processor', 'action'] as const;
const LANGUAGES = ['js', 'ts'] as const;
const WRITTEN = KINDS.flatMap((kind) =>
  LANGUAGES.map((language) => ({ kind, language, name: `my-${kind}-${language}` })),
);

/** What a plugin brings to be tested; all else comes with the program. */
const TOOLS = ['vitest', 'typescript', '@types/node'];

/** Without comments and blanks, and with the names that there are. */
const PLAIN = { minifyWhitespace: true, minifySyntax: true } as const;

const execute = promisify(execFile);

/** The plugins' own tests run beside others here, on a machine that may be busy. */
const PATIENT = ['--testTimeout=180000', '--hookTimeout=180000'];

interface End {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

let folder: string;
let program: string;

async function run(
  command: string,
  args: readonly string[],
  cwd = folder,
  env: Record<string, string> = {},
  input = '',
): Promise<End> {
  try {
    // A home without a past lets npm ask its registry whether there is a newer npm.
    const own = { PATH: process.env.PATH, HOME: folder, npm_config_update_notifier: 'false', ...env };
    const options = { cwd, env: own, maxBuffer: 64 * 1024 * 1024 };
    const running = execute(command, [...args], options);
    running.child.stdin?.end(`${input}\n`);
    const { stdout, stderr } = await running;
    return { code: 0, output: stdout, errors: stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code?: unknown; stdout: string; stderr: string };
    return { code: typeof code === 'number' ? code : -1, output: stdout, errors: stderr };
  }
}

const muster = (args: readonly string[], env?: Record<string, string>, input?: string) =>
  run(process.execPath, [program, ...args], folder, env, input);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-new-plugin-'));
  const packed = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], ROOT);
  const [{ filename }] = JSON.parse(packed.output) as [{ readonly filename: string }];
  const modules = join(folder, 'node_modules');
  await mkdir(join(modules, 'muster'), { recursive: true });
  await execute('tar', ['-xzf', join(folder, filename), '--strip-components=1', '-C', join(modules, 'muster')]);
  program = join(modules, 'muster/bin/muster');
  // Written into the package that was unpacked, because the build of this checkout is in use.
  const types = ['--project', 'scripts/tsconfig.types.json', '--outDir', join(modules, 'muster/dist/types')];
  await execute(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), ...types], { cwd: ROOT });
  const present = join(ROOT, 'node_modules');
  const { dependencies, optionalDependencies } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  for (const name of new Set(
    [...Object.keys({ ...dependencies, ...optionalDependencies }), ...TOOLS].map((one) => one.split('/')[0] ?? one),
  )) {
    await symlink(join(present, name), join(modules, name));
  }
  await symlink(join(present, '.bin'), join(modules, '.bin'));
}, 120_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('a new plugin', () => {
  it.each(WRITTEN)('is written: $name', async ({ kind, language, name }) => {
    const typescript = language === 'ts' ? ['--typescript'] : [];
    const { code, output } = await muster(['plugin', 'new', name, '--kind', kind, '--json', ...typescript]);
    expect(code).toBe(0);
    const written = JSON.parse(output);
    expect(written).toMatchObject({ name, kind, folder: join(folder, name) });
    expect(written.files).toEqual((await readdir(join(folder, name))).sort());
    for (const file of written.files) {
      const text = await readFile(join(folder, name, file), 'utf8');
      expect(text, file).not.toMatch(/my-plugin|my_plugin|My plugin|\{\{(index|test|simulator|folder)\}\}/);
    }
  });

  it('is never written over what is there', async () => {
    await mkdir(join(folder, 'mine'));
    await writeFile(join(folder, 'mine/index.js'), 'precious');
    const { code, errors } = await muster(['plugin', 'new', 'mine', '--kind', 'job']);
    expect([code, errors]).toEqual([1, expect.stringContaining('mine is there already')]);
    expect(await readdir(join(folder, 'mine'))).toEqual(['index.js']);
    expect(await readFile(join(folder, 'mine/index.js'), 'utf8')).toBe('precious');
  });

  it.each([
    ['Mine', 'source', 'lower-case words'],
    ['../mine', 'source', 'lower-case words'],
    ['mine-', 'job', 'lower-case words'],
    ['x'.repeat(61), 'job', '60 characters'],
    ['csv', 'source', 'built in'],
    ['api', 'target', 'built in'],
    ['json', 'job', 'built in'],
    ['automation', 'provider', 'built in'],
    ['custom-attributes', 'rule-type', 'built in'],
  ])('is refused as %s', async (name, kind, reason) => {
    const { code, errors } = await muster(['plugin', 'new', name, '--kind', kind]);
    expect(code).toBeGreaterThan(0);
    expect(errors).toContain(reason);
    expect(await readdir(folder)).not.toContain(name);
  });

  it('has a kind', async () => {
    expect((await muster(['plugin', 'new', 'mine-too'])).code).toBe(2);
    expect((await muster(['plugin', 'new', 'mine-too', '--kind', 'thing'])).code).toBe(2);
    const { output } = await muster(['plugin', 'new', '--help']);
    expect(output).toContain('$ muster plugin new my-cmdb --kind source');
  });

  it.each(KINDS)('is the same in both languages: %s', async (kind) => {
    const templates = join(ROOT, 'examples/new-plugin', kind === 'target' ? 'export-target' : kind);
    for (const file of (await readdir(templates)).filter((name) => name.endsWith('.ts'))) {
      const [typed, plain] = await Promise.all(
        [file, file.replace(/\.ts$/, '.js')].map((name) => readFile(join(templates, name), 'utf8')),
      );
      const [ts, js] = await Promise.all([
        transform(typed?.replace(/'\.\/(\w+)\.ts'/g, "'./$1.js'") ?? '', { loader: 'ts', ...PLAIN }),
        transform(plain ?? '', { loader: 'js', ...PLAIN }),
      ]);
      expect(js.code, `${kind}/${file}`).toBe(ts.code);
    }
  });

  // The faults of the target take a minute, and begin a service: before a release, or by `npm test` in its folder.
  it.runIf(THOROUGH).each(WRITTEN)('passes its tests: $name', { timeout: 600_000 }, async ({ name }) => {
    const { code, output, errors } = await run('npm', ['test', '--', ...PATIENT], join(folder, name));
    expect(code, output + errors).toBe(0);
  });

  it.skipIf(THOROUGH)('passes its tests, of all kinds in both languages', { timeout: 180_000 }, async () => {
    for (const { language, name } of WRITTEN) {
      if (language === 'js') continue;
      const built = await run('npm', ['run', 'build'], join(folder, name));
      expect(built.code, built.output).toBe(0);
    }
    const vitest = join(folder, 'node_modules/vitest/vitest.mjs');
    const which = ['--exclude', '**/dist/**', '--exclude', 'mine', '-t', '^(?!.*faults of a target)', ...PATIENT];
    const { code, output, errors } = await run(process.execPath, [vitest, 'run', '--reporter=json', ...which]);
    expect(code, output + errors).toBe(0);
    const { numPassedTests, testResults } = JSON.parse(output) as { numPassedTests: number; testResults: unknown[] };
    expect(testResults).toHaveLength(WRITTEN.length);
    expect(numPassedTests).toBeGreaterThan(60);
  });

  describe.each(THOROUGH ? LANGUAGES : LANGUAGES.slice(-1))('works in the program, in %s', (language) => {
    const named = (kind: string): string => `my-${kind}-${language}`;
    const command = async (args: readonly string[], input?: string): Promise<string> => {
      const { code, output, errors } = await muster(
        args,
        {
          SERVICE_DATABASE_URL: `sqlite:${join(folder, `${language}.db`)}`,
          SERVICE_DATA_DIR: join(folder, `data-${language}`),
          SERVICE_PLUGINS: KINDS.map((kind) => join(folder, named(kind))).join(','),
        },
        input,
      );
      expect(code, `${args.join(' ')}: ${output}${errors}`).toBe(0);
      return output;
    };
    const system = createServer((_request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(
        '{"devices":[{"name":"web1","site":"berlin","os":"debian"},{"name":"web2","site":"paris"}],"pages":1}',
      );
    });
    let simulator: ChildProcess;
    let registry: string;
    beforeAll(async () => {
      if (language === 'ts') {
        for (const kind of KINDS) await execute('npm', ['run', 'build'], { cwd: join(folder, named(kind)) });
      }
      system.listen(0, '127.0.0.1');
      await once(system, 'listening');
      const script = `import { Simulator } from './my-target-js/simulator.js';
        const simulator = new Simulator('sesame');
        await simulator.start();
        console.log(simulator.address);`;
      simulator = spawn(process.execPath, ['--input-type=module', '-e', script], { cwd: folder });
      const [address] = (await once(simulator.stdout as Readable, 'data')) as [Buffer];
      registry = address.toString().trim();
    }, 60_000);
    afterAll(() => {
      system.close();
      simulator?.kill();
    });

    it('loads all of them', async () => {
      const plugins = JSON.parse(await command(['plugins', '--json'])) as { id: string; state: string }[];
      const own = plugins.filter(({ id }) => id.startsWith('my-'));
      expect(own.map(({ id, state }) => [id, state])).toEqual(KINDS.map((kind) => [named(kind), 'running']).sort());
    });

    it('imports, plans, applies, serves an inventory, evaluates a rule, runs a job and an action, and completes records', {
      timeout: 120_000,
    }, async () => {
      const { port } = system.address() as AddressInfo;
      const url = `url=http://127.0.0.1:${port}`;
      await command(['account', 'add', 'there', '--type', named('source'), '--set', url]);
      expect(await command(['account', 'test', 'there'])).toContain('site  berlin');
      await command(['import', 'there']);

      const ident = named('rule-type').replaceAll('-', '_');
      const outcomes = [{ attribute_name: 'place', attribute_value: 'in {{ site }}' }];
      const rule = { name: 'place', enabled: true, condition_typ: 'anyway', outcomes };
      await command(['rules', 'import', '-'], JSON.stringify({ rule_type: ident, rules: [rule] }));
      expect(JSON.parse(await command(['inventory', 'automation', '--host=web1']))).toMatchObject({
        place: 'in berlin',
      });

      const login = ['--set', `url=${registry}`, '--set', 'username=writer', '--password-stdin'];
      await command(['account', 'add', 'out', '--type', named('target'), ...login], 'sesame');
      expect(await command(['account', 'test', 'out'])).toContain('web1');
      const { id, counts } = JSON.parse(await command(['plan', 'out', '--json']));
      expect(counts).toMatchObject({ create: 2, update: 0 });
      expect(JSON.parse(await command(['apply', id, '--json']))).toMatchObject({ status: 'done' });
      expect(JSON.parse(await command(['plan', 'out', '--json'])).counts).toMatchObject({
        create: 0,
        update: 0,
        unchanged: 2,
      });

      expect(JSON.parse(await command(['inventory', named('provider'), '--list'])).all.hosts).toEqual([
        'web1.example.org',
        'web2.example.org',
      ]);

      const job = { name: 'count', command: `My job ${language}` };
      const group = { name: 'mine', enabled: true, interval: '10min', jobs: [job] };
      await command(['rules', 'import', '-'], JSON.stringify({ rule_type: 'cron_groups', rules: [group] }));
      expect(await command(['cron', 'run'])).toContain('2 hosts');

      expect(JSON.parse(await command(['plugin', 'run', named('action'), 'count', '--json']))).toEqual({ hosts: 2 });
      const processed = await command(['account', 'set', 'there', '--set', `processors=${named('processor')}`]);
      expect(processed).not.toContain('muster:');
      await command(['import', 'there']);
      expect(await command(['host', 'show', 'web1'])).toMatch(/owner +operations/);
    });
  });
});
