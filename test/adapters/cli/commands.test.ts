import { appendFile, copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type MusterHarness, musterHarness } from './run-muster.ts';

const CSV = `host,site,os
web01.example.org,eqiad,debian
web02.example.org,codfw,debian
,eqiad,debian
web01.example.org,eqiad,again
db01.example.org,eqiad,ubuntu
`;

const RULES = {
  rules: {
    custom_attributes: [
      {
        name: 'Role from hostname',
        enabled: true,
        sort_field: 10,
        condition_typ: 'all',
        conditions: [
          {
            match_type: 'host',
            hostname: 'web',
            hostname_match: 'swith',
            hostname_match_negate: false,
          },
        ],
        outcomes: [{ attribute_name: 'role', attribute_value: 'web' }],
      },
    ],
    automation_customvars: [
      {
        name: 'Site in words',
        enabled: true,
        condition_typ: 'anyway',
        conditions: [],
        outcomes: [
          { attribute_name: 'site', attribute_value: 'site {{ site }}' },
          { attribute_name: 'ansible_groups', attribute_value: 'site_{{ site }}' },
        ],
      },
    ],
  },
};

let muster: MusterHarness;

beforeEach(async () => {
  muster = await musterHarness();
});

afterEach(async () => {
  await muster.close();
});

async function succeed(args: readonly string[], options: Parameters<MusterHarness['run']>[1] = {}): Promise<string> {
  const { exitCode, stdout, stderr } = await muster.run(args, options);
  expect(`${exitCode} ${stderr}`, args.join(' ')).toMatch(/^0 /);
  return stdout;
}

async function withHosts(): Promise<void> {
  await writeFile(join(muster.directory, 'hosts.csv'), CSV);
  await succeed(['account', 'add', 'lab', '--type', 'csv', '--set', `path=${join(muster.directory, 'hosts.csv')}`]);
  await succeed(['import', 'lab']);
}

async function withRules(): Promise<void> {
  await withHosts();
  await succeed(['rules', 'import', '-'], { stdin: JSON.stringify(RULES) });
}

describe('usage', () => {
  it('suggests the nearest command and exits 2', async () => {
    const { exitCode, stdout, stderr } = await muster.run(['hots', 'list']);
    expect(exitCode).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain("unknown command 'hots'");
    expect(stderr).toContain('host');
  });

  it.each([
    [['host', 'lits']],
    [['host']],
    [[]],
    [['host', 'show']],
    [['host', 'list', '--limit', 'many']],
    [['host', 'list', '--nonsense']],
    [['inventory', 'automation']],
    [['inventory', 'automation', '--list', '--host=web01.example.org']],
    [['inventory', 'automation', '--host= ']],
    [['import', 'lab', '--diff']],
    [['user', 'token', 'create', 'olga']],
    [['account', 'add', 'lab', '--type', 'csv', '--set', 'path']],
    [['--log-level', 'loud', 'host', 'list']],
  ])('%j is wrong usage', async (args) => {
    const { exitCode, stdout, stderr } = await muster.run(args);
    expect(exitCode).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).not.toBe('');
  });

  it('prints help and version onto the standard output', async () => {
    expect(await succeed(['--version'])).toBe('0.0.0-test\n');
    expect(await succeed(['--help'])).toContain('Usage: muster');
    expect(await succeed(['help', 'host', 'explain'])).toBe(await succeed(['host', 'explain', '--help']));
  });

  it.each([
    [['hots', '--help'], "unknown command 'hots'\n(Did you mean host?)"],
    [['-h', 'hots'], "unknown command 'hots'\n(Did you mean host?)"],
    [['help', 'hots'], "unknown command 'hots'\n(Did you mean host?)"],
    [['host', 'lits', '--help'], "unknown command 'lits'\n(Did you mean list?)"],
    [['nosuch', '--help'], "unknown command 'nosuch'"],
  ])('%j has no help and names the unknown command', async (args, message) => {
    const { exitCode, stdout, stderr } = await muster.run(args);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain(`muster: ${message}`);
  });

  it('names the unknown command as JSON where that is asked for', async () => {
    const { exitCode, stdout, stderr } = await muster.run(['user', 'token', 'lits', '--json', '--help']);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(JSON.parse(stderr)).toMatchObject({ code: 'usage', message: expect.stringContaining('Did you mean list?') });
  });

  it.each([[['--help']], [['host', '--help']], [['host', 'show', '--help']], [['host', 'show', 'web01', '--help']]])(
    '%j prints help',
    async (args) => {
      expect(await succeed(args)).toContain('Usage: muster');
    },
  );

  it.each([
    [['--help']],
    [['host', 'list', '--help']],
    [['--version']],
    [['rules', 'types']],
    [['inventory', '--list']],
  ])('%j fails in one line when the result cannot be written', async (args) => {
    const full = new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error('ENOSPC: no space'), { code: 'ENOSPC' })),
    });
    const { exitCode, stderr } = await muster.run(args, { stdout: full });
    expect(stderr).toBe('muster: the standard output cannot be written: there is no space left on the device\n');
    expect(exitCode).toBe(1);
  });

  it('takes options of the program before and after the command', async () => {
    for (const args of [
      ['--log-level', 'error', 'config', 'show'],
      ['config', 'show', '--log-level', 'error'],
    ]) {
      const entries = await muster.json<{ key: string; value: unknown; origin: string }[]>(args);
      expect(entries.find(({ key }) => key === 'LOG_LEVEL')).toMatchObject({ value: 'error', origin: '--log-level' });
    }
  });
});

