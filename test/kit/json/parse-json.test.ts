import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonRefusal, parseJson } from '../../../src/kit/json/parse-json.ts';

function reasonOf(text: string): string {
  try {
    parseJson(text);
  } catch (error) {
    if (error instanceof JsonRefusal) return error.reason;
    throw error;
  }
  return 'taken';
}

/** Mixes white space into JSON, which may stand between any two of its tokens. */
function spacedOut(text: string): string {
  return text.replaceAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]/g, (token) => `\n ${token}\t\r `);
}

describe('JSON', () => {
  it('is what JSON.parse reads', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        expect(parseJson(text)).toEqual(JSON.parse(text));
        expect(parseJson(spacedOut(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  it('is read the same around a number that no double holds', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        const value = JSON.parse(text);
        expect(parseJson(`[12345678901234567890,${spacedOut(text)}]`)).toEqual([12345678901234567890n, value]);
        expect(parseJson(`{"a" : ${text} , "b":12345678901234567890}`)).toEqual({ a: value, b: 12345678901234567890n });
      }),
    );
  });

  it('is refused where JSON.parse refuses it', () => {
    const mark = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '\\',
      '"a"',
      '1',
      '-',
      'e',
      '.',
      'null',
      ' ',
      '1e9',
    );
    fc.assert(
      fc.property(fc.array(mark, { maxLength: 12 }), (marks) => {
        const text = marks.join('');
        let isJson = true;
        try {
          JSON.parse(text);
        } catch {
          isJson = false;
        }
        if (!isJson) expect(reasonOf(text)).toMatch(/^is (not valid JSON|nested)/);
        else if (!/"a".*"a"/.test(text)) expect(parseJson(text)).toEqual(JSON.parse(text));
      }),
      { numRuns: 2_000 },
    );
  });

  it('may be nested so deep and no deeper', () => {
    expect(reasonOf('['.repeat(64) + ']'.repeat(64))).toBe('taken');
    expect(reasonOf('['.repeat(65) + ']'.repeat(65))).toContain('64 levels');
    expect(reasonOf('{"a":'.repeat(1_000_000))).toContain('64 levels');
    expect(reasonOf(`"${'['.repeat(100)}"`)).toBe('taken');
  });
});

describe('a number', () => {
  it.each([
    '0',
    '-0',
    '0.0',
    '0e9',
    '-0.0e-9',
    '9007199254740991',
    '-9007199254740992',
    '12345678901234567000',
    '1e22',
    '123e-20',
    '0.1234567890123456789012345',
    '1.7976931348623157e308',
    '5e-324',
  ])('%s is kept', (token) => {
    for (const text of [token, `[${token}]`, `{"a": ${token} }`]) expect(parseJson(text)).toEqual(JSON.parse(text));
  });

  it.each([
    ['9007199254740993', 9007199254740993n],
    ['-12345678901234567890', -12345678901234567890n],
    ['1e400', Number.POSITIVE_INFINITY],
    [`-1${'0'.repeat(400)}`, Number.NEGATIVE_INFINITY],
    ['1e-400', Number.NaN],
    [`0.${'0'.repeat(400)}1`, Number.NaN],
  ])('%s is marked', (token, mark) => {
    for (const text of [token, ` ${token} `]) expect(parseJson(text)).toEqual(mark);
    expect(parseJson(`{"__proto__":[${token}],"x":{"":${token}}}`)).toEqual(
      Object.fromEntries([
        ['__proto__', [mark]],
        ['x', { '': mark }],
      ]),
    );
  });

  it('is no number within a text', () => {
    const text = '{"a":"12345678901234567890","b":"x: 1e400, ","12345678901234567890":"\\"1e400\\\\"}';
    expect(parseJson(text)).toEqual(JSON.parse(text));
  });
});

describe('a name that an object has twice', () => {
  it.each([
    ['{"a":1,"a":1}', 'a'],
    ['{"x":[{},{"a":{"b":1,"c":2,"b":3}}]}', 'x.1.a.b'],
    ['{"a\\u0062":1,"ab":2}', 'ab'],
    ['{"":1,"":2}', ''],
    ['{"__proto__":1,"__proto__":2}', '__proto__'],
    ['[1,{"7":1, "7" :{}}]', '1.7'],
    ['{"a":12345678901234567890,"a":1}', 'a'],
  ])('is refused: %s', (text, path) => {
    expect(reasonOf(text)).toContain(JSON.stringify(path));
  });

  it('is none in objects beside and within one another, and in texts', () => {
    const text = '[{"a":{"a":"\\"a\\":1,\\"a\\":1"}},{"a":":::"}]';
    expect(parseJson(text)).toEqual(JSON.parse(text));
  });
});
