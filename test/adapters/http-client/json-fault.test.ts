import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findJsonFault } from '../../../src/adapters/http-client/json-fault.ts';

describe('where a text stops being JSON', () => {
  it.each<[string, number, boolean]>([
    ['{"a": tru, "b": 1}', 6, false],
    ['[1, 2', 5, true],
    ['[1, 2 3]', 6, false],
    ['[1,, 2]', 3, false],
    ['[1, ]', 4, false],
    ['{"a" 1}', 5, false],
    ['{a: 1}', 1, false],
    ['{"a": 1]', 7, false],
    ['{"a": "x', 6, true],
    ['{"a": "x\\', 6, true],
    ['[tr', 1, true],
    ['[1.', 1, true],
    ['[-', 1, true],
    ['[01]', 1, false],
    ['{} {}', 3, false],
    ['oops', 0, false],
    ['"a\nb"', 0, false],
  ])('%j', (text, position, isCut) => {
    expect(findJsonFault(text)).toMatchObject({ position, isCut });
  });

  it('is its end for every document that is cut off', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4, noUnicodeString: false }), fc.nat(), (value, cut) => {
        const text = JSON.stringify([value]);
        expect(findJsonFault(text.slice(0, cut % text.length)).isCut).toBe(true);
      }),
    );
  });

  it('is never behind the place of a character that is in the way', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), fc.nat(), (value, at) => {
        const text = JSON.stringify({ value });
        const place = at % text.length;
        const broken = `${text.slice(0, place)}\u0001${text.slice(place)}`;
        expect(findJsonFault(broken).position).toBeLessThanOrEqual(place);
      }),
    );
  });
});
