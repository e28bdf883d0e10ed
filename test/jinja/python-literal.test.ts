import { describe, expect, it } from 'vitest';
import { parseLiteralOrJson, parsePythonLiteral } from '../../src/jinja/python-literal.ts';

describe('literals of Python and JSON', () => {
  it.each([
    ["['a', \"b\", u'c', r'\\d']", ['a', 'b', 'c', '\\d']],
    ['[1, -2, 0x1f, 1_000, 1.5, 2.0, 1e3, .5]', [1, -2, 31, 1000, 1.5, 2, 1000, 0.5]],
    ['(1, 2)', [1, 2]],
    ['1, 2', [1, 2]],
    ['(1)', 1],
    ['(1,)', [1]],
    ['()', []],
    ['{1, 2}', [1, 2]],
    ["{'a': None, 'b': [True, False], 3: 'x'}", { a: null, b: [true, false], 3: 'x' }],
    ["'it\\'s' ' two'", "it's two"],
    ["'''triple\nquoted'''", 'triple\nquoted'],
    [' [1,\n 2,] ', [1, 2]],
    ['[true, null, "x"]', [true, null, 'x']],
    ['{"a": {"b": [1]}}', { a: { b: [1] } }],
    ['null', null],
  ])('%s', (source, expected) => {
    expect(parseLiteralOrJson(source)).toEqual(expected);
  });

  it.each([
    '',
    'a',
    'web01',
    '[a]',
    '[1',
    '1]',
    '1 + 1',
    "f'{x}'",
    "__import__('os')",
    '(lambda: 1)()',
    '[x for x in y]',
    "'open",
    '{1: 2, 3}',
    '[1 2]',
    '10.0.0.1',
    '010',
    '--',
    '{[]: 1}',
    '[,]',
    `${'['.repeat(5000)}${']'.repeat(5000)}`,
    `[${'1,'.repeat(200_000)}]`,
    "'\\xZZ'",
  ])('%s is none', (source) => {
    expect(parsePythonLiteral(source)).toBeUndefined();
    expect(parseLiteralOrJson(source.slice(0, 20_000))).toBeUndefined();
  });

  it('keeps hostile keys as data', () => {
    const value = parseLiteralOrJson("{'__proto__': {'polluted': 1}}");
    expect(Object.keys(value as object)).toEqual(['__proto__']);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});
