import { crc32, deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { csvOptions } from '../../../src/plugins/csv/options.ts';
import { readColumns, readCsv } from '../../../src/plugins/csv/read.ts';
import { collect, failure, readContext, temporaryFile } from '../../kit/shared/temporary-file.ts';
import { sourceFiles } from '../../support/files.ts';

interface Part {
  readonly text: string | Buffer;
  /** What the directory says instead of the size. */
  readonly size?: number;
}

/** A ZIP archive of these parts. */
function zip(parts: Readonly<Record<string, Part | string>>): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, part] of Object.entries(parts)) {
    const { text, size } = typeof part === 'string' ? { text: part, size: undefined } : part;
    const data = Buffer.from(text);
    const packed = deflateRawSync(data);
    const head = Buffer.alloc(26);
    head.writeUInt16LE(20, 0);
    head.writeUInt16LE(8, 4);
    head.writeUInt32LE(crc32(data), 10);
    head.writeUInt32LE(packed.length, 14);
    head.writeUInt32LE(size ?? data.length, 18);
    head.writeUInt16LE(name.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(at, 10);
    directory.push(Buffer.from('PK\u0001\u0002\u0014\u0000', 'latin1'), head, place, Buffer.from(name));
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004', 'latin1'), head, Buffer.from(name), packed]);
    locals.push(local);
    at += local.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(Object.keys(parts).length, 6);
  end.writeUInt32LE(listed.length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...locals, listed, Buffer.from('PK\u0005\u0006', 'latin1'), end]);
}

const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

function relations(targets: Readonly<Record<string, [type: string, target: string]>>): string {
  const all = Object.entries(targets).map(
    ([id, [type, target]]) => `<Relationship Id="${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`,
  );
  return `<Relationships>${all.join('')}</Relationships>`;
}

/** A workbook whose first sheet has these rows of XML. */
function workbook(rows: string, more: Readonly<Record<string, Part | string>> = {}): Buffer {
  return zip({
    '_rels/.rels': relations({ r1: ['officeDocument', 'xl/workbook.xml'] }),
    'xl/workbook.xml':
      '<workbook xmlns:r="r"><sheets><sheet name="Hosts" r:id="a"/><sheet name="2nd" r:id="b"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': relations({
      a: ['worksheet', 'worksheets/sheet1.xml'],
      b: ['worksheet', '/xl/worksheets/sheet2.xml'],
      s: ['sharedStrings', 'sharedStrings.xml'],
      f: ['styles', 'styles.xml'],
    }),
    'xl/sharedStrings.xml':
      '<sst><si><t>host</t></si><si><r><t>we</t></r><r><t>b01</t></r><rPh><t>spoken</t></rPh></si></sst>',
    'xl/styles.xml':
      '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[$-407]dd/\\ mmm\\ yyyy;@"/><numFmt numFmtId="165" formatCode="0.00&quot;days&quot;"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="22"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>',
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
    'xl/worksheets/sheet2.xml':
      '<x:worksheet xmlns:x="x"><x:sheetData><x:row><x:c t="str"><x:v>host</x:v></x:c></x:row><x:row><x:c t="str"><x:v>other</x:v></x:c></x:row></x:sheetData></x:worksheet>',
    ...more,
  });
}

const text = (value: string, place = ''): string =>
  `<c t="inlineStr"${place === '' ? '' : ` r="${place}"`}><is><t>${value}</t></is></c>`;
const HEAD = `<row><c t="s"><v>0</v></c>${text('value')}</row>`;
const one = (cell: string): Buffer => workbook(`${HEAD}<row>${text('web01')}${cell}</row>`);

async function read(content: Buffer, options: Record<string, string> = {}) {
  const path = await temporaryFile(content);
  return collect(readCsv(csvOptions().parse({ path, ...options }), sourceFiles, readContext()));
}

async function faultOf(content: Buffer, options: Record<string, string> = {}) {
  const path = await temporaryFile(content);
  return failure(readCsv(csvOptions().parse({ path, ...options }), sourceFiles, readContext()));
}

