import { describe, expect, it } from 'vitest';
import { compileTemplate, TemplateSyntaxError } from '../../src/jinja/template.ts';
import { scopeOf } from './scope.ts';

const scope = scopeOf({
  s: 'abcdefghij',
  xs: [1, 2, 3],
  long: 'ab '.repeat(100_000),
  many: Array.from({ length: 50_000 }, (_, i) => i),
  table: Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`key${i}`, i])),
  digits: '1'.repeat(300_000),
  faces: '😀'.repeat(300_000),
  literal: `[${'1,'.repeat(90_000)}]`,
  longs: Array.from({ length: 500 }, (_, i) => 'X'.repeat(20_000) + i),
});

const RUNAWAYS = [
  '{{ "x" * 10**9 }}',
  '{{ "x" * 10**300 }}',
  '{{ [1] * 10**9 }}',
  '{{ (1,) * 10**9 }}',
  '{{ range(10**9)|list }}',
  '{{ range(10**15) }}',
  '{{ range(0, 10**9)|length }}',
  '{{ 9 ** 9 ** 9 ** 9 ** 9 }}',
  '{{ 2 ** 100000 }}',
  '{% set ns = namespace(x=3) %}{% for i in range(100) %}{% set ns.x = ns.x * ns.x %}{% endfor %}{{ ns.x }}',
  '{% for i in range(100000) %}{% for j in range(100000) %}x{% endfor %}{% endfor %}',
  '{% for i in range(1000) %}{% for j in range(1000) %}{{ i }}{% endfor %}{% endfor %}',
  '{% for i in range(300) %}{% for j in many %}{% endfor %}{% endfor %}',
  '{% set ns = namespace(x="ab") %}{% for i in range(60) %}{% set ns.x = ns.x ~ ns.x %}{% endfor %}{{ ns.x }}',
  '{% set ns = namespace(x="ab") %}{% for i in range(60) %}{% set ns.x = ns.x.replace("a", ns.x) %}{% endfor %}{{ ns.x }}',
  '{% set ns = namespace(x=[1]) %}{% for i in range(60) %}{% set ns.x = ns.x + ns.x %}{% endfor %}{{ ns.x }}',
  '{% set ns = namespace(x=[1]) %}{% for i in range(60) %}{% set ns.x = [ns.x, ns.x] %}{% endfor %}{{ ns.x }}',
  '{% set ns = namespace(x=[1]) %}{% for i in range(60) %}{% set ns.x = [ns.x, ns.x] %}{% endfor %}{{ ns.x|tojson }}',
  '{% set a = namespace(x=[1], y=[1]) %}{% for i in range(50) %}{% set a.x = [a.x, a.x] %}{% set a.y = [a.y, a.y] %}{% endfor %}{{ a.x == a.y }}',
  '{% set a = namespace(x=[1], y=[1]) %}{% for i in range(50) %}{% set a.x = [a.x, a.x] %}{% set a.y = [a.y, a.y] %}{% endfor %}{{ a.x < a.y }}',
  '{% set l = [] %}{% set _ = l.append(l) %}{{ l }}',
  '{% set l = [] %}{% set _ = l.append(l) %}{{ l|tojson }}',
  '{% set l = [] %}{% set m = [] %}{% set _ = l.append(m) %}{% set _ = m.append(l) %}{{ l == m }}',
  '{% set l = xs|list %}{% for i in range(100) %}{% set _ = l.extend(l) %}{% endfor %}',
  '{{ "%1000000000s" % s }}',
  '{{ "%.1000000000f" % 1.5 }}',
  '{{ "%0999999999d" % 1 }}',
  '{{ "{:>1000000000}".format(s) }}',
  '{{ "{:1000000000d}".format(1) }}',
  '{{ "{:.900000000f}".format(1.5) }}',
  '{{ "%1000000000s"|format(s) }}',
  '{{ s|center(10**9) }}',
  '{{ s.center(10**9) }}',
  '{{ s.ljust(10**9) }}',
  '{{ s.rjust(10**9) }}',
  '{{ s.zfill(10**9) }}',
  '{{ s|indent(10**9) }}',
  '{{ "a\nb"|indent(10**9, true) }}',
  '{{ long.replace("", long) }}',
  '{{ long.replace("a", long) }}',
  '{{ long|replace("a", long) }}',
  '{{ long.join(long) }}',
  '{{ many|join(long) }}',
  '{{ xs|batch(10**9, "x")|list }}',
  '{{ xs|slice(10**9)|list }}',
  '{{ xs|slice(10**9, 0)|list|length }}',
  '{{ xs|tojson(10**9) }}',
  '{{ xs|round(10**9) }}',
  '{{ 1.5|round(10**9) }}',
  '{{ "1" * 5000 ~ "" if ("9" * 5000)|int else "" }}',
  '{% for i in range(1000) %}{{ many|sort }}{% endfor %}',
  '{% for i in range(100) %}{{ many|unique|length }}{% endfor %}',
  '{% for i in range(100000) %}{{ s in many }}{% endfor %}',
  '{% for i in range(90000) %}{{ long.upper() }}{% endfor %}',
  '{% for i in range(90000) %}{% set x = long|title %}{% endfor %}',
  '{% for i in range(90000) %}{% set x = long.split() %}{% endfor %}',
  '{% for i in range(90000) %}{% set x = long.splitlines() %}{% endfor %}',
  '{% for i in range(90000) %}{% set x = long|wordcount %}{% endfor %}',
  '{% for i in range(90000) %}{% set x = long|e %}{% endfor %}',
  '{% for i in range(90000) %}{% set x = long|urlencode %}{% endfor %}',
  '{% for i in range(90000) %}{% set x = long.count("b a") %}{% endfor %}',
  '{% for i in range(90000) %}{% set x = long[::-1] %}{% endfor %}',
  '{% for i in range(90000) %}{% set x = long|length %}{% endfor %}',
  '{% for i in range(90000) %}{% set x = long == long ~ "" %}{% endfor %}',
  '{% for i in range(90000) %}{% set x = long|trim("ab ") %}{% endfor %}',
  '{% for i in range(90000) %}{% set x = long.title() %}{% endfor %}',
  '{% for i in range(90000) %}{% set x = get_list(long) %}{% endfor %}',
  '{% for i in range(90000) %}{% set x = eval(long) %}{% endfor %}',
  '{% for i in range(90000) %}{% set x = cmk_cleanup_tag_id(long) %}{% endfor %}',
  '{% set x %}{% for i in range(90000) %}{{ long }}{% endfor %}{% endset %}{{ x|length }}',
  `{{ ${'"x" * 900000 ~ '.repeat(20)}"" }}`,
  '{% for i in range(5000) %}{% if table %}{% endif %}{% endfor %}',
  '{% for i in range(5000) %}{% set x = table|length %}{% endfor %}',
  '{% for i in range(5000) %}{% set x = {} == table %}{% endfor %}',
  '{% for i in range(5000) %}{% set x = faces[0] %}{% endfor %}',
  '{% for i in range(5000) %}{% set x = long is lower %}{% endfor %}',
  '{% for i in range(5000) %}{% set x = "a".strip(long) %}{% endfor %}',
  '{% for i in range(5000) %}{% set x = merge_list_of_dicts(literal) %}{% endfor %}',
  '{% for i in range(5000) %}{% set x = s.expandtabs(10**9) ~ digits|float %}{% endfor %}',
  '{{ "\t".expandtabs(10**9) }}',
  '{{ many|map(attribute=digits)|list }}',
  '{{ longs|sort|length }}',
  '{{ longs|unique|list|length }}',
  '{{ longs|max }}',
  '{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}',
  '{% macro f() %}{{ g() }}{% endmacro %}{% macro g() %}{{ f() }}{% endmacro %}{{ f() }}',
  '{% macro f(n) %}{% if n %}{{ f(n - 1) }}{{ f(n - 1) }}{% endif %}{% endmacro %}{{ f(60) }}',
  '{% macro f(n) %}{% call f(n) %}{{ caller() }}{% endcall %}{% endmacro %}{{ f(1) }}',
  '{% macro f(x) %}{{ x ~ x }}{% endmacro %}{% set ns = namespace(x="ab") %}{% for i in range(60) %}{% set ns.x = f(ns.x) %}{% endfor %}{{ ns.x }}',
  `{% macro f() %}${'{{ s }}'.repeat(800)}{% endmacro %}{% for i in range(90000) %}{% set x = f() %}{% endfor %}`,
  `{% macro f() %}${'{% set x = s %}'.repeat(600)}{% endmacro %}{% for i in range(90000) %}{{ f() }}{% endfor %}`,
  `{% macro f(${Array.from({ length: 300 }, (_, i) => `p${i}`).join(',')}) %}{% endmacro %}{% for i in range(90000) %}{{ f() }}{% endfor %}`,
  '{% macro f() %}{% endmacro %}{% for i in range(90000) %}{{ f(*many) }}{% endfor %}',
  '{% macro f() %}{{ varargs|length }}{% endmacro %}{% for i in range(90000) %}{{ f(*many) }}{% endfor %}',
  '{% for i in range(5000) %}{% set x = dict(**table) %}{% endfor %}',
  '{% for x in [xs] recursive %}{{ loop([[1]]) }}{% endfor %}',
  '{% for x in xs recursive %}{{ loop(xs) }}{% endfor %}',
  '{{ many|wordwrap }}{{ long|wordwrap(1, wrapstring=long) }}',
  '{% for i in range(90000) %}{% set x = long|wordwrap(3) %}{% endfor %}',
  '{% for i in range(90000) %}{% set x = long|striptags %}{% endfor %}',
  '{% for i in range(90000) %}{% set x = ("<" * 100000)|striptags %}{% endfor %}',
  '{% for i in range(90000) %}{% set x = long|urlize %}{% endfor %}',
  '{{ ("http://x.org/" ~ digits)|urlize ~ (("http://x.org/" ~ digits ~ " ") * 3)|urlize }}',
  '{{ ("http://x.org " * 50000)|urlize(target=s * 1000) }}',
  '{{ "x y"|urlize(extra_schemes=many) }}',
  '{{ (s ~ " ")|urlize(extra_schemes=["ab://"] * 90000) }}',
  '{{ {"a": "<" * 900000}|xmlattr }}',
  '{% set l = [] %}{% set _ = l.append(l) %}{{ l|pprint }}',
  '{% set ns = namespace(x=[1]) %}{% for i in range(60) %}{% set ns.x = [ns.x, ns.x] %}{% endfor %}{{ ns.x|pprint }}',
  '{% for i in range(5000) %}{% set x = table|pprint %}{% endfor %}',
  '{% for i in range(5000) %}{% set x = long|pprint %}{% endfor %}',
  '{% for i in range(5000) %}{% set x = table|xmlattr %}{% endfor %}',
];

