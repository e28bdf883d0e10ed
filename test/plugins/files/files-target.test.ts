import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { textTemplates } from '../../../src/app/exports/text-templates.ts';
import { manifestName } from '../../../src/plugins/files/manifest.ts';
import { filesOptions } from '../../../src/plugins/files/options.ts';
import { filesTarget } from '../../../src/plugins/files/target.ts';
import { AppError } from '../../../src/ports/index.ts';
import { describeTargetContract } from '../../../src/testing/target.contract.ts';
import { temporaryFolder } from '../../kit/shared/temporary-file.ts';
import { targetFiles } from '../../support/files.ts';
import { host, target, write } from './support.ts';

async function textsBelow(folder: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.manifest'));
  const texts = files.map(async ({ parentPath, name }) => {
    const path = join(parentPath, name);
    return [path.slice(folder.length + 1), await readFile(path, 'utf8')] as const;
  });
  return Object.fromEntries((await Promise.all(texts)).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** How the names of the hosts are found again. */
const CONTRACTS: Readonly<Record<string, { options: object; path: string; names: RegExp; isApart?: boolean }>> = {
  'csv in one file': { options: { shape: 'csv', fields: 'HOSTNAME,os' }, path: 'hosts.csv', names: /^([a-z]),/gm },
  json: { options: { shape: 'json' }, path: 'hosts.json', names: /"hostname":"(.)"/g },
  'a file for each host': {
    options: { shape: 'yaml' },
    path: '{{ HOSTNAME }}.yml',
    names: /"hostname": "(.)"/g,
    isApart: true,
  },
  'a file for each value': {
    options: { shape: 'template', template: '{{ HOSTNAME }} {{ os|default("none") }}' },
    path: 'all/of-{{ HOSTNAME in ["a", "b"] }}.txt',
    names: /^(.) /gm,
  },
  'a tree of Ansible': { options: { shape: 'ansible', layout: 'tree' }, path: 'tree', names: /^ {4}"(.)": \{\}/gm },
};

for (const [name, { options, path, names, isApart = false }] of Object.entries(CONTRACTS)) {
  describeTargetContract(`files, ${name}`, {
    async create() {
      const folder = await temporaryFolder();
      const base = join(folder, 'sub');
      await mkdir(join(base, 'all'), { recursive: true });
      await mkdir(join(base, 'tree'), { recursive: true });
      return {
        open: () => target({ ...options, path: join(base, path) }),
        hostnames: async () =>
          Object.values(await textsBelow(base)).flatMap((text) =>
            [...text.matchAll(names)].map((found) => found[1] ?? ''),
          ),
        snapshot: async () => JSON.stringify(await textsBelow(base)),
      };
    },
    broken: async () => target({ ...options, path: join(await temporaryFolder(), 'absent', 'more', path) }),
    isApart,
  });
}

describe('files', () => {
  it.each(['hosts.csv', 'hosts-{{ site }}.csv'])(
    'says of %s, as it was given, that nothing may be written there',
    async (path) => {
      const asked: string[] = [];
      const refuse = async (name: string): Promise<never> => {
        asked.push(name);
        throw new AppError('failed', `${name} is outside the folders that targets write`);
      };
      const files = { ...targetFiles, size: refuse, read: refuse };
      const services = { files, templates: textTemplates };
      const refused = filesTarget(filesOptions().parse({ shape: 'csv', path }), { name: 'out' }, services);
      await expect(refused.check({ signal: new AbortController().signal })).rejects.toThrow(`${path} is outside`);
      expect(asked).toEqual([path]);
    },
  );

  it('says of each file what happened to it, and what would', async () => {
    const folder = await temporaryFolder();
    const options = { shape: 'csv', path: join(folder, '{{ site }}.csv'), fields: 'HOSTNAME,os' };
    const hosts = (os: string) => [[host('a', { site: 'berlin', os }), host('b', { site: 'paris', os: 'x' })]];
    const at = (name: string) => join(folder, `${name}.csv`);
    const both = [
      { name: at('berlin'), change: 'created' },
      { name: at('paris'), change: 'created' },
    ];
    const dry = await write(options, hosts('x'), { dryRun: true });
    const begins = ['HOSTNAME,os\na,x\n', 'HOSTNAME,os\nb,x\n'];
    expect(dry).toMatchObject({ others: 'written', documents: both });
    expect(dry.documents?.map(({ beginning }) => beginning)).toEqual(begins);
    expect(await readdir(folder)).toEqual([]);
    expect((await write(options, hosts('x'))).documents).toEqual(both);
    expect(await textsBelow(folder)).toEqual({
      'berlin.csv': 'HOSTNAME,os\na,x\n',
      'paris.csv': 'HOSTNAME,os\nb,x\n',
    });
    expect(await write(options, hosts('x'))).toEqual({
      others: 'unchanged',
      documents: [],
      emptyFields: [],
      failed: {},
    });
    const inode = (await stat(at('paris'))).ino;
    expect((await write(options, hosts('y'))).documents).toEqual([{ name: at('berlin'), change: 'changed' }]);
    expect((await stat(at('paris'))).ino).toBe(inode);
    const one = [[host('b', { site: 'paris', os: 'x' })]];
    const gone = [{ name: at('berlin'), change: 'deleted' }];
    expect((await write(options, one, { dryRun: true })).documents).toEqual(gone);
    expect((await write(options, one)).documents).toEqual(gone);
    expect(Object.keys(await textsBelow(folder))).toEqual(['paris.csv']);
    expect((await stat(at('paris'))).mode & 0o777).toBe(0o640);
  });

  it('says which of the fields that are named were empty for every host', async () => {
    const path = join(await temporaryFolder(), 'all.csv');
    const hosts = [[host('a', { os: 'x', site: '' }), host('b', { os: '', site: [] })]];
    const named = async (options: object, batches = hosts) =>
      (await write({ path, ...options }, batches, { dryRun: true })).emptyFields;
    expect(await named({ shape: 'csv', fields: 'HOSTNAME,os,site,where=cluster' })).toEqual(['site', 'where']);
    expect(await named({ shape: 'json', fields: 'os' })).toEqual([]);
    expect(await named({ shape: 'csv', fields: 'HOSTNAME,cluster' }, [])).toEqual([]);
    expect(await named({ shape: 'csv', address_field: 'ip' })).toEqual(['ip']);
    // What the shape does not write is nobody's column.
    expect(await named({ shape: 'csv', fields: 'os', address_field: 'ip' })).toEqual([]);
    expect(await named({ shape: 'template', template: '{{ os }}', fields: 'cluster' })).toEqual([]);
  });

  it('a dry run counts the lines that change of what the account wrote, and looks at nothing that somebody else wrote', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'all.csv');
    const options = { shape: 'csv', path, fields: 'HOSTNAME,os' };
    const hosts = (...os: string[]) => [os.map((each, n) => host(`h${n}`, { os: each }))];
    const lines = async (...os: string[]) => (await write(options, hosts(...os), { dryRun: true })).documents;
    await write(options, hosts('a', 'b', 'b'));
    expect(await lines('a', 'c', 'b', 'b')).toMatchObject([
      { name: path, change: 'changed', lines: { added: 2, removed: 1, kept: 3 } },
    ]);
    // Other text of its own is larger than what is held, and ends within a line.
    const big = 'x'.repeat(9_000_000);
    expect(await lines('a', big, 'b')).toMatchObject([{ lines: { added: 1, removed: 1, kept: 3 } }]);
    await writeFile(path, 'HOSTNAME,os\nh0,secret\n');
    expect((await lines('a'))?.map(({ change, lines: changed }) => [change, changed])).toEqual([
      ['changed', undefined],
    ]);
  });

  it('leaves all files as they were when the hosts break off, and nothing else', async () => {
    const folder = await temporaryFolder();
    const options = { shape: 'csv', path: join(folder, '{{ HOSTNAME }}.csv'), fields: 'os' };
    await write(options, [[host('a', { os: 'x' })]]);
    const before = await readdir(folder);
    const big = 'x'.repeat(5_000_000);
    const broken = [[host('a', { os: big })], [host('b', { os: big })], new Error('the store is gone')];
    await expect(write(options, broken)).rejects.toThrow('the store is gone');
    expect(await readdir(folder)).toEqual(before);
    expect(await textsBelow(folder)).toEqual({ 'a.csv': 'os\nx\n' });
  });

  it('writes more than it holds in memory, in the order of the hosts', async () => {
    const folder = await temporaryFolder();
    const options = { shape: 'json', path: join(folder, '{{ site }}.json'), fields: 'text' };
    const text = 'x'.repeat(100_000);
    const hosts = Array.from({ length: 200 }, (_, n) => [host(`h${n}`, { site: `s${n % 2}`, text: `${n}${text}` })]);
    const dry = await write(options, hosts, { dryRun: true });
    expect(dry.documents?.map(({ beginning = '' }) => beginning.length)).toEqual([20_000, 20_000]);
    await write(options, hosts);
    const even: { hostname: string }[] = JSON.parse(await readFile(join(folder, 's0.json'), 'utf8'));
    expect(even.map(({ hostname }) => hostname)).toEqual(Array.from({ length: 100 }, (_, n) => `h${n * 2}`));
    expect((await readdir(folder)).sort()).toEqual(['.muster-out.manifest', 's0.json', 's1.json']);
    expect(await write(options, hosts)).toMatchObject({ others: 'unchanged' });
  });

  it('never overwrites a file of somebody else, unless it may', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'hosts.csv');
    await writeFile(path, 'theirs');
    const options = { shape: 'csv', path };
    for (const dryRun of [true, false]) {
      await expect(write(options, [[host('a')]], { dryRun })).rejects.toMatchObject({
        code: 'failed',
        message: expect.stringMatching(/hosts\.csv is there and not of this account; .*adopt=true/),
      });
    }
    await expect(target(options).check?.({ signal: new AbortController().signal })).rejects.toThrow(/adopt=true/);
    expect(await readFile(path, 'utf8')).toBe('theirs');
    expect(await readdir(folder)).toEqual(['hosts.csv']);
    await write({ ...options, adopt: true }, [[host('a')]]);
    expect(await readFile(path, 'utf8')).toBe('hostname,groups\na,\n');
    await write(options, [[host('b')]]);
    expect(await readFile(path, 'utf8')).toBe('hostname,groups\nb,\n');
  });

  it('removes only what it wrote, and leaves what somebody changed since', async () => {
    const folder = await temporaryFolder();
    const options = { shape: 'csv', path: join(folder, '{{ HOSTNAME }}.csv') };
    await write(options, [[host('a'), host('b'), host('c')]]);
    await writeFile(join(folder, 'other.csv'), 'theirs');
    await writeFile(join(folder, 'b.csv'), 'changed');
    const { documents } = await write(options, [[host('c')]]);
    expect(documents).toEqual([
      { name: join(folder, 'a.csv'), change: 'deleted' },
      { name: join(folder, 'b.csv'), change: 'left' },
    ]);
    expect(await write(options, [[host('c')]])).toMatchObject({ others: 'unchanged' });
    expect(Object.keys(await textsBelow(folder))).toEqual(['b.csv', 'c.csv', 'other.csv']);
  });

  it('notes them by the whole name of the account, however long that is', () => {
    const names = ['Zürich', 'Zürich/Süd', ...['a', 'b'].map((end) => `${'ü'.repeat(60)}${end}`)].map(manifestName);
    expect(new Set(names).size).toBe(4);
    for (const name of names) expect(name).toMatch(/^\.muster-[\w%-]{1,200}\.manifest$/);
  });

  it('knows its files again after it died between two of them', async () => {
    const folder = await temporaryFolder();
    const options = { shape: 'csv', path: join(folder, '{{ HOSTNAME }}.csv'), fields: 'os' };
    const manifest = join(folder, '.muster-out.manifest');
    await write(options, [[host('a', { os: '1' })]]);
    const noted = JSON.parse(await readFile(manifest, 'utf8'));
    await write(options, [[host('a', { os: '2' }), host('b', { os: '2' })]]);
    const later = JSON.parse(await readFile(manifest, 'utf8'));
    // As it is noted before the first file takes its place.
    noted.files['a.csv'].next = later.files['a.csv'].digest;
    noted.files['b.csv'] = { digest: later.files['b.csv'].digest, next: later.files['b.csv'].digest };
    await writeFile(manifest, JSON.stringify(noted));
    await rm(join(folder, 'b.csv'));
    const { documents } = await write(options, [[host('c', { os: '3' })]]);
    expect(documents?.map(({ change }) => change)).toEqual(['deleted', 'created']);
    expect(await textsBelow(folder)).toEqual({ 'c.csv': 'os\n3\n' });
  });

  it('fails by name for hosts whose file would lie elsewhere', async () => {
    const folder = await temporaryFolder();
    const names = [
      '../x',
      '/etc/x',
      'a/../../x',
      '.hidden',
      'a//b',
      '',
      'a\nb',
      'ok/fine',
      'a\\b',
      `${'x'.repeat(300)}`,
    ];
    const hosts = names.map((file, at) => host(`h${at}`, { file }));
    const { failed } = await write({ shape: 'csv', path: join(folder, '{{ file }}') }, [hosts]);
    expect(Object.keys(failed)).toEqual(['h0', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'h8', 'h9']);
    expect(failed.h0).toBe('path makes "../x" of it, which is not the name of a file below the folder');
    expect(Object.keys(await textsBelow(folder))).toEqual(['ok/fine']);
  });

  it('keeps the file of a host that can no longer be written', async () => {
    const folder = await temporaryFolder();
    const options = { shape: 'hosts', path: join(folder, '{{ HOSTNAME }}'), address_field: 'ip' };
    await write(options, [[host('a', { ip: '192.0.2.1' }), host('b', { ip: '192.0.2.2' })]]);
    const { failed } = await write(options, [[host('a', { ip: 'gone' }), host('b', { ip: '192.0.2.3' })]]);
    expect(failed).toEqual({ a: 'ip is "gone", which is not an address' });
    expect(await textsBelow(folder)).toEqual({ a: '192.0.2.1\ta\n', b: '192.0.2.3\tb\n' });
  });

  it('keeps what it wrote of hosts of which not one can be written any more, as when a word is misspelt', async () => {
    const folder = await temporaryFolder();
    const hosts = [[host('a', { ip: '192.0.2.1', site: 'x' }), host('b', { ip: '192.0.2.2', site: 'y' })]];
    const wrong = { address_field: 'ipp' };
    const both = { shape: 'hosts', path: join(folder, 'hosts'), address_field: 'ip' };
    await write(both, hosts);
    expect(await write({ ...both, ...wrong }, hosts)).toMatchObject({
      documents: [],
      failed: { a: expect.stringMatching(/no address/), b: expect.any(String) },
    });
    expect(await textsBelow(folder)).toEqual({ hosts: '192.0.2.1\ta\n192.0.2.2\tb\n' });
    const trees = await temporaryFolder();
    const tree = { shape: 'ansible', layout: 'tree', path: join(trees, '{{ site }}'), address_field: 'ip' };
    await write(tree, hosts);
    const before = await textsBelow(trees);
    const { failed } = await write(tree, [[host('a', { ip: 'x', site: 'x' }), ...(hosts[0]?.slice(1) ?? [])]]);
    expect(failed).toEqual({ a: 'ip is "x", which is not an address' });
    expect(await textsBelow(trees)).toEqual(before);
  });

  it('takes nothing away while nobody knows which file a host would have', async () => {
    const folder = await temporaryFolder();
    const options = { shape: 'csv', path: join(folder, '{{ site }}.csv') };
    await write(options, [[host('a', { site: 'berlin' }), host('b', { site: 'paris' })]]);
    const { documents } = await write(options, [[host('a'), host('b', { site: 'rome' })]]);
    expect(documents).toEqual([{ name: join(folder, 'rome.csv'), change: 'created' }]);
    expect(Object.keys(await textsBelow(folder))).toEqual(['berlin.csv', 'paris.csv', 'rome.csv']);
    await write(options, [[host('b', { site: 'rome' })]]);
    expect(Object.keys(await textsBelow(folder))).toEqual(['rome.csv']);
  });

  it('fails by name for hosts whose file is the folder of another, and writes the others', async () => {
    const folder = await temporaryFolder();
    const hosts = ['a', 'a/b', 'c/d/e', 'c/d', 'ok'].map((file, at) => host(`h${at}`, { file }));
    const { failed } = await write({ shape: 'csv', path: join(folder, '{{ file }}') }, [hosts]);
    expect(failed).toEqual({
      h1: '"a/b" cannot be written, because "a" is of other hosts',
      h3: '"c/d" cannot be written, because "c/d" is of other hosts',
    });
    expect(Object.keys(await textsBelow(folder))).toEqual(['a', 'c/d/e', 'ok']);
    const tree = { shape: 'ansible', layout: 'tree', path: await temporaryFolder() };
    const long = `${'x'.repeat(60)}.`.repeat(4) + 'y'.repeat(8);
    expect(Object.keys((await write(tree, [[host('a', { os: 'x' }), host(long, { os: 'x' })]])).failed)).toEqual([
      long,
    ]);
  });

  it('fails as a whole where a note of its files is damaged, or nothing can be written', async () => {
    const folder = await temporaryFolder();
    const options = { shape: 'csv', path: join(folder, 'x.csv') };
    await write(options, [[host('a')]]);
    await writeFile(join(folder, '.muster-out.manifest'), '{"version":');
    await expect(write(options, [[host('b')]])).rejects.toThrow(/manifest is damaged.*adopt=true/);
    await rm(join(folder, '.muster-out.manifest'));
    if (process.getuid?.() === 0) return;
    await chmod(folder, 0o500);
    await expect(write(options, [[host('b')]])).rejects.toThrow(/permission denied/);
    await chmod(folder, 0o700);
  });

  it('says what it would write to', async () => {
    const folder = await temporaryFolder();
    const check = (path: string) =>
      target({ shape: 'csv', path: join(folder, path) }).check?.({ signal: new AbortController().signal });
    expect(await check('x.csv')).toMatch(/x\.csv does not exist yet and can be written/);
    await write({ shape: 'csv', path: join(folder, 'x.csv') }, [[host('a')]]);
    expect(await check('x.csv')).toMatch(/x\.csv has 19 bytes and can be replaced/);
    expect(await check('{{ site }}.csv')).toMatch(/: 1 file of this account/);
  });
});

describe('options of files', () => {
  it('are checked', () => {
    const fault = (options: object) =>
      filesOptions()
        .safeParse(options)
        .error?.issues.map(({ path, message }) => `${path} ${message}`);
    expect(fault({ path: 'x', shape: 'csv' })).toBeUndefined();
    expect(fault({ path: 'x', shape: 'xml' })?.[0]).toMatch(/^shape must be one of csv, json/);
    expect(fault({ path: 'x', shape: 'hosts' })).toEqual(['address_field is required with shape=hosts']);
    expect(
      fault({ path: 'x', shape: 'dns_zone', address_field: 'ip', ns: 'ns1.example.net', hostmaster: 'a@b' }),
    ).toEqual(['origin is required with shape=dns_zone']);
    expect(fault({ path: 'x', shape: 'dns_zone', origin: 'x\n$INCLUDE y' })?.[0]).toMatch(/^origin must be a name/);
    expect(() => target({ path: 'x', shape: 'template', template: '{{ x' })).toThrow(/^template does not compile/);
    expect(() => target({ path: '{{ x', shape: 'csv' })).toThrow(/^path does not compile/);
  });
});