describe('errors', () => {
  it('of the operation exit 1, with what to do', async () => {
    const { exitCode, stdout, stderr } = await muster.run(['host', 'show', 'nobody.example.org']);
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^muster: there is no host nobody\.example\.org/);
  });

  it('in the configuration name the key and where it stands', async () => {
    const { exitCode, stderr } = await muster.run(['host', 'list'], { environment: { SERVICE_HTTP_PORT: 'many' } });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('HTTP_PORT');
    expect(stderr).toContain('SERVICE_HTTP_PORT');
  });

  it('cannot drive the terminal', async () => {
    const { stderr } = await muster.run(['host', 'show', '\u001b[2Jx']);
    expect(stderr).not.toContain('\u001b');
    expect(stderr).toContain('\\x1b[2J');
  });
});

describe('import', () => {
  it('prints the summary, names what was skipped and exits 0', async () => {
    await writeFile(join(muster.directory, 'hosts.csv'), CSV);
    await succeed(['account', 'add', 'lab', '--type', 'csv', '--set', `path=${join(muster.directory, 'hosts.csv')}`]);
    const { exitCode, stdout, stderr } = await muster.run(['import', 'lab']);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^5 records in .*: 3 created, 2 skipped\n$/);
    expect(stderr).toContain('line 4');
    expect(stderr).toContain('line 5 web01.example.org');
  });

  it('answers the summary as JSON, members in the agreed names', async () => {
    await withHosts();
    const summary = await muster.json<Record<string, unknown>>(['import', 'lab']);
    expect(summary).toMatchObject({
      seen: 5,
      created: 0,
      updated: 0,
      unchanged: 3,
      archived: 0,
      conflicts: 0,
      skipped: 2,
      failed: 0,
      duration_ms: expect.any(Number),
    });
  });

  it('shows what a dry run would change and writes nothing', async () => {
    await withHosts();
    await writeFile(
      join(muster.directory, 'hosts.csv'),
      CSV.replace('codfw', 'ulsfo').concat('new01.example.org,eqsin,debian\n'),
    );
    const stdout = await succeed(['import', 'lab', '--dry-run', '--diff']);
    expect(stdout).toContain('~ web02.example.org\n  ~ labels.site  codfw → ulsfo\n');
    expect(stdout).toContain('+ new01.example.org\n');
    expect(stdout).toContain('dry run: nothing was written');
    expect(await muster.json<{ labels: object }>(['host', 'show', 'web02.example.org'])).toMatchObject({
      labels: { site: 'codfw' },
    });
  });

  it('of a source that is gone fails, says why and keeps the hosts', async () => {
    await withHosts();
    await succeed(['account', 'set', 'lab', '--set', 'path=/nowhere/hosts.csv']);
    const { exitCode, stderr } = await muster.run(['import', 'lab']);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('/nowhere/hosts.csv');
    expect(await muster.json<unknown[]>(['host', 'list'])).toHaveLength(3);
  });
});

