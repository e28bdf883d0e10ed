import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DocumentFault, DocumentScanner } from '../../../src/kit/json/document-scanner.ts';
import { isExactNumber } from '../../../src/kit/json/exact-number.ts';
import { parseExact } from '../../../src/kit/json/exact-numbers.ts';

function elements(text: string, target: string, cuts: readonly number[]): unknown[] {
  const found: unknown[] = [];
  const scanner = new DocumentScanner({
    enter(path, kind) {
      if (path.join('.') === target && kind === 'list') return 'elements';
      return kind === 'object' && path.length < 2 ? 'descend' : 'skip';
    },
    element: (json, inexact) => found.push(parseExact(json, inexact)),
  });
  const points = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b);
  let from = 0;
  for (const to of [...points, text.length]) {
    scanner.push(text.slice(from, to));
    from = to;
  }
  scanner.end();
  return found;
}

const cuts = fc.array(fc.nat(), { maxLength: 8 });
const value = fc.jsonValue({ maxDepth: 3, noUnicodeString: false });
const spaces = fc.constantFrom(undefined, 1, '\t');

describe('JSON document scanner', () => {
  it('finds the elements that JSON.parse finds, wherever the chunks are cut', () => {
    fc.assert(
      fc.property(fc.array(value), value, value, spaces, cuts, (list, before, after, indent, at) => {
        const text = JSON.stringify({ before, data: { hosts: list, x: after }, after }, null, indent);
        expect(elements(text, 'data.hosts', at)).toEqual(JSON.parse(text).data.hosts);
        const bare = JSON.stringify(list, null, indent);
        expect(elements(bare, '', at)).toEqual(JSON.parse(bare));
      }),
      { numRuns: 1_000 },
    );
  });

  it('refuses every document that ends too early', () => {
    fc.assert(
      fc.property(fc.array(value, { minLength: 1 }), fc.nat(), cuts, (list, end, at) => {
        const text = JSON.stringify({ hosts: list });
        const cut = text.slice(0, end % text.length);
        expect(() => elements(cut, 'hosts', at)).toThrow();
      }),
    );
  });

  it('keeps the digits of numbers that a double would change, wherever the chunks are cut', () => {
    const number = fc.constantFrom('12345678901234567890', '-9007199254740993', '1e400', '0.1', '1e3', '-0');
    fc.assert(
      fc.property(fc.array(fc.tuple(number, value)), cuts, (pairs, at) => {
        const text = `[${pairs.map(([digits, other]) => `{"n":${digits},"x":[${JSON.stringify(other)},${digits}]}`)}]`;
        const kept = (digits: string) => (isExactNumber(digits) ? JSON.parse(digits) : digits);
        const expected = pairs.map(([digits, other]) => ({
          n: kept(digits),
          x: [JSON.parse(JSON.stringify(other)), kept(digits)],
        }));
        expect(elements(text, '', at)).toEqual(expected);
      }),
    );
  });

  it('lets go of a skipped value as it passes, also of a long text in it', () => {
    const scanner = new DocumentScanner({ enter: () => 'skip', element: () => undefined });
    scanner.push('{"a":"');
    for (let megabytes = 0; megabytes < 20; megabytes++) scanner.push('xy\\\\'.repeat(250_000));
    scanner.push('\\""}');
    scanner.end();
  });

  it('says what is wrong with the end', () => {
    const faults = [
      ['', 'content', 'contains no JSON in line 1'],
      [' \n', 'content', 'contains no JSON in line 2'],
      ['[1] [2]', 'second', 'contains more than one JSON document in line 1'],
      ['[1]\n"open', 'second', 'contains more than one JSON document in line 2'],
      ['[1]\nx', 'second', 'contains more than one JSON document in line 2'],
      ['[1', 'cut', 'is truncated: the JSON document ends unexpectedly in line 1'],
      ['{"a":\n{"b":', 'cut', 'is truncated: the JSON document ends unexpectedly in line 2'],
      ['"open', 'cut', 'is truncated: the JSON document ends unexpectedly in line 1'],
    ] as const;
    for (const [text, kind, message] of faults) {
      expect(() => elements(text, '', [])).toThrow(expect.objectContaining({ name: 'DocumentFault', kind, message }));
    }
  });

  it('refuses what is not JSON outside of skipped values', () => {
    for (const text of [
      '{]',
      '{"a" 1}',
      '{"a":1,}',
      '{"a":,}',
      '[1,,2]',
      '[,1]',
      '{"hosts":[1}',
      '{"a":tru}',
      '}',
      '{"a":1 "b":2}',
    ]) {
      expect(() => elements(text, text.startsWith('[') ? '' : 'hosts', [])).toThrow(DocumentFault);
    }
  });
});
