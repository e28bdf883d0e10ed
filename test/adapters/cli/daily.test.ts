import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { progressLog } from '../../../src/adapters/cli/output/progress.ts';
import { progressLines } from '../../../src/adapters/listener/progress-lines.ts';
import { type MusterHarness, musterHarness } from './run-muster.ts';

let muster: MusterHarness;

beforeEach(async () => {
  muster = await musterHarness();
  await writeFile(join(muster.directory, 'hosts.csv'), 'host,role\nweb01,web\nweb02,web\ndb01,db\n');
  await muster.run(['account', 'add', 'dc', '--type', 'csv', '--set', 'path=hosts.csv']);
});

afterEach(() => muster.close());

describe('import --all', () => {
  it('imports every enabled source, also behind one that fails, and says so', async () => {
    await muster.run(['account', 'add', 'broken', '--type', 'csv', '--set', 'path=gone.csv']);
    await muster.run(['account', 'add', 'off', '--type', 'csv', '--set', 'path=gone.csv', '--disabled']);
    await muster.run(['account', 'add', 'lab', '--type', 'api']);
    const { exitCode, stdout, stderr } = await muster.run(['import', '--all', '--parallel', '2', '--json']);
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout).map((one: { account: string; status: string }) => [one.account, one.status])).toEqual([
      ['broken', 'failed'],
      ['dc', 'done'],
    ]);
    expect(JSON.parse(stderr)).toMatchObject({ code: 'failed' });
    expect((await muster.run(['host', 'list', '-o', 'name'])).stdout).toBe('db01\nweb01\nweb02\n');
  });

  it.each([
    [['import']],
    [['import', 'dc', '--all']],
    [['import', 'dc', '--parallel', '2']],
    [['import', '--all', '--part', 'x']],
    [['host', 'archive']],
    [['host', 'archive', 'web01', '--where', 'role:web']],
    [['user', 'set', 'olga']],
  ])('%j is wrong usage', async (words) => {
    expect((await muster.run(words)).exitCode).toBe(2);
  });
});

describe('status', () => {
  it('is 0 when all is well, and 1 with what needs attention when it is not', async () => {
    await muster.run(['import', 'dc']);
    const well = await muster.run(['status']);
    expect(well).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Everything is all right.') });
    await muster.run(['account', 'set', 'dc', '--set', 'path=gone.csv']);
    await muster.run(['import', 'dc']);
    const { exitCode, stdout } = await muster.run(['status', '--json']);
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      hosts: { num_hosts: 3 },
      attention: [{ what: 'import of dc', command: 'muster logs --source dc' }],
    });
  });
});

describe('an import that was undone', () => {
  it('is said in the same words by the account, the list of accounts and the status, until there was another one', async () => {
    await muster.run(['import', 'dc']);
    const [run] = JSON.parse((await muster.run(['run', 'list', '--kind', 'import', '--json'])).stdout);
    await muster.run(['run', 'undo', run.place]);
    const { exitCode, stdout } = await muster.run(['status', '--json']);
    expect(exitCode).toBe(1);
    const { attention, accounts } = JSON.parse(stdout);
    const { undone } = accounts[0];
    expect(attention).toEqual([
      { what: 'import of dc', message: `${undone.message}. ${undone.advice}`, command: 'muster import dc' },
    ]);
    const shown = JSON.parse((await muster.run(['account', 'show', 'dc', '--json'])).stdout);
    expect(shown).toMatchObject({ undone, incomplete: null, last_run: { outcome: 'undone', has_error: false } });
    const text = (await muster.run(['account', 'show', 'dc'])).stdout;
    expect(text).toContain(undone.message);
    expect(text).toContain(undone.advice);
    const listed = JSON.parse((await muster.run(['account', 'list', '--json'])).stdout);
    expect(listed).toEqual([{ name: 'dc', type: 'csv', enabled: true, undone_at: undone.at }]);
    expect((await muster.run(['account', 'list'])).stdout).toMatch(/import undone/i);
    const status = (await muster.run(['status'])).stdout;
    expect(status).toMatch(/dc .* undone /);
    await muster.run(['import', 'dc']);
    expect((await muster.run(['status'])).exitCode).toBe(0);
    expect((await muster.run(['account', 'list'])).stdout).not.toMatch(/undone/i);
  });
});