describe('host', () => {
  it('lists hosts as a table on the standard output and the count beside it', async () => {
    await withHosts();
    const { stdout, stderr } = await muster.run(['host', 'list']);
    const lines = stdout.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^HOST +ACCOUNT +LAST SEEN +LABELS$/);
    expect(lines.slice(1).map((line) => line.split(' ')[0])).toEqual([
      'db01.example.org',
      'web01.example.org',
      'web02.example.org',
    ]);
    expect(stderr).toBe('3 hosts\n');
  });

  it('suggests no name where a value is wrong', async () => {
    const settings = ['--set', 'path=a.csv', '--set', 'number_format=de'];
    const { stderr } = await muster.run(['account', 'add', 'tables', '--type', 'csv', ...settings]);
    expect(stderr).toMatch(/number_format must be text, .*\n$/);
    expect(stderr).not.toContain('did you mean');
  });

  it.each([
    [['--where', 'sit:fra'], 'no host has sit; did you mean site?'],
    [['--sort', '-sitte'], 'no host has sitte; did you mean site?'],
    [['--columns', 'name,tier'], 'no host has tier; what rules set is asked for by served.tier'],
  ])('names fields that no host has: %j', async (options, note) => {
    await withHosts();
    expect((await muster.run(['host', 'list', ...options])).stderr).toContain(`${note}\n`);
  });

  it.each([
    [['--where', 'site:nowhere']],
    [['--where', 'account:nowhere']],
    [['--sort', 'site']],
    [['--columns', 'name,site,seen,served.tier']],
  ])('says nothing of fields that there are: %j', async (options) => {
    await withHosts();
    expect((await muster.run(['host', 'list', ...options])).stderr).toMatch(/^\d+ hosts?(?: found)?\n$/);
  });

  it('lists a part of them', async () => {
    await withHosts();
    const hosts = await muster.json<{ hostname: string }[]>(['host', 'list', '--start', '1', '--limit', '1']);
    expect(hosts.map(({ hostname }) => hostname)).toEqual(['web01.example.org']);
  });

  it('finds hosts by part of their name or a label', async () => {
    await withHosts();
    const byName = await muster.run(['host', 'list', '--search', 'WEB']);
    expect(byName.stdout).toContain('web01.example.org');
    expect(byName.stdout).not.toContain('db01.example.org');
    expect(byName.stderr).toBe('2 hosts found\n');
    const byLabel = await muster.json<{ hostname: string }[]>(['host', 'list', '--search', 'site=codfw']);
    expect(byLabel.map(({ hostname }) => hostname)).toEqual(['web02.example.org']);
    expect(await muster.json<unknown[]>(['host', 'list', '--search', 'nothing', '--archived'])).toEqual([]);
  });

  it('answers an empty list as JSON too', async () => {
    expect(await muster.json<unknown[]>(['host', 'list'])).toEqual([]);
  });

  it('sets labels as text, and as JSON where asked to', async () => {
    await succeed(['account', 'add', 'lab', '--type', 'api']);
    await succeed(['host', 'set', 'a.example.org', '--account', 'lab', '--label', 'os=a=b', '--label', 'cpus:=8']);
    expect(await muster.json<{ labels: object }>(['host', 'show', 'a.example.org'])).toMatchObject({
      labels: { os: 'a=b', cpus: 8 },
    });
    await succeed(['host', 'set', 'a.example.org', '--account', 'lab', '--labels-from', '-'], { stdin: '{"x": true}' });
    expect(await muster.json<{ labels: object }>(['host', 'show', 'a.example.org'])).toMatchObject({
      labels: { x: true },
    });
  });

  it('takes no label that would be stored as something else', async () => {
    await succeed(['account', 'add', 'lab', '--type', 'api']);
    const set = ['host', 'set', 'a.example.org', '--account', 'lab'];
    const digits = await muster.run([...set, '--label', 'serial:=12345678901234567890']);
    expect([digits.exitCode, digits.stderr]).toEqual([1, expect.stringMatching(/"serial".*12345678901234567890/)]);
    const twice = await muster.run([...set, '--labels-from', '-'], { stdin: '{"a":1,"a":2}' });
    expect([twice.exitCode, twice.stderr]).toEqual([2, expect.stringContaining('occurs twice')]);
    const latin = await muster.run([...set, '--labels-from', '-'], { stdin: Buffer.from('{"a":"\u00ff"}', 'latin1') });
    expect([latin.exitCode, latin.stderr]).toEqual([2, expect.stringContaining('UTF-8')]);
    expect(await muster.json<unknown[]>(['host', 'list'])).toEqual([]);
  });

  it('archives and restores, and remembers both', async () => {
    await withHosts();
    await succeed(['host', 'archive', 'web01.example.org']);
    expect((await muster.run(['host', 'show', 'web01.example.org'])).exitCode).toBe(1);
    await succeed(['host', 'restore', 'web01.example.org']);
    const { changes } = await muster.json<{ changes: { kind: string }[] }>(['host', 'history', 'web01.example.org']);
    expect(changes.map(({ kind }) => kind)).toEqual(['restored', 'archived', 'created']);
    expect(await succeed(['host', 'history', 'web01.example.org'])).toMatch(/restored {2}by user:olga/);
  });

  it('adds, shows and removes relations', async () => {
    await withHosts();
    const added = await succeed(['host', 'relations', 'web01.example.org', '--add', 'depends_on=db01.example.org']);
    expect(added).toMatch(/Depends on +db01\.example\.org/);
    expect(await succeed(['host', 'relations', 'db01.example.org'])).toMatch(/Required by +web01\.example\.org/);
    const left = await muster.json<{ outgoing: unknown[] }>([
      'host',
      'relations',
      'web01.example.org',
      '--remove',
      'depends_on=db01.example.org',
    ]);
    expect(left.outgoing).toEqual([]);
  });

  it('never lets a label drive the terminal', async () => {
    await succeed(['account', 'add', 'lab', '--type', 'api']);
    const labels = { title: '\u001b]0;owned\u0007', '\u001b[2Jkey': 'v', multi: 'a\nb' };
    await succeed(['host', 'set', 'evil.example.org', '--account', 'lab', '--labels-from', '-'], {
      stdin: JSON.stringify(labels),
    });
    for (const args of [
      ['host', 'list'],
      ['host', 'show', 'evil.example.org'],
      ['host', 'explain', 'evil.example.org'],
      ['host', 'history', 'evil.example.org'],
    ]) {
      const { stdout, stderr } = await muster.run(args, { columns: 100 });
      // biome-ignore lint/suspicious/noControlCharactersInRegex: looking for exactly these
      expect(`${stdout}${stderr}`, args.join(' ')).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
    }
  });
});

