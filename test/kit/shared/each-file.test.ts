import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { textOf } from '../../../src/kit/worded.ts';
import { csvOptions } from '../../../src/plugins/csv/options.ts';
import { readCsv } from '../../../src/plugins/csv/read.ts';
import { jsonOptions } from '../../../src/plugins/json/options.ts';
import { readJson } from '../../../src/plugins/json/read.ts';
import { yamlOptions } from '../../../src/plugins/yaml/options.ts';
import { readYaml } from '../../../src/plugins/yaml/read.ts';
import type { SourceItem } from '../../../src/ports/index.ts';
import { sourceFiles } from '../../support/files.ts';
import { collect, failure, readContext, temporaryFolder } from './temporary-file.ts';

async function folderOf(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await temporaryFolder();
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  return folder;
}

const json = (path: string, options: object = {}) =>
  readJson(jsonOptions().parse({ path, ...options }), sourceFiles, readContext());
const yaml = (path: string, options: object = {}) =>
  readYaml(yamlOptions().parse({ path, ...options }), sourceFiles, readContext());
const csv = (path: string, options: object = {}) =>
  readCsv(csvOptions().parse({ path, ...options }), sourceFiles, readContext());

function shownItem(item: SourceItem): string {
  switch (item.kind) {
    case 'record':
      return `${item.position}: ${item.hostname} ${JSON.stringify(item.labels)}`;
    case 'skipped':
      return `${item.position}: skipped ${item.hostname ?? ''} (${textOf(item.reason)})`;
    case 'gap':
      return `gap: ${textOf(item.what)} (${textOf(item.reason)})`;
    case 'bookmark':
      return item.text;
    case 'left_out':
      return `${item.count} ${item.reason}`;
  }
}

const shown = async (items: AsyncIterable<readonly SourceItem[]>) => (await collect(items)).map(shownItem);

const DOCUMENTS = { records: 'document', hostname_field: 'file:name' };

