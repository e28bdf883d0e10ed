import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { importOptions } from '../../src/kit/account-options/import-options.ts';
import { textOf } from '../../src/kit/worded.ts';
import { jsonOptions } from '../../src/plugins/json/options.ts';
import { readJson } from '../../src/plugins/json/read.ts';
import { yamlOptions } from '../../src/plugins/yaml/options.ts';
import { readYaml } from '../../src/plugins/yaml/read.ts';
import type { SourceItem, SourceRecord } from '../../src/ports/index.ts';
import { musterHarness } from '../adapters/cli/run-muster.ts';
import { sourceFiles } from '../support/files.ts';
import { allBlocks, ROOT } from './support/markdown.ts';

const FOLDERS = ['test/plugins/recorded', 'src/plugins/json/fixtures'];
const PAGE = 'docs/reading.md';

interface Example {
  readonly account: string;
  readonly options: Readonly<Record<string, string>>;
  readonly expected: readonly string[];
}

const blocks = allBlocks().filter(({ page }) => page === PAGE);
const examples = blocks.flatMap((block, index): Example[] => {
  const command = /muster account add (\S+) --type json ([\s\S]+)/.exec(block.text);
  if (command === null) return [];
  const settings = [...(command[2] ?? '').matchAll(/--set (?:'([^']*)'|(\S+))/g)].map(([, a, b]) => a ?? b ?? '');
  const options = Object.fromEntries(
    settings.map((text) => [text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)]),
  );
  return [{ account: command[1] ?? '', options, expected: (blocks[index + 1]?.text ?? '').trim().split('\n') }];
});

function placeOf(path: string): string {
  const folder = FOLDERS.find((name) => existsSync(join(ROOT, name, path.replace(/\/?\*.*/, ''))));
  return join(ROOT, folder ?? '', path);
}

async function itemsOf(reading: AsyncIterable<readonly SourceItem[]>): Promise<SourceItem[]> {
  const items: SourceItem[] = [];
  for await (const batch of reading) items.push(...batch);
  return items;
}

const context = { signal: new AbortController().signal, progress: () => undefined };

/** What a page says of a host: a label, or a member of a section. */
function textAt({ labels, inventory = {} }: SourceRecord, key: string): string {
  const [section = '', ...path] = key.split('.');
  const value = Object.hasOwn(labels, key)
    ? labels[key]
    : path.reduce<unknown>((found, name) => (found as Record<string, unknown>)?.[name], inventory[section]);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

test('the page has its examples', () => {
  expect(examples.map(({ account }) => account)).toEqual([
    'ec2',
    'nodes',
    'netbox',
    'proxmox',
    'vsphere',
    'addresses',
    'facter',
    'facts',
    'cache',
  ]);
});

test.each(examples)('$account is read as the page says', async ({ options, expected }) => {
  const path = placeOf(options.path ?? '');
  const items = await itemsOf(readJson(jsonOptions().parse({ ...ofType(options), path }), sourceFiles, context));
  const records = items.filter((item) => item.kind === 'record');
  const told = items.flatMap((item) => {
    if (item.kind === 'left_out') return [`left out: ${item.count}`];
    return item.kind === 'record' || item.kind === 'bookmark'
      ? []
      : [`${item.kind}: ${item.kind === 'skipped' ? item.hostname : textOf(item.what)}`];
  });
  const hosts = expected.filter((line) => !line.includes(': ') && line !== '…');
  expect(expected.filter((line) => line.includes(': '))).toEqual(told);
  if (!expected.includes('…'))
    expect(records.map(({ hostname }) => hostname)).toEqual(hosts.map((line) => line.split('  ')[0]));
  for (const line of hosts) {
    const [name, ...labels] = line.split('  ');
    const record = records.find(({ hostname }) => hostname === name);
    const found = labels.map((label) => {
      const key = label.slice(0, label.indexOf('='));
      return `${key}=${record === undefined ? '' : textAt(record, key)}`;
    });
    expect([name, ...found].join('  ')).toBe(line);
  }
});

/** The options of the type, without those of every account. */
function ofType(options: Example['options']): Example['options'] {
  return Object.fromEntries(Object.entries(options).filter(([name]) => !Object.hasOwn(importOptions().shape, name)));
}

test.each(['ec2', 'nodes'])(
  '%s has the labels that the page chooses, and a repeated run writes nothing',
  async (account) => {
    const { options } = examples.find((example) => example.account === account) as Example;
    const muster = await musterHarness();
    const path = join(muster.directory, 'file.json');
    const text = await readFile(placeOf(options.path ?? ''), 'utf8');
    await writeFile(path, text);
    const settings = Object.entries({ ...options, path }).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
    expect((await muster.run(['account', 'add', account, '--type', 'json', ...settings])).exitCode).toBe(0);
    expect((await muster.run(['import', account])).exitCode).toBe(0);
    await writeFile(path, text.replaceAll(/("resourceVersion": ")\d+/g, '$17'));
    const { stdout } = await muster.run(['import', account]);
    expect(stdout).toMatch(/: 3 unchanged\b/);
    const { labels, keys } = await muster.json<{ labels: object; keys: object }>([
      'host',
      'show',
      account === 'ec2' ? 'web1' : 'control1',
    ]);
    expect(Object.keys(labels).filter((name) => /resourceVersion|images|NetworkInterfaces/.test(name))).toEqual([]);
    expect(Object.keys(keys)).toEqual([account === 'ec2' ? 'cloud_id' : 'id']);
    await muster.close();
  },
);

test('a file of YAML is read alike', async () => {
  const { options } = examples[0] as Example;
  const path = placeOf(options.path ?? '');
  const [json, yaml] = await Promise.all([
    itemsOf(readJson(jsonOptions().parse({ ...ofType(options), path }), sourceFiles, context)),
    itemsOf(readYaml(yamlOptions().parse({ ...ofType(options), path }), sourceFiles, context)),
  ]);
  // Times and numbers are the same in both.
  expect(yaml).toEqual(json);
});
