import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';

// `npm run release` in a clone of this checkout, with a stand-in for what is built. THOROUGH=1 also builds there.

const ROOT = join(import.meta.dirname, '../..');
const THOROUGH = process.env.THOROUGH === '1';
const execute = promisify(execFile);

let folder: string;
let version: string;

const at = (...path: readonly string[]): string => join(folder, ...path);
const read = (...path: readonly string[]): Promise<string> => readFile(at(...path), 'utf8');

interface End {
  readonly code: number;
  readonly output: string;
}

async function run(program: string, ...args: readonly string[]): Promise<End> {
  const who = { GIT_AUTHOR_NAME: 'Test', GIT_AUTHOR_EMAIL: 'test@example.org' };
  const committer = { GIT_COMMITTER_NAME: 'Test', GIT_COMMITTER_EMAIL: 'test@example.org' };
  const env = { ...process.env, NO_COLOR: '1', ...who, ...committer, SOURCE_DATE_EPOCH: '1785542400' };
  try {
    const { stdout, stderr } = await execute(program, [...args], { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 });
    return { code: 0, output: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code?: unknown; stdout: string; stderr: string };
    return { code: typeof code === 'number' ? code : -1, output: `${stdout}${stderr}` };
  }
}

const release = (...args: readonly string[]): Promise<End> => run(process.execPath, 'scripts/release.mjs', ...args);

async function git(...args: readonly string[]): Promise<string> {
  const { code, output } = await run('git', ...args);
  expect(code, output).toBe(0);
  return output.trim();
}

