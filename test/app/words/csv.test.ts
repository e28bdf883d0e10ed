import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvLine } from '../../../src/app/words/csv.ts';

describe('lines of CSV', () => {
  it('make what a spreadsheet would run a text, and leave numbers as they are', () => {
    expect(csvLine(['=1+1', '@x', '+cmd', '-x', '\tx', '-5', '+49.5', '-1e9', '', 'a'])).toBe(
      "'=1+1,'@x,'+cmd,'-x,\"'\tx\",-5,+49.5,-1e9,,a\r\n",
    );
  });

  it('are read as they were written', () => {
    const cell = fc.string().filter((text) => !/^[=+\-@\t\r]/.test(text));
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