describe('templates without end', () => {
  it.each(RUNAWAYS)('%s stops within its budget', (source) => {
    const result = compileTemplate(source).render(scope);
    expect(result.ok).toBe(false);
    expect(result.text).toBe('');
  });

  // Each takes minutes when it takes quadratic time.
  it.each([
    ['{{ (digits ~ "x")|float(7) }}', '7'],
    ['{{ ("1_" * 200000)|float(7) }}', '7'],
    ['{{ digits.find("2" ~ digits[:150000]) }}', '-1'],
    ['{{ digits.rfind(digits[:150000] ~ "2") }}', '-1'],
    ['{{ digits.count("2" ~ digits[:150000]) }}', '0'],
    ['{{ ("2" ~ digits[:150000]) in digits }}', 'False'],
    ['{{ digits.replace("2" ~ digits[:150000], "")|length }}', '300000'],
    ['{{ digits.split("2" ~ digits[:150000])|length }}', '1'],
    ['{{ digits.rsplit(digits[:150000] ~ "2", 1)|length }}', '1'],
    ['{{ digits.strip("x" * 300000 ~ "1")|length }}', '0'],
    ['{{ digits|wordwrap(3, wrapstring="")|length }}', '300000'],
    ['{{ ("-" * 300000)|wordwrap(3, wrapstring="")|length }}', '300000'],
    ['{{ ("a-" * 150000)|wordwrap(299999, wrapstring="")|length }}', '300000'],
    ['{{ ("a" ~ "-" * 300000 ~ "!")|wordwrap(200000, wrapstring="")|length }}', '300002'],
    ['{{ ("\u00a0" * 300000 ~ "a")|wordwrap(2, wrapstring="")|length }}', '1'],
    ['{{ ("x " ~ "\u00a0" * 300000 ~ "a")|wordwrap(2, wrapstring="")|length }}', '3'],
    ['{{ ("." * 300000 ~ "x.")|urlize|length }}', '300002'],
    ['{{ ("a" ~ "(" * 150000 ~ "b" ~ ")" * 150000)|urlize|length }}', '300002'],
    ['{{ ("www." ~ "a." * 150000 ~ "!")|urlize|length }}', '300005'],
    ['{{ ("a@" * 100000 ~ "a." * 50000 ~ "!")|urlize|length }}', '300001'],
    ['{{ ("&lt;" * 40000 ~ "x")|urlize|length }}', '320001'],
    ['{{ ("<!--" * 100000)|striptags|length }}', '400000'],
    ['{{ ("&#" * 150000)|striptags|length }}', '300000'],
    ['{{ ("&#" ~ "1" * 300000)|striptags|length }}', '1'],
  ])('%s gives %s', (source, expected) => {
    const template = compileTemplate(source, { budget: { maxMillis: 60_000, maxSteps: 5_000_000 } });
    expect(template.render(scope)).toEqual({ ok: true, text: expected });
  });

  it('takes the budgets it is given', () => {
    const source = '{% for i in range(50) %}x{% endfor %}';
    expect(compileTemplate(source).render(scope).ok).toBe(true);
    expect(compileTemplate(source, { budget: { maxSteps: 60 } }).render(scope)).toMatchObject({
      error: { kind: 'budget' },
    });
    expect(compileTemplate(source, { budget: { maxOutput: 10 } }).render(scope)).toMatchObject({
      error: { kind: 'budget' },
    });
    expect(compileTemplate('{{ s }}', { budget: { maxOutput: 5 } }).render(scope).ok).toBe(false);
    expect(compileTemplate('{{ s }}{{ s }}', { budget: { maxOutput: 15 } }).render(scope).ok).toBe(false);
  });
});

