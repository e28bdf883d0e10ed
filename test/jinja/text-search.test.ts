import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findLastText, findText } from '../../src/jinja/text-search.ts';

const fewLetters = (minLength: number, maxLength: number) =>
  fc.array(fc.constantFrom('a', 'b'), { minLength, maxLength }).map((letters) => letters.join(''));

/** Periodic, so that a long needle is found now and then, and almost found often. */
const periodic = fc
  .tuple(fewLetters(1, 4), fc.integer({ min: 80, max: 200 }), fewLetters(0, 3))
  .map(([unit, times, tail]) => unit.repeat(times) + tail);

describe('search in texts', () => {
  it('finds what the engine finds, for needles of every length', () => {
    fc.assert(
      fc.property(fc.array(periodic, { maxLength: 4 }), periodic, fc.nat(900), (parts, needle, from) => {
        const text = parts.join('');
        expect(findText(text, needle)).toBe(text.indexOf(needle));
        expect(findText(text, needle, from)).toBe(text.indexOf(needle, from));
        expect(findLastText(text, needle)).toBe(text.lastIndexOf(needle));
      }),
      { numRuns: 2000 },
    );
  });

  it('finds what the engine finds, for short needles', () => {
    fc.assert(
      fc.property(fewLetters(0, 60), fewLetters(0, 24), (text, needle) => {
        expect(findText(text, needle)).toBe(text.indexOf(needle));
        expect(findLastText(text, needle)).toBe(text.lastIndexOf(needle));
      }),
    );
  });
});
