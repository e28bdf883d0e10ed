import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CsvTokenizer } from '../../../src/plugins/csv/tokenizer.ts';

function tokenize(text: string, cuts: readonly number[], delimiter = ','): string[][] | 'open' {
  const tokenizer = new CsvTokenizer({ delimiter: delimiter, quote: '"' }, 1_000_000);
  const points = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b);
  const rows: string[][] = [];
  let from = 0;
  for (const to of [...points, text.length]) {
    rows.push(...tokenizer.push(text.slice(from, to)).map(({ cells }) => [...cells]));
    from = to;
  }
  const last = tokenizer.end();
  if (last === 'open') return 'open';
  if (last !== undefined) rows.push([...last.cells]);
  return rows;
}

const cuts = fc.array(fc.nat(), { maxLength: 6 });
const cell = fc.string({ unit: fc.constantFrom('a', 'é', '🖥', ' ', ',', '"', '\n', '\r\n', ';'), maxLength: 6 });
const table = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { maxLength: 6 });

function quoted(value: string): string {
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

describe('CSV tokenizer', () => {
  it('reads back what was written, wherever the chunks are cut', () => {
    fc.assert(
      fc.property(table, cuts, fc.constantFrom('\n', '\r\n'), fc.boolean(), (rows, at, lineEnd, ends) => {
        const text = rows.map((row) => row.map(quoted).join(',')).join(lineEnd);
        fc.pre(rows.length > 0 && (rows.at(-1) ?? []).join('') !== '');
        expect(tokenize(ends ? text + lineEnd : text, at)).toEqual(rows);
      }),
      { numRuns: 2_000 },
    );
  });

  it('agrees with csv-parse', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', ',', ',', '"', '\n', '\r\n', ' '), maxLength: 40 });
    fc.assert(
      fc.property(text, cuts, (csv, at) => {
        let expected: string[][];
        try {
          expected = parse(csv, { record_delimiter: ['\r\n', '\n'], relax_column_count: true });
        } catch {
          return; // Text that is no strict CSV: we read more of it than csv-parse does.
        }
        expect(tokenize(csv, at)).toEqual(expected);
      }),
      { numRuns: 3_000 },
    );
  });

  it.each([
    ['19" rack,b\n', [['19" rack', 'b']]],
    ['"a"b,c\n', [['ab', 'c']]],
    ['"a" ,c\n', [['a ', 'c']]],
    ['"",""\n', [['', '']]],
    ['a,b\n"c"', [['a', 'b'], ['c']]],
    ['"a', 'open'],
    ['a,"b\nc', 'open'],
  ])('reads %j', (text, rows) => {
    expect(tokenize(text, [])).toEqual(rows);
    expect(
      tokenize(
        text,
        [...text].map((_, i) => i),
      ),
    ).toEqual(rows);
  });

  it('counts lines, also inside of values', () => {
    const tokenizer = new CsvTokenizer({ delimiter: ',', quote: '"' }, 1_000_000);
    expect(tokenizer.push('a\n"b\n\nb",1\n\n"c\r\n",2\r\nd\n').map(({ line }) => line)).toEqual([1, 2, 5, 6, 8]);
    expect(tokenizer.line).toBe(9);
  });
});
