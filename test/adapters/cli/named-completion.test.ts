import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MusterHarness, musterHarness } from './run-muster.ts';

let muster: MusterHarness;
beforeAll(async () => {
  muster = await musterHarness();
  await writeFile(join(muster.directory, 'hosts.csv'), 'host,site\nweb1,fra\nweb1,ber\nweb2,fra\ndb1,fra\n');
  await writeFile(join(muster.directory, 'more.csv'), 'host,cpus\nweb1,4\nweb9,4\nWEB2,4\n');
  const csv = ['--type', 'csv', '--set', 'hostname_field=host', '--set'];
  await muster.run(['account', 'add', 'vmware', ...csv, `path=${join(muster.directory, 'hosts.csv')}`]);
  const more = ['--set', 'mode=contribute'];
  await muster.run(['account', 'add', 'contracts', ...csv, `path=${join(muster.directory, 'more.csv')}`, ...more]);
  await muster.run(['user', 'add', 'olga']);
});
afterAll(() => muster.close());

it('imports owners before what contributes, and names what was not written', async () => {
  const { exitCode, stdout, stderr } = await muster.run(['import', '--all']);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/SKIPPED +CONFLICTS/);
  expect(stdout).toMatch(/vmware[\s\S]*contracts +done +3 +0 +1 +0 +0 +2 +0/);
  expect(stderr).toContain('vmware: skipped: line 3 web1: ');
  expect(stderr).toContain('contracts: skipped: line 3 web9: ');
  expect(stderr).toContain('contracts: warning: line 4 WEB2: there is no such host; there is "web2"');
  expect((await muster.run(['status'])).stdout).toMatch(/vmware .* done ! /);
});

it('answers hosts with the same members with and without a query', async () => {
  const all = await muster.json<object[]>(['host', 'list']);
  const found = await muster.json<object[]>(['host', 'list', '--where', 'site:fra OR site:ber OR cpus:4']);
  expect(all.map((host) => Object.keys(host))).toEqual(found.map((host) => Object.keys(host)));
  expect((await muster.json<object[]>(['host', 'list', '--start', '1', '--limit', '1']))[0]).toEqual(all[1]);
});

describe('a shell completes', () => {
  const choices = async (...words: string[]): Promise<string[]> =>
    (await muster.run(['complete', '--', ...words])).stdout.split('\n').flatMap((line) => line.split('\t')[0] || []);

  it.each([
    [
      ['import', ''],
      ['contracts', 'vmware'],
    ],
    [['account', 'show', 'v'], ['vmware']],
    [['host', 'list', '--account', 'c'], ['contracts']],
    [['host', 'list', '--account=c'], ['--account=contracts']],
    [
      ['host', 'show', 'we'],
      ['web1', 'web2'],
    ],
    [['host', 'archive', 'web1', 'd'], ['db1']],
    [['user', 'show', ''], ['olga']],
    [['user', 'add', ''], []],
    [['account', 'add', 'x', '--type', 'cs'], ['csv']],
    [
      ['account', 'add', 'x', '--type', 'csv', '--set', 'mode='],
      ['mode=own', 'mode=contribute'],
    ],
    [['account', 'set', 'vmware', '--set', 'allow_'], ['allow_empty=']],
    [
      ['account', 'set', 'vmware', '--set', 'allow_empty='],
      ['allow_empty=true', 'allow_empty=false'],
    ],
    [['rules', 'list', 'custom_'], ['custom_attributes']],
    [['rules', 'show', 'accounts', 'v'], ['vmware']],
    [['host', 'show', 'we b'], []],
  ] as const)('%j with %j', async (words, expected) => {
    const found = await choices(...words);
    expect([...found].sort()).toEqual([...expected].sort());
  });
});
