import { execFile, spawnSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

describe('the package', () => {
  let paths: readonly string[];

  beforeAll(async () => {
    const args = ['pack', '--dry-run', '--ignore-scripts', '--json'];
    const { stdout } = await promisify(execFile)('npm', args, { cwd: ROOT, maxBuffer: 16 * 1024 * 1024 });
    const [{ files }] = JSON.parse(stdout) as [{ readonly files: readonly { readonly path: string }[] }];
    paths = files.map(({ path }) => path);
  });

  it('has what its programs, its documentation and its plugins need', () => {
    const needed = [
      'bin/muster',
      'bin/muster-mcp',
      'dist/muster.js',
      'dist/plugin-api.js',
      'dist/kit.js',
      'dist/testing.js',
    ];
    const read = ['README.md', 'CHANGELOG.md', 'LICENSE', 'NOTICE', 'docs/README.md', 'sample/wikimedia-nodes.csv'];
    expect(paths).toEqual(expect.arrayContaining([...needed, ...read]));
  });

  it('has what it is run and watched with, which the documentation installs from it', async () => {
    const units = ['muster.service', 'muster-backup.service', 'muster-backup.timer', 'muster-run', 'muster.sysusers'];
    const watched = ['muster-alerts.yaml', 'prometheus.yaml', 'grafana-dashboard.json'];
    expect(paths).toEqual(
      expect.arrayContaining([
        ...units.map((name) => `packaging/systemd/${name}`),
        ...watched.map((name) => `packaging/monitoring/${name}`),
      ]),
    );
    expect(paths.filter((path) => path.endsWith('.test.yaml'))).toEqual([]);
    const operations = await readFile(join(ROOT, 'docs/operations.md'), 'utf8');
    expect(operations).not.toContain("<<'EOF'");
  });

  it('has nothing else', () => {
    const known =
      /^(bin|dist|ansible|docs|examples|packaging\/(monitoring|systemd)|sample)\/|^(package\.json|README\.md|CHANGELOG\.md|LICENSE|NOTICE)$/;
    expect(paths.filter((path) => !known.test(path))).toEqual([]);
  });

  it('has no maps of sources that are not in it', () => {
    expect(paths.filter((path) => path.endsWith('.map') || path === 'dist/build.json')).toEqual([]);
  });
});

describe('a fresh clone', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'muster-fresh-'));
    for (const name of ['package.json', 'scripts']) await cp(join(ROOT, name), join(folder, name), { recursive: true });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each(['pack', 'run build'])('says what to run first: npm %s', (command) => {
    const { status, stdout, stderr } = spawnSync('npm', command.split(' '), { cwd: folder, encoding: 'utf8' });
    expect(status).not.toBe(0);
    expect(stdout + stderr).toContain('npm run setup');
    expect(stdout + stderr).not.toMatch(/^\s+at /m);
  });
});
