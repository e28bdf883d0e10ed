import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { textOf } from '../../src/kit/worded.ts';
import { csvOptions } from '../../src/plugins/csv/options.ts';
import { readColumns, readCsv } from '../../src/plugins/csv/read.ts';
import { sourceFiles } from '../support/files.ts';

const CONTEXT = { signal: new AbortController().signal, progress: () => undefined };

async function file(content: string): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'muster-table-')), 'table.csv');
  await writeFile(path, content);
  return path;
}

/** Names with labels; of what is skipped the reason. */
async function read(content: string, options: Readonly<Record<string, unknown>> = {}): Promise<unknown[]> {
  const parsed = csvOptions().parse({ path: await file(content), ...options });
  const items: unknown[] = [];
  for await (const batch of readCsv(parsed, sourceFiles, CONTEXT)) {
    for (const item of batch) {
      if (item.kind === 'record') items.push([item.hostname, item.labels]);
      else if (item.kind === 'skipped') items.push([item.hostname, 'skipped']);
    }
  }
  return items;
}

/** The gaps of a table, or why it cannot be read. */
async function missing(content: string, options: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const parsed = csvOptions().parse({ path: await file(content), ...options });
  const gaps: string[] = [];
  try {
    for await (const batch of readCsv(parsed, sourceFiles, CONTEXT))
      for (const item of batch) if (item.kind === 'gap') gaps.push(textOf(item.reason));
  } catch (error) {
    return String(error);
  }
  return gaps.join('; ');
}

describe('a table that ends too early', () => {
  it.each([
    ['host,os\nw1,a\nERROR: connection to server lost\n', {}, /line 3, has 1 of 2 values/],
    ['host,os,n\nw1,a,1\n\nw2,b\n\n', {}, /line 4, has 2 of 3 values/],
    ['<!DOCTYPE html><html><title>Login</title></html>\n', {}, /is a web page/],
    ['{"host":"w1"}\n', {}, /looks like JSON; use an account of type json/],
    ['[\n{"host":"w1"}]\n', {}, /looks like JSON/],
  ])('%j says so', async (content, options, said) => expect(await missing(content, options)).toMatch(said));

  it.each([
    ['host,os\nw1\nw2,b\n', {}],
    ['host,os,n\nw1,a,1\nTotal,1\n(1 row)\n', {}],
    ['host,os\nw1,a\nExported by x\n', { comment_sign: 'Exported' }],
  ])('is not %j', async (content, options) => expect(await missing(content, options)).toBe(''));
});

