import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type MusterHarness, musterHarness } from '../adapters/cli/run-muster.ts';

let muster: MusterHarness;
beforeEach(async () => {
  muster = await musterHarness();
});
afterEach(() => muster.close());

const file = (name: string, text: string | Buffer): Promise<void> => writeFile(join(muster.directory, name), text);

async function add(name: string, type: string, ...settings: readonly string[]) {
  return muster.run(['account', 'add', name, '--type', type, ...settings.flatMap((text) => ['--set', text])]);
}

/** What an import of a file says, standard error behind standard output. */
async function imported(name: string, type: string, text: string, ...settings: readonly string[]): Promise<string> {
  await file(`${name}.${type}`, text);
  expect((await add(name, type, `path=${name}.${type}`, ...settings)).exitCode).toBe(0);
  const { stdout, stderr } = await muster.run(['import', name]);
  return `${stdout}${stderr}`;
}

async function names(): Promise<string[]> {
  const { stdout } = await muster.run(['host', 'list', '-o', 'name']);
  return stdout.trim() === '' ? [] : stdout.trim().split('\n');
}

async function labels(hostname: string): Promise<object> {
  return (await muster.json<{ labels: object }>(['host', 'show', hostname])).labels;
}

describe('names that look like numbers', () => {
  it.each([
    ['- host: 1.10\n- host: 012\n- host: 10\n', ['012', '1.10', '10']],
    ['no: {site: norway}\n012: {site: x}\n', ['012', 'no']],
    ['- host: 0x1F\n- host: 1_000\n- host: 1e3\n- host: on\n', ['0x1F', '1_000', '1e3', 'on']],
    ['1.10: {}\n1.1: {}\n2026-01-01: {}\n', ['1.1', '1.10', '2026-01-01']],
  ])('are texts: %j', async (text, hosts) => {
    await imported('y', 'yaml', text);
    expect(await names()).toEqual(hosts);
  });
});

describe('times', () => {
  const rule = (name: string, negate: boolean) => ({
    name,
    enabled: true,
    condition_typ: 'all',
    conditions: [
      {
        match_type: 'tag',
        tag: 'seen',
        tag_match: 'equal',
        value: '30',
        value_match: 'older_than',
        value_match_negate: negate,
      },
    ],
    outcomes: [{ attribute_name: name, attribute_value: 'yes' }],
  });

  it.each([
    [1577836800, 'old'],
    ['2020-01-01 00:00:00 +0000 UTC', 'old'],
    [1577836800000, 'old'],
    ['20200101000000Z', 'old'],
    ['202001010000Z', 'old'],
    ['/Date(1577836800000)/', 'old'],
    ['never', 'which is not a time'],
    [7, 'which is not a time'],
  ])('%j is %s', async (seen, expected) => {
    await imported('j', 'json', JSON.stringify([{ host: 'e', seen }]));
    await file('r.json', JSON.stringify({ rules: { custom_attributes: [rule('fresh', true), rule('old', false)] } }));
    expect((await muster.run(['rules', 'import', 'r.json'])).exitCode).toBe(0);
    const { stdout } = await muster.run(['rules', 'test', 'e']);
    if (expected === 'old') expect(stdout).toMatch(/no hit {2}fresh[\s\S]*hit {5}old/);
    else expect(stdout).toContain(expected);
  });
});

describe('messages', () => {
  it.each([
    ['{"w1":{"os":"debian"},"w2":{"os":"rocky"}}', 'set records to by_name'],
    ['{"count":2,"w1":{},"w2":{}}', 'set records to by_name'],
    ['{"data":{"hosts":[{"host":"q"}]}}', 'set data_key to the path of the list'],
    ['[{"host":"a"},\n {"host":"b","n":NaN}]', 'NaN, which is not a JSON value (null is one), in line 2'],
    ['[{"host":"a","v":True}]', 'True, which is not a JSON value'],
    ['[{"host":"a",\n"v":undefined}]', 'undefined, which is not a JSON value (null is one), in line 2'],
  ])('say what to do with %s', async (text, expected) => {
    const said = await imported('j', 'json', text);
    expect(said).toContain(expected);
    if (text.startsWith('{"data"')) expect(said).not.toContain('by_name');
  });

  it.each(['status!=decommissioned or site=fra', 'not status=active', 'status!=a|b'])(
    'refuse a filter when it is saved: %s',
    async (text) => {
      const { exitCode, stderr } = await add('c', 'csv', 'path=h.csv', `record_filter=${text}`);
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining('"or", "not" and brackets are not supported')]);
      expect(stderr).not.toContain('did you mean');
    },
  );
});