describe('host explain', () => {
  it('says where every value came from, what it replaced, and what decided each rule', async () => {
    await withRules();
    const text = await succeed(['host', 'explain', 'web01.example.org']);
    expect(text).toMatch(/^web01\.example\.org \(account lab\) is in inventory automation, in group site_eqiad\n/);
    expect(text).toMatch(/ {2}os +"debian" +← label from account lab\n/);
    expect(text).toMatch(/ {2}role +"web" +← rule "Role from hostname" \(custom_attributes\)\n/);
    expect(text).toMatch(
      / {2}site +"site eqiad" +← rule "Site in words" \(automation_customvars\)\n +instead of "eqiad" ← label from account lab\n/,
    );
    expect(text).toMatch(
      /hit {5}Role from hostname: all of its conditions hold\n +✓ hostname starts with "web" — .* is "web01\.example\.org"\n/,
    );
  });

  it('says which condition kept a rule from hitting, with both sides', async () => {
    await withRules();
    const text = await succeed(['host', 'explain', 'db01.example.org']);
    expect(text).toMatch(
      /no hit {2}Role from hostname: needs all of its conditions\n +✗ hostname starts with "web" — .* is "db01\.example\.org"\n/,
    );
  });

  it('tells about one attribute alone, also one that is not there', async () => {
    await withRules();
    const text = await succeed(['host', 'explain', 'web01.example.org', '--attribute', 'role', '--attribute', 'rack']);
    expect(text).toContain('rule "Role from hostname"');
    expect(text).not.toContain('Site in words');
    expect(text).toContain('rack: the host has no such attribute, and no rule sets it.');
  });

  it('answers the same as JSON', async () => {
    await withRules();
    const answer = await muster.json<{ explanation: { result: object; rules: { outcome: string }[] } }>([
      'host',
      'explain',
      'web01.example.org',
    ]);
    expect(answer.explanation.result).toMatchObject({ role: 'web', site: 'site eqiad', os: 'debian' });
    expect(answer.explanation.rules.map(({ outcome }) => outcome)).toEqual(['hit', 'hit']);
  });
});

