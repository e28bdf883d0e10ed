import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseLiteralOrJson, parsePythonLiteral } from '../../src/jinja/python-literal.ts';
import { compileTemplate, TemplateSyntaxError } from '../../src/jinja/template.ts';
import { runs } from '../support/number-of-runs.ts';
import { scopeOf } from './scope.ts';

const WORDS = [
  '{{',
  '}}',
  '{%',
  '%}',
  '{#',
  '#}',
  'a',
  'b',
  'c',
  'missing',
  'loop',
  'if',
  'else',
  'endif',
  'elif',
  'for',
  'in',
  'endfor',
  'set',
  'macro',
  'endmacro',
  'call',
  'endcall',
  'caller',
  'with',
  'endwith',
  'recursive',
  'f',
  'is',
  'not',
  'defined',
  'divisibleby',
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  '.',
  ',',
  ':',
  '|',
  '~',
  '+',
  '-',
  '*',
  '//',
  '%',
  '**',
  '==',
  '<',
  '"x"',
  "'%s'",
  '1',
  '2.5',
  '0',
  'lower',
  'join',
  'map',
  'sort',
  'upper',
  'split',
  'items',
  'format',
  'tojson',
  'range',
  'namespace',
  'constructor',
  '__proto__',
  'true',
  'none',
  'and',
  'or',
  '=',
  'attributes',
  'get_list',
  'eval',
  ' ',
  '\n',
];

const text = fc.array(fc.constantFrom(...WORDS), { maxLength: 30 }).map((words) => words.join(' '));
const print = fc
  .array(fc.constantFrom(...WORDS.slice(6)), { maxLength: 12 })
  .map((words) => `{{ ${words.join(' ')} }}`);
const context = fc.record({ a: fc.jsonValue(), b: fc.jsonValue(), c: fc.anything() });

function check(source: string, values: Record<string, unknown>): void {
  let template: ReturnType<typeof compileTemplate>;
  try {
    template = compileTemplate(source);
  } catch (error) {
    expect(error).toBeInstanceOf(TemplateSyntaxError);
    return;
  }
  const result = template.render(scopeOf(values));
  expect(typeof result.text).toBe('string');
  if (!result.ok) expect(result.text).toBe('');
}

describe('for every source and every value', () => {
  it('compiles or throws a syntax error, and renders without throwing', () => {
    fc.assert(fc.property(fc.oneof(text, print, fc.string()), context, check), { numRuns: runs(3000) });
  });

  const EXPRESSIONS = [
    'a',
    'a ~ b',
    'a + b',
    'a * 3',
    'a % b',
    'a == b',
    'a < b',
    'a in b',
    'a[0]',
    'a[::-1]',
    'a.x',
    'a|tojson',
    'a|list',
    'a|sort',
    'a|join',
    'a|length',
    'a|string',
    'a|int',
    'a|float',
    'a|round',
    'a|unique',
    'a|dictsort',
    'a|items',
    'a|first',
    'a|sum',
    'a|min',
    'a|urlencode',
    'a|map("upper")',
    'a|batch(2)',
    'a|groupby("x")',
    '"%s %r" % a',
    '"{}".format(a)',
    'a.items()',
    'a.upper()',
    'a.get(b)',
    'get_list(a)',
    'merge_list_of_dicts(a)',
    'eval(a)',
    'defined(a)',
    'get_ip_network(a)',
    'cmk_cleanup_tag_id(a)',
    'dict(a)',
    'a is iterable',
    'a is odd',
    'a|default(b)',
    'a|indent',
    'a|truncate(3)',
    'a.split()',
    'a.splitlines()',
    'a.title()',
    'c',
    'c.x',
    'c|list',
    'c == a',
  ];

  it('gives text or a fault for every operation on every value', () => {
    const property = fc.property(fc.constantFrom(...EXPRESSIONS), context, (expression, values) => {
      check(`{{ ${expression} }}`, values);
      check(`{% for x in ${expression} %}{{ x }}{% endfor %}`, values);
    });
    fc.assert(property, { numRuns: runs(3000) });
  });

  it('prints plain texts as they are, trimmed', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[ -~]*$/), (value) => {
        const result = compileTemplate('{{ a }}').render(scopeOf({ a: value }));
        expect(result).toEqual({ ok: true, text: value.trim() });
      }),
    );
  });

  it('reads back every JSON value that it prints', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const clean = JSON.parse(JSON.stringify(value));
        const printed = compileTemplate('{{ [a] }}').render(scopeOf({ a: clean }));
        expect(printed.ok).toBe(true);
        expect(parseLiteralOrJson(printed.text)).toEqual([clean]);
      }),
    );
  });

  it('reads literals without throwing', () => {
    const pieces = fc.array(
      fc.constantFrom('[', ']', '(', ')', '{', '}', ',', ':', "'a'", '"', '1', '-', '.5', 'None', 'x', ' ', '\\'),
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          pieces.map((parts) => parts.join('')),
        ),
        (source) => {
          parsePythonLiteral(source);
          parseLiteralOrJson(source);
        },
      ),
    );
  });
});
