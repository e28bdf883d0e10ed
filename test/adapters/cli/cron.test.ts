import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type MusterHarness, musterHarness } from './run-muster.ts';

let muster: MusterHarness;

beforeEach(async () => {
  muster = await musterHarness();
});

afterEach(async () => {
  await muster.close();
});

async function succeed(args: readonly string[], stdin?: string): Promise<{ stdout: string; stderr: string }> {
  const { exitCode, ...output } = await muster.run(args, stdin === undefined ? {} : { stdin });
  expect(`${exitCode} ${output.stderr}`, args.join(' ')).toMatch(/^0 /);
  return output;
}

async function group(name: string, members: object = {}): Promise<void> {
  const rule = { name, enabled: true, interval: 'hour', jobs: [{ name: 'tidy', command: 'Maintenance' }], ...members };
  await succeed(['rules', 'import', '-', '--override'], JSON.stringify({ rule_type: 'cron_groups', rules: [rule] }));
}

describe('muster cron status', () => {
  it('says how groups stand that never ran, are disabled or requested', async () => {
    await group('new');
    await group('nightly', { interval: 'daily', timerange_from: '22', timerange_to: '6' });
    await group('off', { enabled: false, custom_interval_in_minutes: 90 });
    await group('asked', { run_once_next: true, interval: null, webhook_enabled: true });
    const { stdout } = await succeed(['cron', 'status']);
    expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['GROUP', 'STATE', 'LAST START (UTC)', 'NEXT RUN (UTC)', 'SCHEDULE', 'WEBHOOK', 'MESSAGE'],
      ['asked', 'requested', 'never', 'next pass', 'on request', 'user'],
      ['new', 'new', 'never', 'next pass', 'every hour', 'off'],
      [
        'nightly',
        'new',
        'never',
        expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
        'every day, 22 to 6 h',
        'off',
      ],
      ['off', 'disabled', 'never', 'when enabled', 'every 90 min', 'off'],
      [''],
    ]);
  });

  it('says what the last run said', async () => {
    await group('good');
    await group('bad', { jobs: [{ command: 'Nothing' }], interval: '' });
    const run = await muster.run(['cron', 'run']);
    expect(run.exitCode).toBe(1);
    expect(run.stdout).toMatch(
      /^bad {2}failed\n {2}Nothing: failed: "Nothing" is not a registered job.*\ngood {2}done\n {2}tidy: 0 stale/,
    );
    const { stdout } = await succeed(['cron', 'status']);
    expect(stdout).toMatch(
      /^bad +failed +\S+ \S+ +on request +on request +off +Nothing: "Nothing" is not a registered job/m,
    );
    expect(stdout).toMatch(/^good +ok +\S+ \S+ +\S+ \S+ +every hour +off +tidy: 0 stale/m);
    const again = await succeed(['cron', 'run']);
    expect(again).toEqual({ stdout: '', stderr: expect.stringContaining('No cron group is due') });
    expect(await muster.json(['cron', 'run'])).toEqual([]);
  });

  it('answers JSON with the members of the interface and more', async () => {
    await group('new');
    expect(await muster.json(['cron', 'status'])).toEqual([
      {
        accounts: [],
        name: 'new',
        last_start: null,
        next_run: null,
        is_running: false,
        last_message: '',
        has_error: false,
        enabled: true,
        last_end: null,
        next_start: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
        next_start_if_run_now: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
        begins_again: false,
        run_once_next: false,
        interval_minutes: 60,
        hours: null,
        weekdays: null,
        paused_until: null,
        webhook: 'off',
        jobs: ['tidy'],
        waits: false,
      },
    ]);
  });

  it('says what to do where there are no groups', async () => {
    expect((await succeed(['cron', 'status'])).stderr).toContain('muster rules import');
  });
});

describe('muster cron pause', () => {
  it('holds all groups or some until they are resumed', async () => {
    await group('first');
    await group('second');
    const { stderr } = await succeed(['cron', 'pause', '--until', '2099-01-02T03:00+01:00']);
    expect(stderr).toContain('2 cron groups paused until 2099-01-02 02:00:00 UTC.');
    expect((await succeed(['cron', 'run'])).stderr).toContain('No cron group is due.');
    expect((await muster.run(['cron', 'run', 'first'])).exitCode).not.toBe(0);
    expect((await succeed(['cron', 'run', 'first', '--despite-pause'])).stdout).toContain('first  done');
    expect((await succeed(['cron', 'resume', 'second'])).stderr).toContain('1 cron group not paused any more.');
    const states = (await muster.json(['cron', 'status'])) as { name: string; paused_until: string | null }[];
    expect(states.map(({ name, paused_until }) => [name, paused_until])).toEqual([
      ['first', '2099-01-02 02:00:00'],
      ['second', null],
    ]);
    expect((await muster.run(['cron', 'pause'])).exitCode).not.toBe(0);
  });
});

