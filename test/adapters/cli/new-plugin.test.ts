import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { transform } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../architecture/source-files.ts';

// What `muster plugin new` writes, outside of this checkout and with the program as it is published: from `npm pack`, in an empty folder.

const THOROUGH = process.env.THOROUGH === '1';
const KINDS = ['source', 'target', 'provider', 'rule-type', 'job'] as const;
const LANGUAGES = ['js', 'ts'] as const;
const WRITTEN = KINDS.flatMap((kind) =>
  LANGUAGES.map((language) => ({ kind, language, name: `my-${kind}-${language}` })),
);

/** Without comments and blanks, and with the names that there are. */
const PLAIN = { minifyWhitespace: true, minifySyntax: true } as const;

const execute = promisify(execFile);

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
): Promise<End> {
  try {
    const options = { cwd, env: { PATH: process.env.PATH, HOME: folder, ...env }, maxBuffer: 64 * 1024 * 1024 };
    const { stdout, stderr } = await execute(command, [...args], options);
    return { code: 0, output: stdout, errors: stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code?: unknown; stdout: string; stderr: string };
    return { code: typeof code === 'number' ? code : -1, output: stdout, errors: stderr };
  }
}

const muster = (args: readonly string[], env?: Record<string, string>) =>
  run(process.execPath, [program, ...args], folder, env);

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
  for (const name of await readdir(present)) {
    if (!name.startsWith('.')) await symlink(join(present, name), join(modules, name));
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
    const templates = join(ROOT, 'examples/new-plugin', kind);
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

  it.each(WRITTEN)('passes its tests: $name', { timeout: 600_000 }, async ({ kind, language, name }) => {
    // Its faults take a minute, so one language has them all, and the other one before a release.
    const some = kind === 'target' && language === 'ts' && !THOROUGH ? ['--', '-t', 'contract'] : [];
    const { code, output, errors } = await run('npm', ['test', ...some], join(folder, name));
    expect(code, output + errors).toBe(0);
  });
});