describe('a folder of files', () => {
  it('is a host a file, named by its file or by a member', async () => {
    const path = await folderOf({ 'web1.example.org': '{"os":"debian"}', 'web2.json': '{"os":"rocky","fqdn":"w2"}' });
    expect(await shown(json(path, DOCUMENTS))).toEqual([
      'web1.example.org record 1: web1.example.org {"os":"debian"}',
      'web2.json record 1: web2 {"os":"rocky","fqdn":"w2"}',
    ]);
    expect(await shown(json(path, { ...DOCUMENTS, hostname_field: 'fqdn,file:name' }))).toEqual([
      'web1.example.org record 1: web1.example.org {"os":"debian"}',
      'web2.json record 1: w2 {"os":"rocky","fqdn":"w2"}',
    ]);
  });

  it('is read alike from YAML', async () => {
    const path = await folderOf({ 'web1.yml': 'os: debian', 'web2.yaml': 'os: rocky' });
    expect(await shown(yaml(`${path}/*.y*ml`, DOCUMENTS))).toEqual([
      'web1.yml record 1: web1 {"os":"debian"}',
      'web2.yaml record 1: web2 {"os":"rocky"}',
    ]);
  });

  it('may have the host inside of each document, and lists as its items', async () => {
    const path = await folderOf({ a: '{"ansible_facts":{"os":"debian"},"changed":false}' });
    expect(await shown(json(path, { ...DOCUMENTS, data_key: 'ansible_facts' }))).toEqual([
      'a record 1: a {"os":"debian"}',
    ]);
    const lists = await folderOf({ 'web1.json': '[{"ifname":"lo","mtu":65536},{"ifname":"eth0","mtu":1500}]' });
    expect(await shown(json(lists, { ...DOCUMENTS, pair_fields: 'items:ifname' }))).toEqual([
      'web1.json record 1: web1 {"items.lo.mtu":65536,"items.eth0.mtu":1500}',
    ]);
  });

  it('may be rows and lists, with one filter for all of them', async () => {
    const rows = await folderOf({ 'berlin.csv': 'host,up\na,1\nb,0\n', 'paris.csv': 'host;up\nc;1\n' });
    expect(await shown(csv(`${rows}/*.csv`, { record_filter: 'up=1' }))).toEqual([
      'berlin.csv line 2: a {"up":"1"}',
      'paris.csv line 2: c {"up":"1"}',
      '1 left out by record_filter',
    ]);
    const lists = await folderOf({ 'a.json': '[{"host":"a"}]', 'b.json': '{"hosts":[{"host":"b"},{"host":""}]}' });
    expect(await shown(json(lists))).toEqual([
      'a.json record 1: a {}',
      'b.json record 1: b {}',
      'b.json record 2: skipped  (has no name: "host" is empty)',
    ]);
  });

  it('with a broken file is a gap, unless the file alone says which host it is about', async () => {
    const path = await folderOf({ 'a.json': '{"x":1', 'b.json': '{"x":1}', 'c.json': '', 'd.json': '[1]{}' });
    expect(await shown(json(path, DOCUMENTS))).toEqual([
      'a.json: skipped a (the file is truncated: the JSON document ends unexpectedly in line 1)',
      'b.json record 1: b {"x":1}',
      'c.json: skipped c (the file is empty)',
      expect.stringMatching(/^d\.json: skipped d \(the file contains more than one JSON document/),
    ]);
    const named = await shown(json(path, { ...DOCUMENTS, hostname_field: 'name,file:name' }));
    expect(named.filter((text) => text.startsWith('gap'))).toEqual([
      'gap: the file a.json (is truncated: the JSON document ends unexpectedly in line 1)',
      'gap: the file c.json (is empty)',
      expect.stringMatching(/^gap: the file d\.json \(contains more than one JSON document/),
    ]);
  });

  it("may be Ansible's cache of facts, whose files keep them as text under a name of their own", async () => {
    const facts = JSON.stringify({ ansible_system: 'Linux', id: 1 }).replace('1', '12345678901234567890');
    const path = await folderOf({
      s1_web1: JSON.stringify({ __payload__: facts }),
      s1_web2: JSON.stringify({ __payload__: '{"ansible' }),
      s1_web3: '{"__payl',
      s1_web4: '{"os":"debian"}',
      web5: '{"os":"debian"}',
    });
    expect(await shown(json(path, DOCUMENTS))).toEqual([
      's1_web1 record 1: web1 {"ansible_system":"Linux","id":"12345678901234567890"}',
      'gap: the cached facts in s1_web2 (they are not valid JSON)',
      'gap: the file s1_web3 (is truncated: the JSON document ends unexpectedly in line 1)',
      's1_web4 record 1: s1_web4 {"os":"debian"}',
      'web5 record 1: web5 {"os":"debian"}',
    ]);
  });

  it('with a file that may not be read is a gap', async () => {
    const path = await folderOf({ a: 'host\nx\n', b: 'host\ny\n' });
    await symlink(join(path, 'absent'), join(path, 'c'));
    await mkdir(join(path, 'inner'));
    if (process.getuid?.() !== 0) await chmod(join(path, 'b'), 0);
    const [first, ...rest] = await shown(csv(path));
    expect(first).toBe('a line 2: x {}');
    expect(rest.at(-1)).toBe('gap: the file c (does not exist)');
  });

  it('without a file fails', async () => {
    const path = await folderOf({ '.hidden': 'host\nx\n' });
    expect(await failure(csv(path))).toMatch(/has no files to read; is it the right folder, and is it mounted\?$/);
    expect(await failure(json(`${path}/*.json`))).toMatch(/\*\.json has no files to read/);
  });

  it('fails as a whole where an option cannot be applied, and when it is called off', async () => {
    const path = await folderOf({ a: '[{"host":"a","x":{"y":1}}]', b: '[{"host":"b","x":1}]' });
    expect(await failure(json(path, { record_filter: 'x=1' }))).toMatch(/compares "x", which is an object/);
    const abort = new AbortController();
    const context = { signal: abort.signal, progress: () => abort.abort(new Error('stop')) };
    await expect(collect(readJson(jsonOptions().parse({ path }), sourceFiles, context))).rejects.toThrow('stop');
  });

  it('tells its progress over all files', async () => {
    const path = await folderOf({ a: 'host\nx\n', b: 'host\nyy\n' });
    const steps: number[] = [];
    await collect(
      readCsv(
        csvOptions().parse({ path }),
        sourceFiles,
        readContext((done) => steps.push(done)),
      ),
    );
    expect(steps).toEqual([7, 15]);
  });
});