describe('a table', () => {
  it.each<[string, string, Readonly<Record<string, unknown>>, unknown]>([
    [
      'of Export-Csv with its type',
      '#TYPE Selected.Microsoft.ActiveDirectory.Management.ADComputer\r\n"Name","OS"\r\n"WEB01","Windows"\r\n',
      { hostname_field: 'Name' },
      [['WEB01', { OS: 'Windows' }]],
    ],
    [
      'with titles before its headings',
      'Server list;;\n;;\nAs of;May;\nhost;site;n\nweb01;fra;1\n',
      {},
      [['web01', { site: 'fra', n: '1' }]],
    ],
    [
      'whose headings the account names',
      'host;old\nx;y\nhost;site\nweb01;fra\n',
      { header_line: 3 },
      [['web01', { site: 'fra' }]],
    ],
    [
      'with a comment',
      'host,os\nweb01,a\n# web99,b\nweb02,c\n',
      {},
      [
        ['web01', { os: 'a' }],
        ['# web99', 'skipped'],
        ['web02', { os: 'c' }],
      ],
    ],
    [
      'whose headings were copied from a page, and whose texts are formulas for spreadsheets',
      'h\u200bost;serial\n=("w1");=T("007")\n=A1&"x";1\nw2;2\n',
      {},
      [
        ['w1', { serial: '007' }],
        ['=A1&"x"', 'skipped'],
        ['w2', { serial: '2' }],
      ],
    ],
    ['with the end that DOS wrote', 'host,os\nw1,a\n\x1a', {}, [['w1', { os: 'a' }]]],
    ['with comments of the account', 'host,os\n// x\nweb01,a\n', { comment_sign: '//' }, [['web01', { os: 'a' }]]],
    [
      'with blanks before quotes',
      'host, site, comment\nweb01, berlin, "rack 4, left"\nweb02, "paris", ok\n',
      {},
      [
        ['web01', { site: 'berlin', comment: 'rack 4, left' }],
        ['web02', { site: 'paris', comment: 'ok' }],
      ],
    ],
    [
      'with texts that a spreadsheet keeps',
      'host;serial\r\n"w6";"=""007"""\r\n="w7";b\r\n="a;b";c\r\n',
      {},
      [
        ['w6', { serial: '007' }],
        ['w7', { serial: 'b' }],
        ['a;b', { serial: 'c' }],
      ],
    ],
    [
      'with its headings on each page',
      'host,os\nw1,a\nhost,os\n----,----\nw2,b\n',
      {},
      [
        ['w1', { os: 'a' }],
        ['w2', { os: 'b' }],
      ],
    ],
    [
      'with totals',
      'host;n\nw1;1\nSumme;1\nAnzahl Server: 4;\nTotal;5\n',
      {},
      [
        ['w1', { n: '1' }],
        ['Summe', 'skipped'],
        ['Anzahl Server: 4', 'skipped'],
        ['Total', 'skipped'],
      ],
    ],
    [
      'with averages, and hosts whose names begin so',
      'host;n\nsum1;1\ntotal-db;2\nMittelwert;1\nAverage: 2;\n',
      {},
      [
        ['sum1', { n: '1' }],
        ['total-db', { n: '2' }],
        ['Mittelwert', 'skipped'],
        ['Average: 2', 'skipped'],
      ],
    ],
    [
      'with comments of other kinds',
      'host,os\n;web8,z\n--web6,r\nREM x,y\n// web7,q\nremote1,a\n',
      {},
      [
        [';web8', 'skipped'],
        ['--web6', 'skipped'],
        ['REM x', 'skipped'],
        ['// web7', 'skipped'],
        ['remote1', { os: 'a' }],
      ],
    ],
    [
      'that psql shows',
      ' host  |   os   | site \n-------+--------+------\n web01 | debian | fra\n web02 |        | ber \n(2 rows)\n\n',
      {},
      [
        ['web01', { os: 'debian', site: 'fra' }],
        ['web02', { os: '', site: 'ber' }],
      ],
    ],
    [
      'that MySQL shows',
      '+-------+--------+\n| host  | os     |\n+-------+--------+\n| web01 | debian |\n+-------+--------+\n1 row in set (0.00 sec)\n',
      {},
      [['web01', { os: 'debian' }]],
    ],
    ['of sqlcmd', 'host,os\n----,--\nweb01,debian\n\n(1 rows affected)\n', {}, [['web01', { os: 'debian' }]]],
    [
      'with hosts called total and sum1',
      'host,n\nsum1,0\ntotal,1\ntotal.example.org,2\n',
      { totals: 'keep' },
      [
        ['sum1', { n: '0' }],
        ['total', { n: '1' }],
        ['total.example.org', { n: '2' }],
      ],
    ],
    ['of two signs', 'host||os\nw1||a|b\n', { delimiter: '||' }, [['w1', { os: 'a|b' }]]],
    ['with backslashes', 'host,os\n"w1","a \\"b\\", c"\n', { escape: 'backslash' }, [['w1', { os: 'a "b", c' }]]],
    [
      'with single quotes',
      "host,os\n'w1','a, b'\nw2,19\"\n",
      { quote: 'single' },
      [
        ['w1', { os: 'a, b' }],
        ['w2', { os: '19"' }],
      ],
    ],
    [
      'with numbers and dates of a country',
      'host;ram;since;no;seen\nw1;1.024,50;03.05.2021;007;1.2.2021 08:30\nw2;12;31.02.2021;1,5;\n',
      { number_format: '1.234,56', date_format: 'DD.MM.YYYY' },
      [
        ['w1', { ram: 1024.5, since: '2021-05-03', no: '007', seen: '2021-02-01 08:30' }],
        ['w2', { ram: 12, since: '31.02.2021', no: 1.5, seen: '' }],
      ],
    ],
    [
      'with those of another',
      'host;ram;since\nw1;1,024;05/03/2021\n',
      { number_format: '1,234.56', date_format: 'MM/DD/YYYY' },
      [['w1', { ram: 1024, since: '2021-05-03' }]],
    ],
  ])('%s is read', async (_, content, options, items) => expect(await read(content, options)).toEqual(items));

  it('names its columns wherever they stand', async () => {
    const options = csvOptions().parse({ path: await file('Servers\n\nhost;site\nw1;fra\n') });
    expect(await readColumns(options, sourceFiles, CONTEXT)).toEqual(['host', 'site']);
  });
});