describe('rules', () => {
  it('lists types one a line', async () => {
    const types = (await succeed(['rules', 'types'])).trimEnd().split('\n');
    expect(types).toContain('automation_customvars');
    expect(await muster.json<{ rule_types: string[] }>(['rules', 'types'])).toEqual({ rule_types: types });
  });

  it('exports what it imports, in every form', async () => {
    await withRules();
    const exported = JSON.parse(await succeed(['rules', 'export'])) as { rules: Record<string, unknown[]> };
    const oneType = await succeed(['rules', 'export', 'custom_attributes']);
    expect(JSON.parse(oneType)).toMatchObject({
      rule_type: 'custom_attributes',
      rules: exported.rules.custom_attributes,
    });
    const listed = await muster.json<{ rules: unknown[] }>(['rules', 'list', 'custom_attributes']);
    expect(listed.rules).toEqual(exported.rules.custom_attributes);

    const lines = `{"rule_type":"custom_attributes"}\n\n${JSON.stringify(exported.rules.custom_attributes?.[0])}\n`;
    const forms = [JSON.stringify(exported), oneType, lines, JSON.stringify(listed)];
    for (const form of forms) {
      const answer = await muster.json<{ imported: object; duplicate: Record<string, number> }>(
        ['rules', 'import', '-'],
        { stdin: form },
      );
      expect(answer.duplicate.custom_attributes).toBe(1);
      const overridden = await muster.json<{ imported: Record<string, number> }>(
        ['rules', 'import', '-', '--override'],
        { stdin: form },
      );
      expect(overridden.imported.custom_attributes).toBe(1);
    }
  });

  it('takes a list, and a single document on one line, when told the type', async () => {
    const [rule] = RULES.rules.custom_attributes;
    const list = await muster.json<{ total: number }>(['rules', 'import', '-', '--type', 'custom_attributes'], {
      stdin: JSON.stringify([rule]),
    });
    const line = await muster.json<{ total: number }>(['rules', 'import', '-', '--type', 'custom_attributes'], {
      stdin: JSON.stringify({ ...rule, name: 'Another' }, null, 2),
    });
    expect([list.total, line.total]).toEqual([1, 1]);
    expect((await muster.run(['rules', 'import', '-'], { stdin: JSON.stringify([rule]) })).exitCode).toBe(2);
  });

  it('takes no rule with a number that cannot be kept, in whatever form it comes', async () => {
    const [rule] = RULES.rules.custom_attributes;
    const text = JSON.stringify({ ...rule, name: 'Large', extra: 0 }, null, 2).replace(
      '"extra": 0',
      '"extra": {"serial": 12345678901234567890}',
    );
    const line = text.replaceAll('\n', ' ');
    for (const stdin of [text, line, `[${text}]`, `{"rules":{"custom_attributes":[${text}]}}`, `${line}\n${line}`]) {
      const args = ['rules', 'import', '-', ...(stdin.includes('"rules"') ? [] : ['--type', 'custom_attributes'])];
      const { exitCode, stderr } = await muster.run(args, { stdin });
      expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/"Large": extra\.serial: .*12345678901234567890/)]);
    }
  });

  it('tells what differs from what is here, and how to take it', async () => {
    const [rule] = RULES.rules.custom_attributes;
    const import_ = (documentation: string, ...more: string[]) =>
      muster.run(['rules', 'import', '-', '--type', 'custom_attributes', ...more], {
        stdin: JSON.stringify([{ ...rule, name: 'Compared', documentation }]),
      });
    await import_('mine');
    const dry = await import_('theirs', '--dry-run');
    expect(dry.stdout).toMatch(/custom_attributes +0 +1 +0 +0 +1\n/);
    expect(dry.stderr).toContain(
      '1 rule differs from what is here, which stays as it is; --override takes that of the file',
    );
    expect(dry.stderr).toContain('differs: custom_attributes "Compared"\n  documentation: mine → theirs');
    const same = await import_('mine');
    expect(same.stdout).toMatch(/custom_attributes +0 +1 +0 +1 +0\n/);
    expect(same.stderr).not.toContain('--override');
    const left = await import_('theirs', '--override', '--leave', 'custom_attributes/Compared');
    expect(left.stdout).toMatch(/custom_attributes +0 +1 +0/);
    expect((await muster.run(['rules', 'show', 'custom_attributes', 'Compared'])).stdout).toContain('mine');
    const unnamed = await import_('theirs', '--override', '--leave', 'Compared');
    expect([unnamed.exitCode, unnamed.stderr]).toEqual([
      2,
      expect.stringContaining('the type of the rule and its name'),
    ]);
  });

  it('previews and runs one autorule by its name', async () => {
    const rule_body = '{"name": "Of {{ HOSTNAME }}", "condition_typ": "anyway", "outcomes": []}';
    const rules = ['first', 'second'].map((name) => ({
      name,
      enabled: true,
      rule_type: 'custom_attributes',
      rule_body,
    }));
    await muster.run(['rules', 'import', '-', '--type', 'syncer_rule_automation'], { stdin: JSON.stringify(rules) });
    expect((await muster.run(['rules', 'autorules', 'preview', 'second'])).exitCode).toBe(0);
    const preview = await muster.run(['rules', 'autorules', 'preview', 'third']);
    expect([preview.exitCode, preview.stderr]).toEqual([1, expect.stringContaining('there is no autorule third')]);
    expect((await muster.run(['rules', 'autorules', '--autorule', 'second'])).exitCode).toBe(0);
    const run = await muster.run(['rules', 'autorules', '--autorule', 'third']);
    expect([run.exitCode, run.stderr]).toEqual([1, expect.stringContaining('there is no autorule third')]);
  });

  it('lists what is invalid with path and reason, stores the rest and exits 1', async () => {
    const [rule] = RULES.rules.custom_attributes;
    const broken = {
      ...rule,
      name: 'Broken',
      conditions: [{ match_type: 'host', hostname: '(', hostname_match: 'regex' }],
    };
    const { exitCode, stdout, stderr } = await muster.run(['rules', 'import', '-'], {
      stdin: JSON.stringify({ rule_type: 'custom_attributes', rules: [rule, broken] }),
    });
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/custom_attributes +1 +0 +1 +0 +0\n/);
    expect(stderr).toMatch(/invalid: custom_attributes "Broken": conditions\.0\S*: /);
    expect(stderr).toContain('1 rule is invalid');
  });

  it.each([
    ['{"rules": {', 'neither JSON nor JSON lines'],
    ['   ', 'empty'],
    ['{"rules": {"no_such_type": {}}}', 'no_such_type'],
    ['{"rule_type":"custom_attributes"}\n{broken\n', 'line 2'],
    ['{"rules":\n{"custom_attributes":[], "custom_attributes":[]}}', 'occurs twice'],
    ['{"rule_type":"custom_attributes"}\n{"name":"a","name":"b"}\n', 'line 2'],
    ['{"name":"a","name":"b"}\n{"name":"c"}', 'line 1'],
    [`{"rules":${'['.repeat(100)}${']'.repeat(100)}}`, '64 levels'],
  ])('refuses %j and imports nothing', async (stdin, reason) => {
    const { exitCode, stdout, stderr } = await muster.run(['rules', 'import', '-'], { stdin });
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toContain(reason);
  });

  it('shows which hosts new rules would change', async () => {
    await withRules();
    const [rule] = RULES.rules.custom_attributes;
    const changed = { ...rule, name: 'New', outcomes: [{ attribute_name: 'role', attribute_value: 'proxy' }] };
    const file = join(muster.directory, 'new.json');
    await writeFile(file, JSON.stringify({ rule_type: 'custom_attributes', rules: [{ ...changed, sort_field: 20 }] }));
    const { stdout, stderr } = await muster.run(['rules', 'impact', file]);
    expect(stdout).toContain('~ web01.example.org\n  ~ role  web → proxy\n');
    expect(stderr).toContain('2 of 3 hosts would change');
    const folder = join(muster.directory, 'rules');
    await mkdir(folder);
    await copyFile(file, join(folder, 'new.json'));
    expect(await muster.run(['rules', 'impact', folder])).toMatchObject({ stdout, stderr });
  });

  it('keeps history and goes back', async () => {
    await withRules();
    const [rule] = RULES.rules.custom_attributes;
    await succeed(['rules', 'import', '-', '--override', '--type', 'custom_attributes'], {
      stdin: JSON.stringify([{ ...rule, sort_field: 99 }]),
    });
    expect(await succeed(['rules', 'history', 'custom_attributes', 'Role from hostname'])).toContain(
      'sort_field  10 → 99',
    );
    await succeed(['rules', 'revert', 'custom_attributes', 'Role from hostname', '1']);
    const { rules } = await muster.json<{ rules: { sort_field: number }[] }>(['rules', 'list', 'custom_attributes']);
    expect(rules.map(({ sort_field }) => sort_field)).toEqual([10]);
    await succeed(['rules', 'remove', 'custom_attributes', 'Role from hostname']);
    expect(await succeed(['rules', 'list', 'custom_attributes'])).toBe('');
  });

  it('shows what went wrong in a rule', async () => {
    await withHosts();
    const failing = {
      name: 'Fails',
      enabled: true,
      condition_typ: 'anyway',
      conditions: [],
      outcomes: [{ attribute_name: 'x', attribute_value: '{{ nothing_of_that_name }}' }],
    };
    await succeed(['rules', 'import', '-', '--type', 'custom_attributes'], { stdin: JSON.stringify([failing]) });
    const { stdout, stderr } = await muster.run(['rules', 'list', 'custom_attributes']);
    expect(stdout).toMatch(/Fails +yes +always +1 +3\n/);
    expect(stderr).toContain('nothing_of_that_name');
    expect(await succeed(['rules', 'test', 'web01.example.org'])).toMatch(/error: .*nothing_of_that_name/);
  });
});

