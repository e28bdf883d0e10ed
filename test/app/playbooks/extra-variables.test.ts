import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readExtraVariables } from '../../../src/kit/extra-variables/extra-variables.ts';

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

  it.each<[string, unknown]>([
    ['a: 1\nb:\n  c: [true, null, x]', { a: 1, b: { c: [true, null, 'x'] } }],
    ['---\n# of the tier\na: "{{ x }}"\n', { a: '{{ x }}' }],
    ['# first\n\na: x=y', { a: 'x=y' }],
    ['\'a\': yes\n"b":\n  - 1\n  - two', { a: 'yes', b: [1, 'two'] }],
    ['when: 2026-01-02\nport: 0x10\nnone:', { when: '2026-01-02', port: 16, none: null }],
    ['a: |\n  line\n  more', { a: 'line\nmore\n' }],
    ['region: {{ site }}\nports: [22, 443]', { region: '{{ site }}', ports: [22, 443] }],
    ['a: {{ x }}-{{ y }} # z', { a: '{{ x }}-{{ y }}' }],
    ['a: {% if x: %}y{% endif %}', { a: '{% if x: %}y{% endif %}' }],
    ['a: [{{ x }}, "{{ y }}"]\nb: |\n  {{ z }}\n', { a: ['{{ x }}', '{{ y }}'], b: '{{ z }}\n' }],
    ['template: {{ x }}\nb: template0x', { template: '{{ x }}', b: 'template0x' }],
    ['__proto__: x', JSON.parse('{"__proto__": "x"}')],
  ])('reads the YAML mapping %j', (text, wanted) => {
    expect(values(text)).toEqual(wanted);
  });

  it.each([
    'a: !!python/object/apply:os.system ["true"]',
    'a: !vault x',
    'a: &x 1\nb: *x',
    'a: 1\na: 2',
    'a: {{ x }}: b',
    '{{ x }}: a',
    'a: {b: {{ x }}: c}',
    'a: {{ x',
    'a: &x {{ x }}\nb: *x',
    '---\n- a',
    '---\ntext',
    'a: .nan',
    'a: 1\n---\nb: 2',
    `a: ${'['.repeat(50)}1${']'.repeat(50)}`,
    `a: ${'x'.repeat(70_000)}`,
  ])('refuses the YAML %#', (text) => {
    expect(readExtraVariables(text)).toEqual({ problem: expect.any(String) });
  });

  it('reads any JSON as YAML too', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })), (object) => {
        const plain = JSON.parse(JSON.stringify(object)) as unknown;
        expect(values(`---\n${JSON.stringify(plain)}`)).toEqual(plain);
      }),
    );
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
