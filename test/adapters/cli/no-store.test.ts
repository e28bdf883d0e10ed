import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { OpenApplication } from '../../../src/adapters/cli/application.ts';
import { openApplication } from '../../../src/adapters/cli/open-application.ts';
import { runCli } from '../../../src/adapters/cli/run.ts';
import { SCHEMA_STEPS } from '../../../src/adapters/storage/sqlite/schema-steps.ts';
import { makeDatabase, versionOf } from '../sqlite/older-database.ts';
import { fakeTerminal } from './fake-terminal.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-no-store-'));
});
afterEach(() => rm(folder, { recursive: true }));

const database = () => join(folder, 'data/muster.db');

async function run(...words: string[]) {
  const fake = fakeTerminal({ workingDirectory: folder });
  const place = ['--database-url', `sqlite:${database()}`, '--data-dir', join(folder, 'data')];
  const exitCode = await runCli([...words, ...place], fake.terminal, { version: '0.0.0', open: openApplication });
  return { exitCode, stdout: fake.stdout(), stderr: fake.stderr() };
}

it.each([
  'host list',
  'host show web01',
  'host archive web01',
  'import --all',
  'account list',
  'account set lab --set a=b',
  'account show lab',
  'user list',
  'user disable olga',
  'rules list host_filter',
  'rules export',
  'rules autorules',
  'cron run',
  'cron status',
  'run list',
  'logs',
  'status',
  'inventory --list',
  'inventory-providers',
  'search list',
  'maintenance',
  'storage check',
  'storage upgrade',
  'storage migrate --to memory2:',
  'backup copy.gz',
])('%s finds no store, says so, and makes none', async (command) => {
  const { exitCode, stdout, stderr } = await run(...command.split(' '), '--json');
  expect(stdout).toBe('');
  // Commands without the option refuse it, and make nothing either.
  const error = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '');
  const again = error.code === 'usage' ? await run(...command.split(' ')) : undefined;
  if (again === undefined) expect({ exitCode, code: error.code }).toEqual({ exitCode: 1, code: 'store_missing' });
  else
    expect(again).toMatchObject({ exitCode: 1, stdout: '', stderr: expect.stringContaining('there is no database') });
  expect(await readdir(folder)).toEqual([]);
});

it.each(['config show', 'plugins', 'rules types', 'account types', 'completion bash', 'preset list'])(
  '%s needs no store and makes none',
  async (command) => {
    expect(await run(...command.split(' '))).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await readdir(folder)).toEqual([]);
  },
);

it('checks an export without a store', async () => {
  const file = join(folder, 'export.json');
  await writeFile(file, '{"rules":{"host_filter":[]}}');
  await run('migrate', 'check', file);
  expect(await readdir(folder)).toEqual(['export.json']);
});

it.each(['account add lab --type api', 'user add olga'])('%s makes one and says where', async (command) => {
  const { exitCode, stderr } = await run(...command.split(' '));
  expect(exitCode).toBe(0);
  expect(stderr).toContain(`A new database was made: ${database()}\n`);
  expect((await run(...command.replace(/lab|olga/, 'other').split(' '))).stderr).not.toContain('A new database');
});

it('takes a file that was made and never filled for no store', async () => {
  await run('account', 'add', 'lab', '--type', 'api');
  await rm(database());
  await writeFile(database(), '');
  expect(await run('host', 'list')).toMatchObject({ exitCode: 1 });
});

it('may upgrade a store by the command for it alone', async () => {
  const mayUpgrade: boolean[] = [];
  const open: OpenApplication = (request) => {
    mayUpgrade.push(request.storageMayUpgrade === true);
    return Promise.reject(new Error('not needed'));
  };
  for (const command of ['host list', 'import --all', 'account add more --type api', 'storage upgrade']) {
    await runCli(command.split(' '), fakeTerminal({ workingDirectory: folder }).terminal, { version: '0.0.0', open });
  }
  expect(mayUpgrade).toEqual([false, false, false, true]);
});

it.each(['host list', 'account add more --type api', 'storage upgrade'])(
  '%s refuses a database of before the first migration, and says what upgrades it',
  async (command) => {
    await mkdir(join(folder, 'data'));
    makeDatabase(database(), SCHEMA_STEPS.first - 1, 'CREATE TABLE rules (id text)');
    const { exitCode, stderr } = await run(...command.split(' '));
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: expect.stringMatching(/start the program of commit [0-9a-f]{8} /),
    });
    expect(versionOf(database())).toBe(SCHEMA_STEPS.first - 1);
  },
);