describe('inventory', () => {
  it('prints JSON alone, of the provider that was asked for or that the environment names', async () => {
    await withRules();
    const { stdout, stderr } = await muster.run(['inventory', 'automation', '--list']);
    expect(stderr).toBe('');
    const document = JSON.parse(stdout) as { all: { hosts: string[] }; _meta: { hostvars: Record<string, unknown> } };
    expect(document.all.hosts).toEqual(['db01.example.org', 'web01.example.org', 'web02.example.org']);
    expect(await succeed(['inventory', '--list'])).toBe(stdout);
    const sites = await succeed(['inventory', '--list'], { inventoryProvider: 'cmk_sites' });
    expect(JSON.parse(sites)).toEqual({ _meta: { hostvars: {} }, all: { hosts: [] } });
    const host = await succeed(['inventory', 'automation', '--host', 'web01.example.org']);
    expect(JSON.parse(host)).toEqual(document._meta.hostvars['web01.example.org']);
    expect(await succeed(['inventory', 'automation', '--host= web01.example.org '])).toBe(host);
  });

  it('fails on an unknown provider or host', async () => {
    for (const args of [
      ['inventory', 'nonsense', '--list'],
      ['inventory', 'automation', '--host=nobody'],
    ]) {
      const { exitCode, stdout } = await muster.run(args);
      expect([exitCode, stdout]).toEqual([1, '']);
    }
  });

  it('lists its providers one a line', async () => {
    expect((await succeed(['inventory-providers'])).split('\n')).toContain('automation');
    expect(await muster.json<object>(['inventory-providers'])).toEqual({ providers: ['automation', 'cmk_sites'] });
  });

  it('ends in peace when nobody reads to the end', async () => {
    await withRules();
    let taken = 0;
    const head = new Writable({
      write(chunk: Buffer, _encoding, done) {
        taken += chunk.length;
        done(taken > 10 ? Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }) : null);
      },
    });
    const { exitCode, stderr } = await muster.run(['host', 'list', '--json'], { stdout: head });
    expect([exitCode, stderr]).toEqual([0, '']);
  });
});

