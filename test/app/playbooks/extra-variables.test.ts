import { describe, expect, it } from 'vitest';
import { readExtraVariables } from '../../../src/app/runs/playbooks/decisions/extra-variables.ts';

const values = (text: string) => {
  const read = readExtraVariables(text);
  return 'values' in read ? read.values : read.problem;
};

describe('further variables', () => {
  it.each([
    ['', {}],
    ['  \n ', {}],
    ['{}', {}],
    [' {"a": 1, "b": {"c": [true, null, "x"]}} ', { a: 1, b: { c: [true, null, 'x'] } }],
    ['{"a": "{{ x }}"}', { a: '{{ x }}' }],
    ['a=1', { a: '1' }],
    ['a=1  b=two\nc_3=', { a: '1', b: 'two', c_3: '' }],
    [`a="x y" b='it "is"' c=a"b c"d`, { a: 'x y', b: 'it "is"', c: 'ab cd' }],
    ['a=x=y', { a: 'x=y' }],
    ['a=@file', { a: '@file' }],
  ])('reads %s', (text, wanted) => {
    expect(values(text)).toEqual(wanted);
  });

  it('takes template text as one piece', () => {
    expect(values('a={{ x | default("y z") }}-{{z}} b=2')).toEqual({ a: '{{ x | default("y z") }}-{{z}}', b: '2' });
  });

  it.each([
    '@vars.yml',
    '  @/etc/passwd',
    '@',
    'word',
    '=1',
    '1a=2',
    'a b=1',
    '{"a": 1',
    '{"a": {{ x }}}',
    '["a"]',
    'a="x',
    'a={{ x',
    '{{ a }}=1',
  ])('refuses %s', (text) => {
    expect(readExtraVariables(text)).toEqual({ problem: expect.any(String) });
  });
});
