import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-init-'));
  await mkdir(join(folder, 'bin'));
  await symlink(join(ROOT, 'bin/muster'), join(folder, 'bin/muster'));
});
afterEach(() => rm(folder, { recursive: true }));

async function run(program: string, args: readonly string[], cwd = folder) {
  const environment = { PATH: `${join(folder, 'bin')}:${process.env.PATH}`, HOME: folder };
  return promisify(execFile)(program, [...args], { cwd, env: environment }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
}

it('begins an installation whose next commands work, and whose inventory script finds the program', async () => {
  const { code, stdout, stderr } = await run('muster', ['init', 'lab']);
  expect({ code, stdout: stdout.split('\n')[0] }).toEqual({ code: 0, stdout: 'lab/local_config.yaml' });
  expect(stderr).toContain(`A new database was made: ${join(folder, 'lab/data/muster.db')}`);
  const commands = stderr.split('Next:\n')[1]?.trim().split('\n') ?? [];
  expect(commands).toHaveLength(3);
  const lab = join(folder, 'lab');
  expect(await run('bash', ['-ec', commands.join('\n')])).toMatchObject({ code: 0 });
  const list = await run(join(lab, 'ansible/inventory'), ['--list'], tmpdir());
  expect(Object.keys(JSON.parse(list.stdout)._meta.hostvars)).toHaveLength(964);
  expect((await run('muster', ['user', 'list', '--json'], lab)).stdout).toBe('[]\n');
  const config = JSON.parse((await run('muster', ['config', 'show', '--json'], lab)).stdout) as { key: string }[];
  expect(config.find(({ key }) => key === 'INVENTORY_VARIABLE_NAMES')).toMatchObject({ value: 'identifier' });
}, 60_000);

it('refuses a folder that holds something, and overwrites nothing with --force', async () => {
  const lab = join(folder, 'lab');
  await mkdir(lab);
  await writeFile(join(lab, 'local_config.yaml'), 'HTTP_PORT: 9000\n');
  expect(await run('muster', ['init', 'lab'])).toMatchObject({ code: 1, stdout: '' });
  expect(await readdir(lab)).toEqual(['local_config.yaml']);
  expect(await run('muster', ['init', '--force'], lab)).toMatchObject({ code: 0 });
  expect(await readFile(join(lab, 'local_config.yaml'), 'utf8')).toBe('HTTP_PORT: 9000\n');
  expect((await run('muster', ['init', 'lab', '--json'])).stderr.trimEnd().split('\n').at(-1)).toMatch(
    /"code":"conflict"/,
  );
}, 60_000);

it('leaves nothing behind where the store cannot be opened, so that it can be tried again', async () => {
  const broken = ['--database-url', 'sqlite:/proc/nothing/muster.db'];
  expect(await run('muster', ['init', 'deep/lab', ...broken])).toMatchObject({ code: 1, stdout: '' });
  expect(await readdir(folder)).toEqual(['bin']);
  await mkdir(join(folder, 'lab/rules'), { recursive: true });
  await writeFile(join(folder, 'lab/rules/own.json'), '');
  expect(await run('muster', ['init', 'lab', '--force', ...broken])).toMatchObject({ code: 1 });
  expect(await readdir(join(folder, 'lab'), { recursive: true })).toEqual(['rules', 'rules/own.json']);
  await rm(join(folder, 'lab'), { recursive: true });
  expect(await run('muster', ['init', 'lab'])).toMatchObject({ code: 0 });
}, 60_000);

it('says what is missing where an inventory script finds no program', async () => {
  await mkdir(join(folder, 'elsewhere/ansible'), { recursive: true });
  const script = join(folder, 'elsewhere/ansible/inventory');
  await writeFile(script, await readFile(join(ROOT, 'ansible/inventory')));
  await chmod(script, 0o755);
  await rm(join(folder, 'bin/muster'));
  expect(await run(script, ['--list'])).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('PATH') });
});