describe('user', () => {
  it('takes the password from the standard input', async () => {
    const { stdout, stderr } = await muster.run(
      ['user', 'add', 'olga', '--role', 'objects', '--role', 'rules', '--password-stdin'],
      {
        stdin: 'correct horse battery\n',
      },
    );
    expect(stdout).toBe('');
    expect(stderr).toBe('Added user olga with roles objects, rules.\n');
    expect(await muster.json<object[]>(['user', 'list'])).toMatchObject([
      { name: 'olga', roles: ['objects', 'rules'] },
    ]);
  });

  it('makes one up where nobody can be asked, and prints it alone', async () => {
    const stdout = await succeed(['user', 'add', 'olga', '--role', 'all']);
    expect(stdout).toMatch(/^[a-zA-Z0-9]{20}\n$/);
    const changed = await muster.json<{ password: string }>(['user', 'passwd', 'olga']);
    expect(changed.password).toMatch(/^[a-zA-Z0-9]{20}$/);
    expect(changed.password).not.toBe(stdout.trim());
  });

  it('takes a weak password from the operator at the machine', async () => {
    expect((await muster.run(['user', 'add', 'olga', '--password-stdin'], { stdin: 'short' })).exitCode).toBe(0);
    expect(await muster.json<unknown[]>(['user', 'list'])).toHaveLength(1);
  });

  it('refuses an empty standard input and an unknown role', async () => {
    const add = (...more: string[]) => ['user', 'add', 'olga', ...more, '--password-stdin'];
    expect((await muster.run(add(), { stdin: '' })).exitCode).toBe(1);
    // Names that nobody knows are wrong usage, and say which there are.
    const stdin = 'correct horse battery';
    await succeed(['account', 'add', 'crm', '--type', 'api']);
    for (const [args, there] of [
      [add('--role', 'king'), 'all, objects, rules, syncer, automation, mcp, metrics'],
      [add('--role', 'objects', '--account', 'cmr'), 'crm'],
    ] as const) {
      const { exitCode, stderr, stdout } = await muster.run(args, { stdin });
      expect([exitCode, stdout]).toEqual([2, '']);
      expect(stderr).toContain(there);
    }
    expect(await muster.json<unknown[]>(['user', 'list'])).toEqual([]);
  });

  it('disables, enables and shows users', async () => {
    await succeed(['user', 'add', 'olga', '--role', 'all', '--read-only']);
    await succeed(['user', 'disable', 'olga']);
    expect(await succeed(['user', 'show', 'olga'])).toMatch(/state +read-only, disabled\n/);
    await succeed(['user', 'enable', 'olga']);
    expect(await muster.json<object>(['user', 'show', 'olga'])).toMatchObject({ disabled: false, read_only: true });
  });

  it('creates, lists and revokes tokens', async () => {
    await succeed(['user', 'add', 'olga', '--role', 'all']);
    const token = (await succeed(['user', 'token', 'create', 'olga', '--label', 'ci', '--expires-days', '7'])).trim();
    expect(token).toMatch(/^muster_/);
    const [listed] = await muster.json<{ prefix: string; label: string; last_used: null }[]>([
      'user',
      'token',
      'list',
      'olga',
    ]);
    expect(listed).toMatchObject({ label: 'ci', last_used: null });
    expect(token.startsWith(listed?.prefix ?? 'none')).toBe(true);
    await succeed(['user', 'token', 'revoke', 'olga', listed?.prefix ?? '']);
    expect(await muster.json<unknown[]>(['user', 'token', 'list', 'olga'])).toEqual([]);
  });
});

describe('account', () => {
  it('is added, shown, changed, tested and deleted', async () => {
    const path = join(muster.directory, 'hosts.csv');
    await writeFile(path, CSV);
    await succeed(['account', 'add', 'lab', '--type', 'csv', '--set', `path=${path}`]);
    const tested = await succeed(['account', 'test', 'lab']);
    expect(tested).toContain('web01.example.org');
    expect(tested).toContain('skipped');
    await succeed(['account', 'set', 'lab', '--set', 'allow_empty=true']);
    expect(await muster.json<object>(['account', 'show', 'lab'])).toMatchObject({
      options: { allow_empty: 'true' },
      hosts: 0,
    });
    await succeed(['account', 'disable', 'lab']);
    expect((await muster.run(['import', 'lab'])).exitCode).toBe(1);
    await succeed(['account', 'enable', 'lab']);
    expect(await muster.json<object>(['account', 'list'])).toEqual([{ name: 'lab', type: 'csv', enabled: true }]);
    await succeed(['account', 'delete', 'lab']);
    expect(await muster.json<object>(['account', 'list'])).toEqual([]);
  });

  it('names an option that its type does not have', async () => {
    const { exitCode, stderr } = await muster.run(['account', 'add', 'lab', '--type', 'csv', '--set', 'paht=x']);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('paht');
  });
});