const DEEP = [
  `{{ ${'('.repeat(20_000)}1${')'.repeat(20_000)} }}`,
  `{{ ${'['.repeat(20_000)}1${']'.repeat(20_000)} }}`,
  `{{ ${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)} }}`,
  `{{ ${'not '.repeat(15_000)}1 }}`,
  `{{ ${'- '.repeat(20_000)}1 }}`,
  `{{ ${'-'.repeat(20_000)}1 }}`,
  `{{ ${'1 + '.repeat(15_000)}1 }}`,
  `{{ ${'1 * '.repeat(15_000)}1 }}`,
  `{{ ${'1 and '.repeat(9_000)}1 }}`,
  `{{ ${'1 < '.repeat(15_000)}1 ${'or 1 '.repeat(900)} }}`,
  `{{ 1${' if 1 else 1'.repeat(5_000)} }}`,
  `{{ s${'|lower'.repeat(9_000)} }}`,
  `{{ s${'.a'.repeat(20_000)} }}`,
  `{{ s${'[0]'.repeat(20_000)} }}`,
  `{{ s${'.upper()'.repeat(7_000)} }}`,
  `{{ ${'s.f('.repeat(10_000)}1${')'.repeat(10_000)} }}`,
  `${'{% if 1 %}'.repeat(3_000)}${'{% endif %}'.repeat(3_000)}`,
  `${'{% for x in s %}'.repeat(2_000)}${'{% endfor %}'.repeat(2_000)}`,
  `{% if 1 %}${'{% elif 1 %}'.repeat(5_000)}{% endif %}`,
  `${'{% set x %}'.repeat(2_000)}${'{% endset %}'.repeat(2_000)}`,
  `${'{% macro f() %}'.repeat(2_000)}${'{% endmacro %}'.repeat(2_000)}`,
  `${'{% call f() %}'.repeat(2_000)}${'{% endcall %}'.repeat(2_000)}`,
  `${'{% with %}'.repeat(2_000)}${'{% endwith %}'.repeat(2_000)}`,
  `{% set x${'|upper'.repeat(9_000)} %}{% endset %}`,
  `{{ s${'()'.repeat(20_000)} }}`,
  'x'.repeat(70_000),
];

describe('sources too deep or too long', () => {
  it.each(DEEP.map((source) => [source.slice(0, 20), source]))('%s… does not compile', (_name, source) => {
    expect(() => compileTemplate(source)).toThrow(TemplateSyntaxError);
  });

  // Quadratic time would run into the time limit of the test.
  it('reads long runs of white space in linear time', () => {
    compileTemplate(`a${' '.repeat(60_000)}b`);
    compileTemplate(`{{ s${' '.repeat(60_000)}}}`);
    compileTemplate(`{{ s }}${'\n'.repeat(60_000)}`);
    expect(() => compileTemplate('{'.repeat(60_000))).toThrow(TemplateSyntaxError);
  });
});
