import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvLine } from '../../../src/kit/words/csv.ts';

describe('lines of CSV', () => {
  it('make what a spreadsheet would run a text, and leave numbers as they are', () => {
    expect(csvLine(['=1+1', '@x', '+cmd', '-x', '\tx', '-5', '+49.5', '-1e9', '', 'a'])).toBe(
      "'=1+1,'@x,'+cmd,'-x,\"'\tx\",-5,+49.5,-1e9,,a\r\n",
    );
  });

  it('make texts of wide signs, of what is passed over before a sign, and of what is split at semicolons', () => {
    const given = [
      '＝1+1',
      '＠SUM(1)',
      '\n=1',
      '\0=1',
      ' =1',
      '\u200b=1',
      '1;=2+2',
      'a;\t+1',
      'x\r\n=1',
      '\ufeffa',
      'a;b',
      '-1;5',
    ];
    const [read = []]: string[][] = parse(csvLine(given), { record_delimiter: '\r\n' });
    for (const cell of read.slice(0, 9)) expect(cell).toMatch(/(?:^|[;\t\n])'/);
    expect(read.slice(9)).toEqual(["'\ufeffa", 'a;b', "'-1;5"]);
    for (const cell of read) expect(cell).not.toMatch(/(?:^|[;\t\r\n])[\s\p{Cc}\p{Cf}]*[=+@＝＋－＠]/u);
  });

  it('are read as they were written', () => {
    const cell = fc.string().filter((text) => !/[=+\-@]|^\p{Cc}/u.test(text));
    fc.assert(
      fc.property(
        fc.array(fc.oneof(cell, fc.constantFrom('"', 'a\r\nb', ' a', ';', 'x,y')), { minLength: 2 }),
        (cells) => {
          expect(parse(csvLine(cells), { record_delimiter: '\r\n' })).toEqual([cells]);
        },
      ),
    );
  });
});
