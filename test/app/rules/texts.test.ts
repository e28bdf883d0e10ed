import fc from 'fast-check';
import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import { endsFolded, equalsFolded, foldCase, includesFolded, startsFolded } from '../../../src/app/domain/rules/case-fold.ts';
import { compilePattern } from '../../../src/app/domain/rules/pattern.ts';

const text = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'aAkKsSßσςΣäÄıİŉK1- ') }),
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
);

describe('texts without case', () => {
  it('compare as their folded forms do', () => {
    fc.assert(
      fc.property(text, text, (needle, value) => {
        expect(equalsFolded(needle)(value)).toBe(foldCase(value) === foldCase(needle));
        expect(startsFolded(needle)(value)).toBe(foldCase(value).startsWith(foldCase(needle)));
        expect(endsFolded(needle)(value)).toBe(foldCase(value).endsWith(foldCase(needle)));
        expect(includesFolded(needle)(value)).toBe(foldCase(value).includes(foldCase(needle)));
      }),
      { numRuns: 5000 },
    );
  });

  it('equal their upper and lower case', () => {
    fc.assert(
      fc.property(text, (value) => {
        expect(equalsFolded(value)(value.toUpperCase())).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('patterns', () => {
  const parts = ['a', 'web', '-', '\\.', '.', '.*', '$', '^', '|', '(', ')', '(?:', '[0-9]', '\\d+', '+', '?', '\\Q', '\\E', '(?i)', '\\/', '_'];
  const pattern = fc.array(fc.constantFrom(...parts), { maxLength: 6 }).map((list) => list.join(''));
  const value = fc.array(fc.constantFrom('a', 'web', '-', '.', '\n', '1', 'A', '/', '_', ''), { maxLength: 5 }).map((list) => list.join(''));

  it('mean what RE2 means from the start of the value, with every shortcut', () => {
    fc.assert(
      fc.property(pattern, value, (source, given) => {
        let expected: RE2JS;
        try {
          expected = RE2JS.compile(source);
        } catch {
          expect(() => compilePattern(source)).toThrow('does not compile');
          return;
        }
        expect(compilePattern(source)(given)).toBe(expected.matcher(given).lookingAt());
      }),
      { numRuns: 5000 },
    );
  });

  it.each(['web', '^web', 'web.*', '^web$', '(web|a)', '^(?:web|a)$', 'a\\.web', 'web-1.*$', 'a|web$'])('%s', (source) => {
    const expected = RE2JS.compile(source);
    for (const given of ['web', 'web-1', 'WEB', 'a', 'a.web', 'axweb', '', 'web\n', 'x web']) {
      expect(compilePattern(source)(given)).toBe(expected.matcher(given).lookingAt());
    }
  });

  it('take linear time', () => {
    const start = performance.now();
    expect(compilePattern('(a+)+$')(`${'a'.repeat(50_000)}!`)).toBe(false);
    expect(performance.now() - start).toBeLessThan(2000);
  });
});