describe('workbooks (.xlsx)', () => {
  it.each([
    ['a number as a person wrote it', '<c><v>0.30000000000000004</v></c>', '0.3'],
    ['a number of more digits than Excel has', '<c><v>12345678901234567</v></c>', '12345678901234567'],
    ['a long number', '<c><v>1.234567890123E+12</v></c>', '1234567890123'],
    ['a text with zeros in front', text('007'), '007'],
    ['a formula', '<c><f>1+2</f><v>3</v></c>', '3'],
    ['a text of a formula', '<c t="str"><f>A1</f><v>abc</v></c>', 'abc'],
    ['a truth', '<c t="b"><v>1</v></c>', 'TRUE'],
    ['an error', '<c t="e"><v>#N/A</v></c>', '#N/A'],
    ['a date', '<c s="1"><v>44319</v></c>', '2021-05-03'],
    ['a time of a day', '<c s="2"><v>44319.520833333336</v></c>', '2021-05-03T12:30:00'],
    ['a date in a format of its own', '<c s="3"><v>61</v></c>', '1900-03-01'],
    ['a number with a unit', '<c s="4"><v>30</v></c>', '30'],
    ['a sign that XML cannot hold', text('a_x000D_b &amp; c'), 'a\rb & c'],
    ['nothing', '<c s="1"/>', ''],
  ])('have %s', async (_, cell, value) => {
    expect(await read(one(cell))).toEqual([
      { kind: 'record', position: 'line 2', hostname: 'web01', labels: { value } },
    ]);
  });

  it('are read like other tables: titles, hidden and empty rows, comments, totals, cells beside the headings', async () => {
    const rows = `<row r="2">${text('Inventory of 2026')}</row><row r="4">${text('site')}<c t="s" r="C4"><v>0</v></c></row>
      <row r="5" hidden="1"><c t="s" r="C5"><v>1</v></c>${text('beside', 'F5')}</row><row r="6"/>
      <row r="7">${text('# gone')}${text('x', 'C7')}</row><row r="8">${text('Total: 1', 'C8')}</row>`;
    const path = await temporaryFile(workbook(rows));
    const options = csvOptions().parse({ path, comment_sign: '#' });
    const items = await collect(readCsv(options, sourceFiles, readContext()));
    expect(items).toMatchObject([
      { kind: 'record', position: 'line 5', hostname: 'web01', labels: { site: '' } },
      { kind: 'skipped', position: 'line 8' },
    ]);
    expect(await readColumns(options, sourceFiles, readContext())).toEqual(['site', 'host']);
  });

  it('have sheets by name or number', async () => {
    for (const sheet of ['2nd', '2'])
      expect(await read(one(''), { sheet })).toMatchObject([{ hostname: 'other', labels: {} }]);
    expect(await faultOf(one(''), { sheet: 'none' })).toContain('no sheet "none"; its sheets: "Hosts", "2nd"');
  });

  it('give numbers where numbers are asked for, whatever they look like', async () => {
    const cell = '<c><v>1.234</v></c>';
    expect(await read(one(cell), { number_format: '1.234,56' })).toMatchObject([{ labels: { value: 1.234 } }]);
    expect(await read(one(cell), { number_format: '1,234.56' })).toMatchObject([{ labels: { value: 1.234 } }]);
  });

  const damaged = Buffer.from(one(text('x'.repeat(500))));
  damaged.writeUInt8(damaged.readUInt8(60) ^ 0xff, 60);
  const bomb = { text: Buffer.alloc(20 * 1024 * 1024, 'a') };

  it.each([
    ['cut off', one('').subarray(0, 700), 'cut off or damaged'],
    ['with a byte changed', damaged, 'cut off or damaged'],
    ['with a size that is not true', one(text('x')), 'cut off or damaged', { size: 10 }],
    ['of another kind', zip({ 'a.txt': 'text' }), 'no workbook'],
    ['with a formula never computed', one('<c><f>1+2</f><v></v></c>'), 'a formula without a value in line 2'],
    ['with a text that is missing', one('<c t="s"><v>99</v></c>'), 'a text of line 2 is missing'],
    ['with too many columns', one(text('x', 'ZZZZ2')), '16,384 columns'],
    ['with too many rows', workbook('<row r="2000000"/>'), '1,048,576 rows'],
    ['that fills memory', workbook(HEAD, { 'xl/sharedStrings.xml': bomb }), '200 times its size'],
    ['that says it is huge', workbook(HEAD, { 'xl/sharedStrings.xml': { text: 'x', size: 3e8 } }), '256 MiB'],
    [
      'with entities',
      workbook(HEAD, { 'xl/sharedStrings.xml': '<!DOCTYPE a [<!ENTITY b "c">]><sst/>' }),
      'cannot be read',
    ],
    ['that is no XML', workbook('<row>'), 'cannot be read'],
  ])('are refused %s', async (_, content, said, part?: { size: number }) => {
    const bytes =
      part === undefined ? content : workbook(HEAD, { 'xl/sharedStrings.xml': { text: '<sst></sst>', ...part } });
    expect(await faultOf(bytes)).toContain(said);
  });

  it('of the old format, or with a password, are told', async () => {
    const fault = await faultOf(Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1]));
    expect(fault).toContain('save it as .xlsx without a password');
  });
});