describe('hosts that a query finds', () => {
  beforeEach(async () => {
    await muster.run(['import', 'dc']);
  });

  it('are shown first, archived when that is said, and restored', async () => {
    const dry = await muster.run(['host', 'archive', '--where', 'role:web', '--dry-run']);
    expect(dry).toMatchObject({ exitCode: 0, stdout: 'web01\nweb02\n' });
    expect((await muster.run(['host', 'archive', '--where', 'role:web'])).exitCode).toBe(2);
    expect((await muster.run(['host', 'list', '-o', 'name'])).stdout).toBe('db01\nweb01\nweb02\n');
    const done = await muster.json(['host', 'archive', '--where', 'role:web', '--yes']);
    expect(done).toEqual({ archived: ['web01', 'web02'], not_found: [] });
    expect((await muster.run(['host', 'list', '-o', 'name'])).stdout).toBe('db01\n');
    const back = await muster.json(['host', 'restore', '--where', 'role:web', '--yes']);
    expect(back).toEqual({ restored: ['web01', 'web02'], not_found: [] });
  });

  it('are left alone without a clear yes', async () => {
    const asked = await muster.run(['host', 'archive', '--where', 'role:web'], { typed: 'n\n' });
    expect(asked).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('Archive 2 hosts?') });
    expect((await muster.run(['host', 'list', '-o', 'name'])).stdout).toBe('db01\nweb01\nweb02\n');
  });

  it('by their names: what is not there is named, and the rest is done', async () => {
    const { exitCode, stdout, stderr } = await muster.run(['host', 'archive', 'web01', 'nowhere', '--json']);
    expect({ exitCode, ...JSON.parse(stdout) }).toEqual({ exitCode: 1, archived: ['web01'], not_found: ['nowhere'] });
    expect(JSON.parse(stderr)).toEqual({ message: expect.any(String), code: 'failed', details: [] });
  });
});

describe('accounts and users', () => {
  it('are known by their types, and changed', async () => {
    expect((await muster.run(['account', 'types', '-o', 'name'])).stdout.split('\n')).toEqual(
      expect.arrayContaining(['api', 'csv', 'netbox']),
    );
    await muster.run(['user', 'add', 'olga', '--role', 'objects', '--password-stdin'], { stdin: 'correct horse\n' });
    expect((await muster.run(['user', 'set', 'olga', '--role', 'rules', '--account', 'dc'])).exitCode).toBe(0);
    expect(await muster.json(['user', 'show', 'olga'])).toMatchObject({ roles: ['rules'], accounts: ['dc'] });
  });
});

describe('progress', () => {
  it('is a line now and then in a log', () => {
    const log = new PassThrough();
    let now = 0;
    const display = progressLog(log, 'Importing dc', () => now);
    for (const [at, done] of [
      [1, 10],
      [5_001, 2_000],
      [5_500, 2_500],
      [10_100, 4_000],
    ] as const) {
      now = at;
      display.update({ done, total: 4_000, unit: 'records' });
    }
    display.clear();
    expect(String(log.read())).toBe(
      'Importing dc: 2,000 of 4,000 (50 %) records\nImporting dc: 4,000 of 4,000 (100 %) records\n',
    );
  });

  it('says that work goes on, where nothing else is to be said', async () => {
    let end = (_: string): void => undefined;
    const run = () => new Promise<string>((resolve) => (end = resolve));
    const lines = progressLines(run, { heartbeatSeconds: 0.01 });
    expect(await lines.next()).toEqual({ done: false, value: '\n' });
    expect(await lines.next()).toEqual({ done: false, value: '\n' });
    end('done');
    const rest: string[] = [];
    for await (const line of lines) rest.push(line);
    expect(rest.at(-1)).toBe('{"result":"done"}\n');
  });
});
