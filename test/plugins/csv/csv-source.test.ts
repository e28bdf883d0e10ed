import { execFileSync } from 'node:child_process';
import { appendFile, chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { csvOptions } from '../../../src/plugins/csv/options.ts';
import { readColumns, readCsv } from '../../../src/plugins/csv/read.ts';
import type { Source } from '../../../src/ports/index.ts';
import { describeSourceContract } from '../../../src/testing/source.contract.ts';
import { collect, failure, readContext, temporaryFile, temporaryFolder } from '../../kit/shared/temporary-file.ts';
import { sourceFiles } from '../../support/files.ts';

async function read(content: string | Uint8Array, options: Record<string, string> = {}) {
  return collect(
    readCsv(csvOptions().parse({ path: await temporaryFile(content), ...options }), sourceFiles, readContext()),
  );
}

async function faultOf(content: string | Uint8Array, options: Record<string, string> = {}) {
  return failure(
    readCsv(csvOptions().parse({ path: await temporaryFile(content), ...options }), sourceFiles, readContext()),
  );
}

const record = (position: string, hostname: string, labels: Record<string, string>) => ({
  kind: 'record',
  position,
  hostname,
  labels,
});

async function source(content: string, given: Record<string, string> = {}): Promise<Source> {
  const options = csvOptions().parse({ path: await temporaryFile(content), ...given });
  return {
    read: (context) => readCsv(options, sourceFiles, context),
    columns: (context) => readColumns(options, sourceFiles, context),
  };
}

describeSourceContract('csv', {
  healthy: async () => ({
    source: await source('host,site,serial\nweb01,berlin,J1\nweb02,paris,J2\n,rome,J3\n', { key_fields: 'serial' }),
    hostname: 'web01',
    keys: { hostname: 'web02', values: { serial: ['J2'] } },
    nameless: { serial: ['J3'] },
  }),
  broken: () => source('host,site\nweb01,berlin\nweb02,"par'),
});

describe('csv source', () => {
  it('says which values it leaves out because their column has no heading', async () => {
    const items = await read('host,,site,\na,1,fra,\nb,,fra, \n');
    const warnings = [{ text: 'column 2 has no heading; what it holds is left out' }];
    expect(items).toMatchObject([{ hostname: 'a', labels: { site: 'fra' }, warnings }, { hostname: 'b' }]);
    expect(items[1]).not.toHaveProperty('warnings');
  });

  it('reads real hosts; the hostname column is no label', async () => {
    const path = new URL('../../../src/plugins/csv/fixtures/nodes.csv', import.meta.url).pathname;
    const items = await collect(readCsv(csvOptions().parse({ path }), sourceFiles, readContext()));
    expect(items).toHaveLength(20);
    expect(items[2]).toEqual(
      record('line 4', 'mw2259.codfw.wmnet', {
        site: 'codfw',
        cluster: 'jobrunner',
        clusters: 'jobrunner,videoscaler',
        services: 'apache2,nginx',
      }),
    );
  });

  it.each([
    ['host,site\na,b\n', ['host', 'site']],
    ['device;"rack; row"\nweb01;r7', ['device', 'rack; row']],
    ['sep=|\ndevice|rack\n', ['device', 'rack']],
    ['\ufeffdevice, rack ,\nweb01,r7\n', ['device', 'rack']],
    ['host,site', ['host', 'site']],
  ])('says the headings of %j, whichever has the hostname', async (content, columns) => {
    const options = csvOptions().parse({ path: await temporaryFile(content) });
    expect(await readColumns(options, sourceFiles, readContext())).toEqual(columns);
  });

  it('keeps values as text, empty ones too', async () => {
    expect(await read('host,n,e\na,007,\nb, x ,"say ""hi"""')).toEqual([
      record('line 2', 'a', { n: '007', e: '' }),
      record('line 3', 'b', { n: ' x ', e: 'say "hi"' }),
    ]);
  });

  it('gives the keys that its columns have, and refuses columns that are not there', async () => {
    expect(await read('host,serial,mac\na,J1,x\nb,, ', { key_fields: 'serial, uuid:mac' })).toEqual([
      { ...record('line 2', 'a', { serial: 'J1', mac: 'x' }), keys: { serial: ['J1'], uuid: ['x'] } },
      record('line 3', 'b', { serial: '', mac: ' ' }),
    ]);
    expect(await faultOf('host,a\nx,1\n', { key_fields: 'serial' })).toMatch(
      /no column "serial", which key_fields names/,
    );
    expect(csvOptions().safeParse({ path: 'x', key_fields: '9:a' }).success).toBe(false);
  });

  it('takes the first column of several that has a name; all of them stay labels', async () => {
    const content = 'name,fqdn,x\nweb1,web1.example.org,1\nweb2, ,2\n,,3\n';
    expect(await read(content, { hostname_field: 'fqdn, name' })).toEqual([
      record('line 2', 'web1.example.org', { name: 'web1', fqdn: 'web1.example.org', x: '1' }),
      { ...record('line 3', 'web2', { name: 'web2', fqdn: ' ', x: '2' }), laterName: true },
      {
        kind: 'skipped',
        position: 'line 4',
        reason: expect.objectContaining({ text: 'has no name: the columns "fqdn", "name" are empty' }),
      },
    ]);
    expect(await read(content.replaceAll(',', ';'), { hostname_field: 'fqdn,name' })).toHaveLength(3);
    expect(await faultOf(content, { hostname_field: 'fqdn,host' })).toMatch(
      /has no column "host"; its columns: "name"/,
    );
  });

  it('knows a column with a comma in its name', async () => {
    const options = { hostname_field: 'name, short' };
    const expected = [record('line 2', 'web1', { x: '1' })];
    expect(await read('"name, short",x\nweb1,1\n', options)).toEqual(expected);
    expect(await read('name, short;x\nweb1;1\n', options)).toEqual(expected);
  });

  it('leaves rows out that do not meet the filter, whether they have a name or not', async () => {
    const content = 'host,status,n\na,active,1\nb,offline,2\n,offline,3\nc, active ,4\nd,active\n,active,5\n';
    const items = await read(content, { record_filter: 'status=active,n!=9' });
    expect(items.map((item) => ('position' in item ? `${item.kind} ${item.position}` : item))).toEqual([
      'record line 2',
      'record line 5',
      'skipped line 6',
      'skipped line 7',
      { kind: 'left_out', count: 2, reason: 'left out by record_filter' },
    ]);
    expect(await faultOf(content, { record_filter: 'state=active' })).toMatch(
      /has no column "state", which record_filter names; its columns: "host", "status", "n"/,
    );
    expect(await read(content, { record_filter: 'host~^a$' })).toHaveLength(3);
    expect(csvOptions().safeParse({ path: 'x', record_filter: 'status' }).error?.issues[0]?.message).toMatch(
      /cannot be read at "status": a field and =, !=, ~ or !~ are expected/,
    );
  });

  it('reads nothing with a pattern that does not compile', async () => {
    const path = '/nonexistent/hosts.csv';
    const reading = readCsv(csvOptions().parse({ path, record_filter: 'a~(' }), sourceFiles, readContext());
    expect(await failure(reading)).toMatch(/^record_filter has a pattern that does not compile/);
  });

  it('makes no labels of empty cells where the account says so', async () => {
    const content = 'host,n,e\na,,\nb, ,x\n';
    expect(await read(content, { empty_cells: 'skip' })).toEqual([
      record('line 2', 'a', {}),
      record('line 3', 'b', { n: ' ', e: 'x' }),
    ]);
    expect(await read(content, { empty_cells: 'keep' })).toEqual(await read(content));
  });

  it.each([
    ['host;a,b;c\nx;1;2\n', { 'a,b': '1', c: '2' }],
    ['host\ta\nx\t1\n', { a: '1' }],
    ['a|host\n1|x\n', { a: '1' }],
    ['"a,b,c";host\n1;x\n', { 'a,b,c': '1' }],
    ['sep=;\nhost;a\nx;1\n', { a: '1' }],
    ['host\nx\n', {}],
  ])('guesses the delimiter of %j', async (content, labels) => {
    expect(await read(content)).toMatchObject([{ hostname: 'x', labels }]);
  });

  it('takes the delimiter of the account', async () => {
    expect(await read('host:a,b\nx:1\n', { delimiter: ':' })).toMatchObject([{ labels: { 'a,b': '1' } }]);
    expect(await read('host\ta\nx\t1\n', { delimiter: 'tab' })).toMatchObject([{ labels: { a: '1' } }]);
    expect(csvOptions().safeParse({ path: 'x', delimiter: '"' }).success).toBe(false);
    expect(csvOptions().safeParse({ path: 'x', delimiter: ',,,,' }).success).toBe(false);
    expect(csvOptions().safeParse({ path: 'x', delimiter: 'constructor' }).success).toBe(false);
  });

  it('keeps a column called __proto__', async () => {
    const [item] = await read('host,__proto__,constructor\nx,1,2\n');
    expect(JSON.stringify(item)).toContain('"__proto__":"1","constructor":"2"');
  });

  it('reads a byte order mark, mixed line ends, blank lines and values over several lines', async () => {
    const items = await read('\ufeffhost,note\r\na,"one\ntwo"\n\r\nb,x\r\n\n c ,y');
    expect(items).toEqual([
      record('line 2', 'a', { note: 'one\ntwo' }),
      record('line 5', 'b', { note: 'x' }),
      record('line 7', 'c', { note: 'y' }),
    ]);
  });

  it('skips nameless rows and rows of another width by line, with their reason', async () => {
    const items = await read('host,a,b\n ,1,2\nx,1\ny,1,2,3\nz,1,2,,\n');
    expect(items).toEqual([
      {
        kind: 'skipped',
        position: 'line 2',
        reason: expect.objectContaining({ text: 'has no name: column "host" is empty' }),
      },
      {
        kind: 'skipped',
        position: 'line 3',
        hostname: 'x',
        reason: expect.objectContaining({ text: 'has 2 values where the header has 3 columns' }),
      },
      {
        kind: 'skipped',
        position: 'line 4',
        hostname: 'y',
        reason: expect.objectContaining({ text: 'has 4 values where the header has 3 columns' }),
      },
      record('line 5', 'z', { a: '1', b: '2' }),
    ]);
    const [short] = await read('host,a,b\n,J1\nx,J2,3\n', { key_fields: 'serial:a' });
    expect(short).toMatchObject({ kind: 'skipped', keys: { serial: ['J1'] } });
  });

  it('reads other encodings', async () => {
    const text = 'host,ort\nx,Köln – 東京\n';
    for (const encoding of ['utf-16le', 'UTF-16', 'utf_8', 'utf-8-sig', 'gb18030']) {
      const bytes = iconv.encode(
        text,
        encoding.startsWith('utf_8') || encoding.startsWith('utf-8') ? 'utf8' : encoding,
      );
      expect(await read(bytes, { encoding }), encoding).toMatchObject([{ labels: { ort: 'Köln – 東京' } }]);
    }
    expect(await read(iconv.encode('host,ort\nx,Köln\n', 'latin1'), { encoding: 'latin-1' })).toMatchObject([
      { labels: { ort: 'Köln' } },
    ]);
  });

  it('reads characters that lie across chunks', async () => {
    const rows = Array.from({ length: 40_000 }, (_, i) => `h${i},äöü東京🖥${'x'.repeat(i % 7)}`);
    const items = await read(`host,v\n${rows.join('\n')}\n`);
    expect(items.map((item) => (item.kind === 'record' ? `${item.hostname},${item.labels.v}` : ''))).toEqual(rows);
  });

  it('fails for bytes of another encoding, naming the line', async () => {
    const lines = Array.from({ length: 30_000 }, (_, i) => `h${i},abcdefgh`).join('\n');
    const bytes = Buffer.concat([Buffer.from(`host,v\n${lines}\nx,K`), Buffer.from([0xf6]), Buffer.from('ln\n')]);
    expect(await faultOf(bytes)).toMatch(/is not UTF-8: line 30002 /);
    expect(await faultOf(Buffer.concat([Buffer.from('host,v\nx,'), Buffer.from([0xe2, 0x82])]))).toMatch(
      /not UTF-8: line 2/,
    );
    expect(await faultOf(Buffer.from('host,v\nx,\x81\n', 'latin1'), { encoding: 'cp1252' })).toMatch(
      /not cp1252: line 2/,
    );
    expect(csvOptions().safeParse({ path: 'x', encoding: 'klingon' }).success).toBe(false);
    expect(await faultOf(iconv.encode('host\nx\n', 'utf-16le', { addBOM: true }))).toMatch(/set encoding to utf-16le/);
  });

  it.each([
    ['an open quote', 'host,a\nx,1\ny,"never', /truncated: a quoted value of the row in line 3/],
    ['an open quote in the first row', 'host,a\nx,"1\ny,2\n', /truncated: a quoted value of the row in line 2/],
    ['a last row that stops', 'host,a,b\nx,1,2\ny,1', /truncated: the last row, line 3, has 2 of 3 values/],
    ['no hostname column', 'name,site\nx,y\n', /no column "host"; its columns: "name", "site"/],
    ['a heading twice', 'host,a,a\nx,1,2\n', /several columns called "a"/],
    ['only blank lines', '\n\n', /empty/],
    ['CR line ends', 'host,a\rx,1\ry,2\r', /CR alone/],
    ['no bytes', '', /is empty/],
    ['NUL bytes', 'host,a\nx,\u0000\n', /binary/],
  ])('fails for %s', async (_, content, message) => {
    expect(await faultOf(content)).toMatch(message);
  });

  it('fails for a cut in a real file at nearly every place', async () => {
    const whole = await readFile(new URL('../../../sample/wikimedia-nodes.csv', import.meta.url), 'utf8');
    const cut = whole.slice(0, whole.indexOf('"apache2,nginx"') + 9);
    expect(await faultOf(cut)).toMatch(/truncated/);
  });

  it('accepts a last line without line end', async () => {
    expect(await read('host,a\nx,1')).toHaveLength(1);
  });

  it('gives no record for a header alone', async () => {
    expect(await read('host,a\n')).toEqual([]);
  });

  it('names packed files and spreadsheets', async () => {
    expect(await faultOf(gzipSync('host\nx\n'))).toMatch(/gzip/);
    expect(await faultOf(Buffer.from('504b030414000600', 'hex'))).toMatch(/cut off or damaged/);
    expect(await faultOf(Buffer.from([1, 2, 0, 4]))).toMatch(/binary/);
  });

  it('names what is no file', async () => {
    const folder = await temporaryFolder();
    const faultAt = (path: string) => failure(readCsv(csvOptions().parse({ path }), sourceFiles, readContext()));
    expect(await faultAt(join(folder, 'absent.csv'))).toMatch(/absent\.csv does not exist/);
    expect(await faultAt(folder)).toMatch(/has no files to read/);
    execFileSync('mkfifo', [join(folder, 'fifo')]);
    expect(await faultAt(join(folder, 'fifo'))).toMatch(/not a regular file/);
    expect(await faultAt('/dev/null')).toMatch(/not a regular file/);
    if (process.getuid?.() === 0) return;
    const path = await temporaryFile('host\nx\n');
    await chmod(path, 0);
    expect(await faultAt(path)).toMatch(/permission denied/);
  });

  it('fails when the file changes while it is read', async () => {
    const path = await temporaryFile(`host,a\n${'x,1\n'.repeat(100_000)}`);
    let changed: Promise<void> | undefined;
    const context = readContext(() => {
      changed ??= appendFile(path, 'y,2\n');
    });
    expect(await failure(readCsv(csvOptions().parse({ path }), sourceFiles, context))).toMatch(
      /changed while it was being read/,
    );
    await changed;
  });

  it('fails instead of holding a row without end', async () => {
    expect(await faultOf(`host,a\nx,"${'y'.repeat(9_000_000)}`)).toMatch(/row of more than 8 MiB in line 2/);
  });

  it('tells its progress in bytes and stops when called off', async () => {
    const content = `host,a\n${'x,1\n'.repeat(100_000)}`;
    const path = await temporaryFile(content);
    const steps: [number, number | undefined][] = [];
    await collect(
      readCsv(
        csvOptions().parse({ path }),
        sourceFiles,
        readContext((done, total) => steps.push([done, total])),
      ),
    );
    expect(steps.length).toBeGreaterThan(1);
    expect(steps.at(-1)).toEqual([content.length, content.length]);
    const abort = new AbortController();
    const context = { signal: abort.signal, progress: () => abort.abort() };
    await expect(collect(readCsv(csvOptions().parse({ path }), sourceFiles, context))).rejects.toThrow();
  });
});
