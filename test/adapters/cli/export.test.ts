import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type MusterHarness, musterHarness } from './run-muster.ts';

const MOODY = new URL('../../app/export/fixtures/moody.mjs', import.meta.url).pathname;
const environment = { SERVICE_PLUGINS: MOODY };

let muster: MusterHarness;
let path: string;

beforeEach(async () => {
  muster = await musterHarness();
  path = join(muster.directory, 'out.jsonl');
  await writeFile(join(muster.directory, 'hosts.csv'), 'host,os\nweb01,debian\nweb02,rocky\ndb01,\u001b[31mred\n');
  await succeed(['account', 'add', 'lab', '--type', 'csv', '--set', `path=${join(muster.directory, 'hosts.csv')}`]);
  await succeed(['import', 'lab']);
});

afterEach(() => muster.close());

async function succeed(args: readonly string[]) {
  const result = await muster.run(args, { environment });
  expect(`${result.exitCode} ${result.stderr}`, args.join(' ')).toMatch(/^0 /);
  return result;
}

describe('muster export', () => {
  it('writes the hosts and says what happened to them', async () => {
    const added = await succeed(['account', 'add', 'out', '--type', 'json_file', '--set', `path=${path}`]);
    expect(added.stderr).toBe('Added account out. Try it: muster account test out\n');
    const receiver = await succeed([
      ...['account', 'add', 'watch', '--type', 'syslog', '--set', 'address=syslog://127.0.0.1:5514'],
    ]);
    expect(receiver.stderr).toBe('Added account watch. Try it: muster notification test watch\n');
    const dry = await succeed(['export', 'out', '--dry-run']);
    const [summary, file, ...beginning] = dry.stdout.split('\n');
    expect(summary).toMatch(/^3 hosts in .*: 3 would be written \(dry run: nothing was written\)$/);
    expect(file).toBe(`${path}: would be created`);
    expect(beginning[1]).toMatch(/^ {2}\| .*"hostname":"web01"/);
    await expect(readFile(path)).rejects.toMatchObject({ code: 'ENOENT' });
    const first = await succeed(['export', 'out']);
    expect(first.stdout).toMatch(/^3 hosts in .*: 3 written\n$/);
    expect(first.stderr).toBe('');
    expect(JSON.parse((await readFile(path, 'utf8')).split('\n')[1] ?? '')).toMatchObject({ hostname: 'web01' });
    expect((await succeed(['export', 'out'])).stdout).toMatch(/: 3 unchanged\n$/);
    expect(await muster.json(['export', 'out'])).toEqual({
      seen: 3,
      written: 0,
      unchanged: 3,
      failed: 0,
      duration_ms: expect.any(Number),
      dry_run: false,
      account: 'out',
      status: 'done',
      message: '3 hosts: 3 unchanged',
      cancelled: false,
      failures: [],
      failures_total: 0,
    });
  });

  it('exits 1 and names the hosts that failed', async () => {
    await succeed(['account', 'add', 'moody', '--type', 'moody', '--set', 'mood=refuses-web']);
    const { exitCode, stdout, stderr } = await muster.run(['export', 'moody'], { environment });
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^3 hosts in .*: 1 written, 2 failed\n$/);
    expect(stderr).toBe(
      'failed: web01: no room, undefined\nfailed: web02: no room, undefined\n' +
        'muster: export of moody is not complete: 3 hosts: 1 written, 2 failed\n',
    );
  });

  it('exits 1 when the run failed, with the answer on the standard output', async () => {
    await succeed(['account', 'add', 'moody', '--type', 'moody', '--set', 'mood=throws']);
    const { exitCode, stdout, stderr } = await muster.run(['export', 'moody', '--json'], { environment });
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'failed', seen: 0 });
    expect(JSON.parse(stderr).message).toMatch(
      /^export of moody failed: plugin moody-targets: export to account moody failed: /,
    );
  });

  it('says what an account is that is no target, and import what a target is', async () => {
    await succeed(['account', 'add', 'out', '--type', 'json_file', '--set', `path=${path}`]);
    for (const [command, account, message] of [
      ['export', 'lab', /hosts are imported from it; run "muster import lab"/],
      ['import', 'out', /hosts are exported to it; run "muster export out"/],
      ['export', 'nobody', /there is no account nobody/],
    ] as const) {
      const { exitCode, stdout, stderr } = await muster.run([command, account], { environment });
      expect([exitCode, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(message);
    }
    expect((await muster.run(['export'], { environment })).exitCode).toBe(2);
  });

  it('shows progress on a terminal and none in a pipe', async () => {
    await succeed(['account', 'add', 'out', '--type', 'json_file', '--set', `path=${path}`]);
    const { stderr, stdout } = await muster.run(['export', 'out'], { environment, columns: 80 });
    expect(stdout).toContain('3 hosts in ');
    expect(stderr).not.toContain('undefined');
  });
});

describe('muster account test', () => {
  it('shows what a target would get, and what the target says', async () => {
    await succeed(['account', 'add', 'out', '--type', 'json_file', '--set', `path=${path}`]);
    const { stdout, stderr } = await succeed(['account', 'test', 'out']);
    expect(stdout).toBe(
      [
        'db01\n  SOURCE_ACCOUNT: lab\n  os: \\x1b[31mred\n  HOSTNAME: db01\n',
        'web01\n  SOURCE_ACCOUNT: lab\n  os: debian\n  HOSTNAME: web01\n',
        'web02\n  SOURCE_ACCOUNT: lab\n  os: rocky\n  HOSTNAME: web02\n\n',
      ].join('\n'),
    );
    expect(stderr).toBe(
      `${path} does not exist yet and can be written.\n` +
        'Account out is a target. These are the first hosts that it would get; nothing was written.\n',
    );
    expect(await muster.json(['account', 'test', 'out'])).toMatchObject({
      target: { hosts: [{ hostname: 'db01' }, {}, {}] },
    });
  });
});
