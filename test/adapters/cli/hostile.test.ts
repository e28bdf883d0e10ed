import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const program = fileURLToPath(new URL('../../../bin/muster', import.meta.url));

interface Finished {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'muster-hostile-'));
});

afterEach(() => rm(directory, { recursive: true, force: true }));

function run(args: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<Finished> {
  return new Promise((resolve) => {
    const options = { cwd: directory, env: { PATH: process.env.PATH, ...environment } };
    const child = execFile(program, args, options, (_error, stdout, stderr) => {
      resolve({ exitCode: child.exitCode ?? -1, stdout, stderr });
    });
    child.stdin?.end();
  });
}

describe('commands on what is stored', () => {
  it.each([
    [
      ['storage', 'migrate', '--from', 'sqlite:typo/muster.db', '--to', 'sqlite:target.db'],
      /there is no database .*typo/,
    ],
    [['storage', 'migrate', '--to', 'sqlite:target.db'], /there is no database .*data\/muster\.db/],
    [['storage', 'check'], /there is no database .*data\/muster\.db/],
    [['storage', 'check', '--fix', '--json'], /there is no database .*data\/muster\.db/],
    [['storage', 'rotate-key'], /there is no database .*data\/muster\.db/],
    [['backup', 'muster.gz'], /there is no database .*data\/muster\.db/],
    [['restore', 'muster.gz'], /the backup .*muster\.gz cannot be read: it does not exist/],
  ])('%j names what is missing and makes nothing', async (args, message) => {
    const { exitCode, stdout, stderr } = await run(args);
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(message);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(await readdir(directory)).toEqual([]);
  });

  it('a file that is no backup is refused before a storage is made', async () => {
    await writeFile(join(directory, 'muster.gz'), 'no backup');
    const { exitCode, stderr } = await run(['restore', 'muster.gz']);
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/^muster: .*muster\.gz is no backup of Muster/)]);
    expect(await readdir(directory)).toEqual(['muster.gz']);
  });
});

describe('rules of a type whose plugin is not loaded', () => {
  it('are left out of an export that can be imported again, and the error stream says so', async () => {
    await writeFile(
      join(directory, 'racks.mjs'),
      `export default { id: 'racks', apiVersion: 1, register(host) {
        host.ruleType({ id: 'racks', aliases: [], title: 'Racks', description: 'Racks.', keyedBy: 'name', uniqueNames: true,
          conditional: false, exportGroup: 'rules', secretMembers: [], schema: {}, check: () => [] });
      } };`,
    );
    const rules = { racks: [{ name: 'r1' }, { name: 'r2' }], automation_projects: [{ name: 'databases' }] };
    await writeFile(join(directory, 'rules.json'), JSON.stringify({ rules }));
    const withPlugin = { SERVICE_PLUGINS: './racks.mjs' };
    expect(await run(['rules', 'import', 'rules.json'], withPlugin)).toMatchObject({ exitCode: 0 });
    expect((await run(['rules', 'export'], withPlugin)).stderr).toBe('');

    const { exitCode, stdout, stderr } = await run(['rules', 'export']);
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(/^warning: .*left out of the export.* leftOut=\{"racks":2\}\n$/);
    expect(JSON.parse(stdout).rules).not.toHaveProperty('racks');
    await writeFile(join(directory, 'export.json'), stdout);
    expect(await run(['rules', 'import', 'export.json'])).toMatchObject({ exitCode: 0 });
    expect(await run(['rules', 'import', 'rules.json'])).toMatchObject({ exitCode: 1, stdout: '' });
  });
});