/** Instead of a build, which takes half a minute: a program that knows its version. */
async function standInForBuild(): Promise<void> {
  await mkdir(at('dist/types'), { recursive: true });
  await mkdir(at('dist/admin'));
  await cp(join(ROOT, 'dist/build.json'), at('dist/build.json'));
  await writeFile(at('dist/muster.js'), `console.log('${version}');\n`);
  for (const name of ['muster.js.map', 'plugin-api.js', 'types/plugin-api.d.ts', 'admin/manifest.json']) {
    await writeFile(at('dist', name), '');
  }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-released-'));
  const { stdout } = await execute('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    maxBuffer: 64 * 1024 * 1024,
  });
  // What is packed and not built here, unless it is built here too.
  const others = new Set(THOROUGH ? [] : ['src', 'test', 'e2e', 'bench']);
  for (const name of new Set(stdout.split('\0').map((path) => path.split('/')[0] as string))) {
    if (name === '' || others.has(name) || !existsSync(join(ROOT, name))) continue;
    await cp(join(ROOT, name), at(name), { recursive: true });
  }
  await mkdir(at('test/support'), { recursive: true });
  await cp(join(ROOT, 'test/support/requirements.txt'), at('test/support/requirements.txt'));
  for (const name of ['node_modules', '.venv']) await symlink(join(ROOT, name), at(name));
  version = JSON.parse(await read('package.json')).version;
  await standInForBuild();
  // What the next entry of the collection's changelog is made of by a program of its own.
  await rm(at('packaging/ansible-collection/changelogs/fragments'), { recursive: true });
  appendFileSync(at('.gitignore'), '\nnode_modules\n');
  await git('init', '--quiet', '--initial-branch', 'main');
  await git('add', '--all');
  await git('commit', '--quiet', '--message', 'All');
}, 120_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('a release is refused', () => {
  it('without a version', async () => {
    expect(await release()).toEqual({ code: 1, output: expect.stringContaining('Usage: npm run release') });
    expect((await release('--help')).code).toBe(0);
  });

  it.each([
    [['next'], 'is no version'],
    [['0.0.1'], 'is older than'],
    [['1.0.0', '--commit', '--dry-run'], 'only one can be meant'],
    [['1.0.0', '--fast'], '--fast'],
    [['1.0.0', '--as-tagged'], 'hold another version than 1.0.0'],
  ])('as %j', async (args, says) => {
    const { code, output } = await release(...args);
    expect([code, output]).toEqual([1, expect.stringContaining(says)]);
    expect(output).not.toMatch(/^\s+at /m);
  });

  it('of a version that has a tag', async () => {
    await git('tag', `v${version}`);
    expect((await release(version)).output).toContain(`There is a tag v${version} already`);
    await git('tag', '--delete', `v${version}`);
  });

  it('of another branch', async () => {
    await git('switch', '--quiet', '--create', 'other');
    expect((await release(version)).output).toContain('this is other');
    await git('switch', '--quiet', 'main');
  });

  it('with changes that are not committed', async () => {
    await writeFile(at('new.txt'), '');
    expect((await release(version)).output).toMatch(/not committed[\s\S]*new\.txt/);
    await rm(at('new.txt'));
  });

  it('of what the changelog does not tell', async () => {
    const text = await read('CHANGELOG.md');
    for (const [changed, says] of [
      [text.replace('(not released yet)', '(2026-01-01)'), 'does not begin with a section'],
      [text.replace(/^## /m, '## Next (not released yet)\n\n## '), 'is empty'],
    ] as const) {
      await writeFile(at('CHANGELOG.md'), changed);
      await git('commit', '--quiet', '--all', '--message', 'Changed');
      expect((await release(version)).output).toContain(says);
      await git('reset', '--quiet', '--hard', 'HEAD~1');
    }
  });

  it('of a build that is not of its version, and leaves nothing behind', async () => {
    const { code, output } = await release('987.6.5', '--built');
    expect([code, output]).toEqual([1, expect.stringContaining(`says that it is ${version}`)]);
    expect(await git('status', '--porcelain')).toBe('');
    expect(existsSync(at('release/987.6.5'))).toBe(false);
  });
});

describe('the files of a release', () => {
  let names: readonly string[];
  let sums: string;

  beforeAll(async () => {
    const { code, output } = await release(version, '--dry-run', '--built');
    expect(code, output).toBe(0);
    names = (await readdir(at('release', version))).sort();
    sums = await read('release', version, 'SHA256SUMS');
  }, 120_000);

  it('are these, and nothing else is changed by a dry run', async () => {
    expect(names).toEqual(
      [
        'SHA256SUMS',
        `muster-${version}-source-maps.tgz`,
        `muster-${version}.cdx.json`,
        `muster-${version}.tgz`,
        `muster-cmdb-muster-${version}.tgz`,
        `muster_cmdb-muster-${version}.tar.gz`,
        'release-notes.md',
      ].sort(),
    );
    expect(await git('status', '--porcelain')).toBe('');
  });

  it('have sums', async () => {
    const { code, output } = await run('sh', '-c', `cd release/${version} && sha256sum --check --strict SHA256SUMS`);
    expect(code, output).toBe(0);
    expect(
      sums
        .trim()
        .split('\n')
        .map((line) => line.slice(66)),
    ).toEqual(names.filter((name) => name !== 'SHA256SUMS'));
  });

  it('have the notes of the changelog', async () => {
    const notes = await read('release', version, 'release-notes.md');
    expect(notes.length).toBeGreaterThan(100);
    expect(notes).not.toMatch(/^## /m);
    expect((await read('CHANGELOG.md')).replaceAll('\r', '')).toContain(notes.trim());
  });

  it('are a collection and a chart of this version', async () => {
    const unpacked = (archive: string, path: string) =>
      run('tar', '-xzOf', join('release', version, archive), path).then(({ output }) => output);
    const manifest = JSON.parse(await unpacked(`muster_cmdb-muster-${version}.tar.gz`, 'MANIFEST.json'));
    expect(manifest.collection_info).toMatchObject({ namespace: 'muster_cmdb', name: 'muster', version });
    const files = await unpacked(`muster_cmdb-muster-${version}.tar.gz`, 'FILES.json');
    expect(createHash('sha256').update(files).digest('hex')).toBe(manifest.file_manifest_file.chksum_sha256);
    expect(parse(await unpacked(`muster-${version}.tgz`, 'muster/Chart.yaml'))).toMatchObject({
      name: 'muster',
      version,
    });
  });

  it('name every package that is installed or bundled, and no tool', async () => {
    const bill = JSON.parse(await read('release', version, `muster-${version}.cdx.json`));
    expect(bill).toMatchObject({
      bomFormat: 'CycloneDX',
      metadata: { component: { name: '@muster-cmdb/muster', version } },
    });
    const listed = new Set((bill.components as { 'bom-ref': string }[]).map((component) => component['bom-ref']));
    type Locked = Record<string, { readonly name?: string; readonly version: string; readonly dev?: boolean }>;
    const lock: Locked = JSON.parse(await read('package-lock.json')).packages;
    const nameOf = (path: string) => `${lock[path]?.name ?? path.split('node_modules/').at(-1)}@${lock[path]?.version}`;
    const installed = Object.keys(lock).filter((path) => path !== '' && !lock[path]?.dev);
    expect(installed.length).toBeGreaterThan(40);
    expect(installed.map(nameOf).filter((name) => !listed.has(name))).toEqual([]);
    const bundled = new Set([...JSON.parse(await read('dist/build.json')).packages, 'node_modules/minisearch']);
    expect([...bundled].map((path) => nameOf(path as string)).filter((name) => !listed.has(name))).toEqual([]);
    const inside = new Set([...installed, ...bundled].map((path) => nameOf(path as string)));
    expect([...listed].filter((name) => !inside.has(name))).toEqual([]);
    const namesOnly = [...listed].map((name) => name.replace(/@[^@]*$/, ''));
    expect(namesOnly).toEqual(expect.arrayContaining(['better-sqlite3', 'fastify', 'mongodb', 'react']));
    for (const tool of ['vitest', 'typescript', 'esbuild', 'knip', '@playwright/test'])
      expect(namesOnly).not.toContain(tool);
    const refs = (bill.dependencies as { ref: string; dependsOn: string[] }[]).flatMap(({ ref, dependsOn }) => [
      ref,
      ...dependsOn,
    ]);
    expect(refs.filter((ref) => !listed.has(ref) && ref !== bill.metadata.component['bom-ref'])).toEqual([]);
  });

  it.runIf(process.env.THOROUGH)(
    'are the same bytes of the same sources; committed and tagged they are those of the release workflow',
    async () => {
      const { code, output } = await release(version, '--commit', '--built');
      expect(code, output).toBe(0);
      expect(output).toContain(`git push origin main v${version}`);
      expect(await read('release', version, 'SHA256SUMS')).toBe(sums);
      expect(await git('status', '--porcelain')).toBe('');
      expect(await git('show', '--no-patch', '--format=%s', `v${version}^{commit}`)).toBe(`Release ${version}`);
      const [, first, second] = (await read('CHANGELOG.md')).split(/^## /m);
      expect([first?.split('\n')[0], second?.split('\n')[0]]).toEqual([
        'Next version (not released yet)',
        `${version} (2026-08-01)`,
      ]);
      await git('switch', '--quiet', '--detach', `v${version}`);
      const tagged = await release(version, '--as-tagged', '--built');
      expect(tagged.code, tagged.output).toBe(0);
      expect(await read('release', version, 'SHA256SUMS')).toBe(sums);
    },
  );
});

describe.runIf(THOROUGH)('a release that is built', () => {
  async function unpack(archive: string, ...options: readonly string[]): Promise<void> {
    await mkdir(at('unpacked/release'), { recursive: true });
    const { code, output } = await run(
      'tar',
      '-xzf',
      `release/987.6.5/${archive}`,
      ...options,
      '-C',
      'unpacked/release',
    );
    expect(code, output).toBe(0);
  }

  it('is of its version everywhere, and the same bytes when it is built twice', { timeout: 1_800_000 }, async () => {
    await git('switch', '--quiet', 'main');
    const text = await read('CHANGELOG.md');
    await writeFile(at('CHANGELOG.md'), text.replace(/^(## Next version .*)$/m, '$1\n\n- All is better.'));
    await git('commit', '--quiet', '--all', '--message', 'Better');
    const sums: string[] = [];
    for (const mode of ['--dry-run', '--commit']) {
      const { code, output } = await release('987.6.5', mode);
      expect(code, output).toBe(0);
      sums.push(await read('release/987.6.5/SHA256SUMS'));
    }
    expect(sums[0]).toBe(sums[1]);
    expect(await read('release/987.6.5/release-notes.md')).toBe('- All is better.\n');
    await unpack('muster-cmdb-muster-987.6.5.tgz', '--strip-components=1');
    expect(await run(process.execPath, 'unpacked/release/bin/muster', '--version')).toEqual({
      code: 0,
      output: '987.6.5\n',
    });
    await unpack('muster-987.6.5-source-maps.tgz');
    const written = await readdir(at('unpacked/release/dist'));
    const programs = written.filter((name) => name.endsWith('.js'));
    expect(programs.length).toBeGreaterThan(100);
    expect(programs.filter((name) => !written.includes(`${name}.map`))).toEqual([]);
    const changed = await git('show', '--name-only', '--format=', 'HEAD');
    expect(changed.split('\n')).toEqual(
      expect.arrayContaining(['package.json', 'package-lock.json', 'packaging/helm/muster/Chart.yaml']),
    );
  });
});