describe('muster cron trigger', () => {
  it('makes the next pass run the group', async () => {
    await group('nightly', { custom_interval_in_minutes: 9999 });
    await succeed(['cron', 'run']);
    expect((await succeed(['cron', 'trigger', 'nightly'])).stderr).toContain('muster cron run');
    expect((await succeed(['cron', 'run'])).stdout).toContain('nightly');
  });

  it('of an unknown group fails and says where to look', async () => {
    const { exitCode, stdout, stderr } = await muster.run(['cron', 'trigger', 'nothing']);
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toContain('there is no cron group nothing; list the groups');
  });
});

describe('muster cron token and policy', () => {
  it('print the secret alone onto the standard output', async () => {
    await group('hooked', { webhook_enabled: true });
    expect((await succeed(['cron', 'token', 'hooked'])).stdout).toMatch(/^muster_hook_[\w-]{43}\n$/);
    const made = await succeed([
      'cron',
      'policy',
      'hooked',
      '--generate',
      '--window',
      '60',
      '--allow-ip',
      '10.0.0.0/8',
    ]);
    expect(made.stdout).toMatch(/^[\w-]{43}\n$/);
    expect(made.stderr).toContain('within 60 s, from 10.0.0.0/8');
    const [status] = await muster.json<{ webhook: string }[]>(['cron', 'status']);
    expect(status?.webhook).toBe('signature');
    expect((await succeed(['cron', 'token', 'hooked'])).stderr).toContain('signed calls only');
  });

  it('take a secret from the standard input, change what is named, and go again', async () => {
    await group('hooked', { webhook_enabled: true });
    const set = await succeed(['cron', 'policy', 'hooked', '--secret-stdin'], 'a secret of some length\n');
    expect(set.stdout).toBe('');
    expect(await muster.json(['cron', 'policy', 'hooked', '--window', '20'])).toEqual({
      group: 'hooked',
      webhook_enabled: true,
      policy: { window_seconds: 20, allow_ips: [] },
    });
    await succeed(['cron', 'policy', 'hooked', '--remove']);
    expect(await muster.json(['cron', 'status'])).toMatchObject([{ webhook: 'user' }]);
  });

  it('say when the webhook is not enabled', async () => {
    await group('closed');
    expect((await succeed(['cron', 'token', 'closed'])).stderr).toContain('webhook_enabled');
    expect((await succeed(['cron', 'policy', 'closed', '--generate'])).stderr).toContain('webhook_enabled');
  });

  it.each([
    [[]],
    [['--generate', '--secret-stdin']],
    [['--remove', '--window', '10']],
    [['--generate', '--window', '0']],
    [['--generate', '--window', '100000']],
    [['--generate', '--window', 'long']],
  ])('policy %j is wrong usage', async (options) => {
    await group('hooked');
    const { exitCode, stdout } = await muster.run(['cron', 'policy', 'hooked', ...options]);
    expect([exitCode, stdout]).toEqual([2, '']);
  });

  it('policy takes a short secret with a warning, and none that is empty', async () => {
    await group('hooked');
    const set = (stdin: string) => muster.run(['cron', 'policy', 'hooked', '--secret-stdin'], { stdin });
    const short = await set('short\n');
    expect([short.exitCode, short.stderr]).toEqual([0, expect.stringContaining('16 characters')]);
    const long = await set('long enough to be safe\n');
    expect([long.exitCode, long.stderr]).toEqual([0, expect.not.stringContaining('16 characters')]);
    expect((await set('\n')).exitCode).not.toBe(0);
  });
});

describe('muster cron run', () => {
  it('shows names and messages without what could control a terminal', async () => {
    await group('\u001b[2Jgroup', { jobs: [{ name: 'tidy\u0007', command: 'Tid\u009by' }] });
    const { exitCode, stdout } = await muster.run(['cron', 'run']);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^\\x1b\[2Jgroup {2}failed\n {2}tidy\\x07: failed: "Tid\\x9by" is not/);
  });

  it('ends with an error line for scripts when a job failed', async () => {
    await group('broken', { jobs: [{ name: 'tidy', command: 'Tidy' }] });
    const { exitCode, stdout, stderr } = await muster.run(['cron', 'run', '--json']);
    expect([exitCode, JSON.parse(stdout)[0].state]).toEqual([1, 'failed']);
    expect(JSON.parse(stderr)).toMatchObject({ code: 'failed' });
  });
});