describe('a download of the pages of an existing installation', () => {
  const document = (members: object) =>
    `${JSON.stringify({ name: 'Stage', enabled: true, condition_typ: 'anyway', conditions: [], outcomes: [], ...members })}\n`;

  it.each(['CustomAttributeRule_202604131530.syncer_json', 'CustomAttributeRule_202604131530 (1).syncer_json'])(
    'is known by its name: %s',
    async (name) => {
      await file(name, document({ outcomes: [{ attribute_name: 'stage', attribute_value: 'prod' }] }));
      expect((await muster.run(['rules', 'import', name])).stdout).toMatch(/custom_attributes +1 /);
      expect((await muster.run(['migrate', 'check', name])).exitCode).toBe(0);
    },
  );

  it('of an unknown model names the option', async () => {
    await file('Nothing_2026.syncer_json', document({}));
    const { exitCode, stderr } = await muster.run(['rules', 'import', 'Nothing_2026.syncer_json']);
    expect([exitCode === 0, stderr]).toEqual([false, expect.stringContaining('--type')]);
  });
});

describe('a name is rewritten by a pattern', () => {
  it.each([
    ['exmpl-qa-sbx-web-3423', "{{ HOSTNAME | regex_replace('^exmpl-(qa|service)-sbx-', '') }}", 'web-3423'],
    ['web01.corp.local', "{{ HOSTNAME | regex_replace('\\\\.corp\\\\.local$', '') }}", 'web01'],
    ['srv_db_7', "{{ HOSTNAME | regex_replace('^srv_([a-z]+)_(\\\\d+)$', '\\\\1\\\\2') }}", 'db7'],
  ])('%s', async (host, template, name) => {
    await imported('c', 'csv', `host\n${host}\n`, `rewrite_hostname=${template}`);
    expect(await names()).toEqual([name]);
  });
});

describe('what a vault encrypts', () => {
  it.each([
    '- host: v1\n  os: x\n  pw: !vault |\n    $ANSIBLE_VAULT;1.1;AES256\n    31323334\n',
    'v1:\n  os: x\n  pw: |\n    $ANSIBLE_VAULT;1.2;AES256;prod\n    31323334\n',
    '- host: v1\n  os: x\n  db: {pw: !vault "$ANSIBLE_VAULT;1.1;AES256\\n3132"}\n  list: [a, !vault "x"]\n',
  ])('is no label: %j', async (text) => {
    await imported('y', 'yaml', text);
    expect(await names()).toEqual(['v1']);
    const { stdout } = await muster.run(['inventory', 'automation', '--list']);
    expect(stdout).toContain('"os":"x"');
    expect(stdout).not.toMatch(/VAULT|3132/);
  });
});

describe('blanks before quotes', () => {
  it.each([
    ['host, site, comment\nweb01, berlin, "rack 4, left"\n', { site: 'berlin', comment: 'rack 4, left' }],
    ['host;\tsite;\tcomment\nweb01;\t"ber;lin";\tok\n', { site: 'ber;lin', comment: 'ok' }],
    ['host,  site,  comment\nweb01,  "a ""b""",  "c\nd"\n', { site: 'a "b"', comment: 'c\nd' }],
  ])('are no part of a value: %j', async (text, expected) => {
    await imported('c', 'csv', text);
    expect(await labels('web01')).toEqual(expected);
  });
});

describe('options that say nothing of an account', () => {
  it('are not written into a child, which has those of its parent', async () => {
    await file('h.csv', 'host,os\nweb01,UNSET\nweb02,NULL\n');
    await add('up', 'csv', 'path=h.csv', 'null_values=UNSET');
    await add('down', 'csv', 'is_child=true', 'parent=up');
    await muster.run(['import', 'down']);
    expect([await labels('web01'), await labels('web02')]).toEqual([{}, { os: 'NULL' }]);
  });

  it('are refused: the encoding of a server', async () => {
    await add('pg', 'sql', 'engine=postgresql', 'address=127.0.0.1', 'database=d', 'table=t', 'encoding=latin1');
    expect((await muster.run(['import', 'pg'])).stderr).toContain('encoding is of sqlite files alone');
  });
});