describe('service commands', () => {
  it('show the configuration with the origin of each value', async () => {
    const entries = await muster.json<{ key: string; value: unknown; origin: string }[]>(['config', 'show'], {
      environment: { SERVICE_HTTP_PORT: '9000', SERVICE_INSTANCE_KEY: '11'.repeat(32) },
    });
    expect(entries.find(({ key }) => key === 'HTTP_PORT')).toMatchObject({ value: 9000, origin: 'SERVICE_HTTP_PORT' });
    expect(entries.find(({ key }) => key === 'INSTANCE_KEY')?.value).toBe('********');
  });

  it('show no text of the settings of plugins, which may be secrets', async () => {
    const options = { racks: { token: 'sesame', address: 'https://racks.example.org', port: 8443, names: ['a'] } };
    await writeFile(join(muster.directory, 'local_config.json'), JSON.stringify({ PLUGIN_OPTIONS: options }));
    const entries = await muster.json<{ key: string; value: unknown }[]>(['config', 'show']);
    expect(entries.find(({ key }) => key === 'PLUGIN_OPTIONS')?.value).toEqual({
      racks: { token: '********', address: '********', port: 8443, names: ['********'] },
    });
  });

  it('list plugins, broken ones by name', async () => {
    expect((await muster.run(['plugins'])).exitCode).toBe(0);
    const { exitCode, stdout } = await muster.run(['plugins'], { environment: { SERVICE_PLUGINS: './missing' } });
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/missing +failed/);
  });

  it('check the installation', async () => {
    const environment = { SERVICE_TLS_CERT: '/nope', SERVICE_TLS_KEY: '/nope' };
    const { stdout } = await muster.run(['doctor'], { environment });
    expect(stdout).toMatch(/✗ +certificate +TLS_CERT names \/nope/);
    const { ok, findings } = await muster.json<{ ok: boolean; findings: { check: string }[] }>(['doctor']);
    expect(ok).toBe(true);
    expect(findings.map(({ check }) => check)).toContain('storage');
  });

  it('show the log and the audit log', async () => {
    await withHosts();
    expect(await succeed(['logs', '--limit', '1'])).toContain('lab');
    const entries = await muster.json<{ operation: string; actor: string; subject: string }[]>([
      'logs',
      '--audit',
      '--limit',
      '5',
    ]);
    expect(entries).toContainEqual(
      expect.objectContaining({ operation: 'imports/import-account', actor: 'olga', subject: 'lab', outcome: 'done' }),
    );
    expect((await muster.run(['logs', '--actor', 'olga'])).exitCode).toBe(2);
  });

  it('keep in the audit log that a backup was not found whole, and say nothing besides', async () => {
    const folder = join(muster.directory, 'kept');
    const environment = { SERVICE_BACKUP_DIR: folder };
    await succeed(['storage', 'keep-backup'], { environment });
    const [file = ''] = (await readdir(folder)).filter((name) => name.endsWith('.gz'));
    await appendFile(join(folder, file), 'x');
    const { exitCode, stderr } = await muster.run(['storage', 'verify-backup', file], { environment });
    expect(exitCode).toBe(1);
    expect(stderr.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^muster: the backup .* is not what was written/),
    ]);
    expect(await muster.json(['logs', '--audit', '--operation', 'storage/verify-backup'])).toEqual([
      expect.objectContaining({ subject: file, outcome: 'failed' }),
    ]);
  });

  it('bring back the hosts that one import archived, by the place that the list of runs prints', async () => {
    await withHosts();
    await succeed([
      'account',
      'set',
      'lab',
      '--set',
      'delete_host_if_not_found_on_import=true',
      '--set',
      'delete_threshold_percent=100',
    ]);
    await writeFile(join(muster.directory, 'hosts.csv'), 'host,site,os\nweb01.example.org,eqiad,debian\n');
    await succeed(['import', 'lab']);
    const archived = ['db01.example.org', 'web02.example.org'];
    const listed = async () => (await succeed(['host', 'list', '--archived', '-o', 'name'])).trim().split('\n').sort();
    expect(await listed()).toEqual(archived);
    const place = (await succeed(['runs', 'list', '--kind', 'import', '--limit', '1', '-o', 'name'])).trim();
    expect(await succeed(['run', 'list', '--limit', '1'])).toContain(place);
    const shown = await succeed(['host', 'restore', '--run', place, '--dry-run']);
    expect(shown.trim().split('\n').sort()).toEqual(archived);
    expect(await listed()).toEqual(archived);
    const answer = await muster.json<{ restored: number }>(['host', 'restore', '--run', place]);
    expect(answer).toMatchObject({ status: 'undone', restored: 2 });
    expect(await listed()).toEqual(['']);
    expect((await muster.run(['host', 'restore', 'web01.example.org', '--run', place])).exitCode).toBe(2);
    const wrong = await muster.run(['run', 'undo', 'yesterday']);
    expect(wrong.stderr).toContain('must be the place of a run; "muster run list" shows the places');
  });

  it('show in the audit log what changed', async () => {
    await succeed(['user', 'add', 'kim', '--role', 'objects']);
    await succeed(['user', 'set', 'kim', '--role', 'all', '--admin']);
    const asked = ['logs', '--audit', '--operation', 'users/changed'];
    const changed = 'roles: objects → all; administrator: no → yes';
    expect(await muster.json(asked)).toEqual([expect.objectContaining({ subject: 'kim', details: changed })]);
    expect(await succeed(asked)).toContain(changed);
    expect(await succeed([...asked, '-o', 'csv', '--columns', 'subject,details'])).toBe(
      `subject,details\r\nkim,"${changed}"\r\n`,
    );
  });
});
