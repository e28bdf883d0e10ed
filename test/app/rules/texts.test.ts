import fc from 'fast-check';
import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import {
  endsFolded,
  equalsFolded,
  foldCase,
  includesFolded,
  startsFolded,
} from '../../../src/app/rules/engine/case-fold.ts';
import { nativePattern } from '../../../src/app/rules/engine/native-pattern.ts';
import { compilePattern } from '../../../src/app/rules/engine/pattern.ts';
import { runs } from '../../support/number-of-runs.ts';

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
      { numRuns: runs(5000) },
    );
  });

  it('equal their upper and lower case', () => {
    fc.assert(
      fc.property(text, (value) => {
        expect(equalsFolded(value)(value.toUpperCase())).toBe(true);
      }),
      { numRuns: runs(2000) },
    );
  });
});

describe('patterns', () => {
  const parts = fc.constantFrom(
    ...[
      'a',
      'web',
      'Sk',
      '-',
      '\\.',
      '.',
      '.*',
      '$',
      '^',
      '|',
      '(',
      ')',
      '(?:',
      '(a|web)',
      '(?:s|k_)',
      '[0-9]',
      '[^a.]',
      '[a-zX]',
    ],
    ...[
      '\\d',
      '\\w',
      '\\s',
      '\\D',
      '\\S',
      '+',
      '*',
      '?',
      '{2}',
      '{1,2}',
      '{2,}',
      '*?',
      '\\Q',
      '\\E',
      '(?i)',
      '\\/',
      '_',
      ' ',
    ],
  );
  const pattern = fc.array(parts, { maxLength: 6 }).map((list) => list.join(''));
  const value = fc
    .array(
      fc.constantFrom(
        'a',
        'web',
        '-',
        '.',
        '\n',
        '1',
        'A',
        '/',
        '_',
        '',
        's',
        'k',
        'ſ',
        'K',
        'é',
        '😀',
        ' ',
        '\v',
        '\r',
        '\u2028',
      ),
      { maxLength: 6 },
    )
    .map((list) => list.join(''));

  it.each([false, true])(
    'mean what RE2 means from the start of the value, with every shortcut (case ignored: %s)',
    (ignoreCase) => {
      let natives = 0;
      fc.assert(
        fc.property(pattern, fc.array(value, { minLength: 5, maxLength: 5 }), (source, values) => {
          let expected: RE2JS;
          try {
            expected = RE2JS.compile(source, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
          } catch {
            expect(() => compilePattern(source)).toThrow('does not compile');
            return;
          }
          if (nativePattern(source, { ignoreCase }) !== undefined) natives++;
          const test = compilePattern(source, { ignoreCase });
          for (const given of values) {
            const text = ignoreCase ? given.toLowerCase() : given;
            expect([source, text, test(text)]).toEqual([source, text, expected.matcher(text).lookingAt()]);
          }
        }),
        { numRuns: runs(8000) },
      );
      expect(natives).toBeGreaterThan(runs(1_000));
    },
  );

  it.each(['a+a+', '(a+)+', 'a*.*b', '(a|b)(c|d)', 'a?b?', '(a|aa)+', 'x*y*$'])('%s stays with RE2', (source) => {
    expect(nativePattern(source, { ignoreCase: false })).toBeUndefined();
  });

  it.each(['web', '^web', 'web.*', '^web$', '(web|a)', '^(?:web|a)$', 'a\\.web', 'web-1.*$', 'a|web$'])(
    '%s',
    (source) => {
      const expected = RE2JS.compile(source);
      for (const given of ['web', 'web-1', 'WEB', 'a', 'a.web', 'axweb', '', 'web\n', 'x web']) {
        expect(compilePattern(source)(given)).toBe(expected.matcher(given).lookingAt());
      }
    },
  );

  // Any other engine takes longer than the universe is old.
  it('take linear time', () => {
    expect(compilePattern('(a+)+$')(`${'a'.repeat(50_000)}!`)).toBe(false);
  });
});
