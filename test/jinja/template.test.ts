import { describe, expect, it } from 'vitest';
import { compileTemplate, type TemplateOptions, TemplateSyntaxError } from '../../src/jinja/template.ts';
import { scopeOf } from './scope.ts';

const context = {
  name: 'web01',
  padded: '  web01 \n',
  n: 7,
  yes: true,
  nothing: null,
  label: '["a", "b"]',
  locations: [{ site: 'dc1' }, { room: '42', site: 'dc2' }, { level: '' }],
  'app.kubernetes.io/name': 'nginx',
};

function render(source: string, options: TemplateOptions = {}) {
  return compileTemplate(source, options).render(scopeOf(context));
}

function text(source: string, options: TemplateOptions = {}): string | undefined {
  const result = render(source, options);
  return result.ok ? result.text : undefined;
}

describe('text and variables', () => {
  it.each([
    ['plain', 'plain'],
    ['  trimmed  ', 'trimmed'],
    ['{{ name }}', 'web01'],
    ['{{ padded }}', 'web01'],
    ['{{ n }}', '7'],
    ['{{ yes }} {{ nothing }}', 'True None'],
    ['{{ yes }}', 'True'],
    ['host-{{ name }}-{{ n }}', 'host-web01-7'],
    ['{{ attributes["app.kubernetes.io/name"] }}', 'nginx'],
    ['{{ attributes.get("app.kubernetes.io/name") }}', 'nginx'],
    ['{{ attributes["none/such"]|default("-") }}', '-'],
    ['{{ "a/b" in attributes }}', 'False'],
  ])('%s gives %s', (source, expected) => {
    expect(text(source)).toBe(expected);
  });

  it('takes names of other alphabets', () => {
    expect(compileTemplate('{{ größe }}').render(scopeOf({ größe: 'XL' })).text).toBe('XL');
  });
});

describe('failures', () => {
  it.each([
    ['{{ missing }}', 'undefined', "'missing' is undefined"],
    ['a {{ missing }} b', 'undefined', "'missing' is undefined"],
    ['{{ name.nope }}', 'undefined', "'nope' is undefined"],
    ['{{ [missing] }}', 'undefined', "'missing' is undefined"],
    ['{{ n + name }}', 'fault', "'+' does not work between int and str"],
    ['{{ name.nope() }}', 'fault', "a value of type str has no method 'nope'"],
    ['{{ 1 / 0 }}', 'fault', 'division by zero'],
    ['{{ACCOUNT:a:b}}', 'undefined', "the account field 'a:b' is undefined"],
  ])('%s is empty and tells why', (source, kind, message) => {
    expect(render(source)).toEqual({ ok: false, text: '', error: { kind, message } });
  });

  it.each([
    ['a\nb {{ c d }}', 2],
    ['{% if x %}\n\n{% nope %}{% endif %}', 3],
    ['x\n{% if x %}\n', 2],
    ['\n{{ "open }}', 2],
    ['\n\n{# open', 3],
    ['{{ f(x }}', 1],
    ['{{ x | }}', 1],
  ])('%j does not compile and names the line', (source, line) => {
    try {
      compileTemplate(source);
    } catch (error) {
      expect(error).toBeInstanceOf(TemplateSyntaxError);
      expect(error).toMatchObject({ line });
      return;
    }
    expect.unreachable();
  });

  it.each([
    '{% macro x() %}',
    '{% macro x(a, a) %}{% endmacro %}',
    '{% macro x(1) %}{% endmacro %}',
    '{% macro x() %}{{ nope() }}{% endmacro %}',
    '{% call nope() %}{% endcall %}',
    '{% with a %}{% endwith %}',
    '{% for a, b in x recursive %}{% endfor %}',
    '{% block x %}{% endblock %}',
    '{{ x|random }}',
    '{{ lipsum() }}',
    '{% include "x" %}',
    '{% extends "x" %}',
    '{% import "x" as y %}',
    '{% break %}',
    '{% generation %}',
    '{{ x|nope }}',
    '{{ x is nope }}',
    '{{ nope(x) }}',
    '{{ACCOUNT:x}}',
    '{{ }}',
    '{% set 1 = 2 %}',
  ])('%s does not compile', (source) => {
    expect(() => compileTemplate(source)).toThrow(TemplateSyntaxError);
  });
});

describe('functions of the built-in set', () => {
  it.each([
    ['{{ get_list("a, b,,c") }}', "['a', 'b', 'c']"],
    ['{{ get_list(label) }}', "['a', 'b']"],
    ['{{ get_list("\'a\',") }}', "['a']"],
    ['{{ get_list("[\' a \', 1]") }}', "['a', 1]"],
    ['{{ get_list("") }}', '[]'],
    ['{{ get_list("10.0.0.1") }}', "['10.0.0.1']"],
    ['{{ get_list([1, 2]) }}', '[1, 2]'],
    ['{{ get_list((1, 2)) }}', '[1, 2]'],
    ['{{ get_list(missing) }}{{ get_list(nothing) }}', '[][]'],
    ['{{ merge_list_of_dicts(locations) }}', "{'site': 'dc2', 'room': '42'}"],
    ['{{ merge_list_of_dicts(locations).room }}', '42'],
    ["{{ merge_list_of_dicts(\"[{'a': 1}, {'b': 2}]\") }}", "{'a': 1, 'b': 2}"],
    ['{{ merge_list_of_dicts("nonsense") }}', '{}'],
    ['{{ merge_list_of_dicts([1]) }}', undefined],
    ['{{ merge_list_of_dicts(missing) }}', undefined],
    ['{{ cmk_cleanup_tag_id(" Server Room / A-1 ") }}', 'server_room___a-1'],
    ['{{ cmk_cleanup_tag_id("Größe") }}', 'gr__e'],
    ['{{ cmk_cleanup_hostname("Web 01.example") }}', 'web_01_example'],
    ['{{ cmk_cleanup_tag_id(n) }}', undefined],
    ['{{ get_ip_network("10.0.0.5/24") }}', '10.0.0.0/24'],
    ['{{ get_ip_network("192.168.2.55/255.255.255.0") }}', '192.168.2.0/255.255.255.0'],
    ['{{ get_ip_network("2001:db8::5/64") }}', '2001:db8::/64'],
    ['{{ get_ip_network("") }}|', '|'],
    ['{{ get_ip_network("10.0.0.5/33") }}', undefined],
    ['{{ get_ip_network("010.0.0.5/8") }}', undefined],
    ['{{ get_ip_network("10.5/8") }}', undefined],
    ['{{ get_ip_interface("192.168.2.55/255.255.255.0") }}', '192.168.2.55/24'],
    ['{{ get_ip_interface("10.0.0.5/24").ip }}', '10.0.0.5'],
    ['{{ get_ip_interface("10.0.0.5/24").network }}', '10.0.0.0/24'],
    ['{{ get_ip_interface("10.0.0.5") }}', '10.0.0.5/32'],
    ['{{ get_ip_interface("2001:DB8:0:0::1/48") }}', '2001:db8::1/48'],
    ['{{ get_ip4_interface("10.0.0.5/0.0.0.255") }}', '10.0.0.5/24'],
    ['{{ get_ip4_interface("host/24") }}', undefined],
    ['{{ eval("[1, \'a\', None, {2: (3,)}]") }}', "[1, 'a', None, {2: (3,)}]"],
    ['{{ eval("nope", 5) }}', '5'],
    ['{{ eval("1 + 1") }}', undefined],
    ['{{ eval("[1,") }}', undefined],
    ['{{ eval(n) }}', '7'],
    ['{% for x in eval(label) %}{{ x }}{% endfor %}', 'ab'],
    [
      '{{ defined(missing, "x") }} {{ defined(name) }} {{ defined("None", "-") }} {{ defined("FALSE", "-") }} {{ defined("", "-") }}',
      'x web01 - - -',
    ],
    ['{{ defined(nothing, "-") }} {{ defined(yes) }} {{ defined(false) }}', '- True False'],
    ['{% if defined(missing) %}a{% else %}b{% endif %}', 'b'],
  ])('%s', (source, expected) => {
    expect(text(source)).toBe(expected);
  });

  it('formats the time that the clock gives', () => {
    const now = () => new Date('2024-02-29T23:05:09.123Z');
    expect(text('{{ datetime.utcnow().strftime("%Y-%m-%d %H:%M:%S %j %a %B %U %V %y %I %p %%") }}', { now })).toBe(
      '2024-02-29 23:05:09 060 Thu February 08 09 24 11 PM %',
    );
    expect(text('{{ datetime.datetime.utcnow().isoformat() }}', { now })).toBe('2024-02-29T23:05:09.123000');
    expect(text('{{ datetime.utcnow() }} {{ datetime.utcnow().year + 1 }}', { now })).toBe(
      '2024-02-29 23:05:09.123000 2025',
    );
    expect(text('{{ datetime.utcnow().date() }}', { now })).toBe('2024-02-29');
    expect(text('{{ datetime.now().strftime("%Y") }}', { now })).toMatch(/^202[4]$/);
    expect(text('{{ datetime.utcnow().strftime("%c" * 100000) }}', { now })).toBeUndefined();
  });

  it('takes functions of the host and turns their faults into failures', () => {
    const functions = new Map([
      ['shout', (value: unknown) => `${String(value)}!`],
      [
        'broken',
        () => {
          throw new Error('boom');
        },
      ],
    ]);
    expect(text('{{ shout(name) }}', { functions })).toBe('web01!');
    expect(render('{{ broken() }}', { functions })).toMatchObject({
      ok: false,
      text: '',
      error: { message: 'a function failed: boom' },
    });
    expect(compileTemplate('{{ shout(1) }}', { functions }).constant).toBeUndefined();
  });
});

describe('macros', () => {
  it('made in a call read the values of that call, or are a fault', () => {
    const inner = '{% macro inner() %}{{ n }}{% endmacro %}';
    const outer = `{% macro outer(n) %}${inner}{% if n %}{% set kept.inner = inner %}{{ outer(0) }}{% else %}{{ kept.inner() }}{% endif %}{% endmacro %}`;
    const start = '{% set kept = namespace() %}';
    expect(render(`${start}${outer}{{ outer(1) }}`)).toMatchObject({ ok: false, error: { kind: 'fault' } });
    const direct = `{% macro outer(n) %}${inner}{% if n %}{{ outer(n - 1) }}{% endif %}{{ inner() }}{% endmacro %}`;
    expect(render(`${direct}{{ outer(3) }}`)).toEqual({ ok: true, text: '0123' });
  });

  it('are known beforehand by what they read', () => {
    const template = compileTemplate('{% macro f(p) %}{{ p }}{{ site }}{% endmacro %}{{ f(rack) }}');
    expect([...template.names]).toEqual(['site', 'rack']);
    expect(compileTemplate('{% macro f(p) %}{{ p }}{% endmacro %}{{ f(1) }}').constant).toBe('1');
  });

  it('change no value of the host', () => {
    const data = { list: [1] };
    const source = '{% macro add(l) %}{% set _ = l.append(2) %}{{ l }}{% endmacro %}{{ add(list) }}';
    expect(compileTemplate(source).render(scopeOf(data)).text).toBe('[1, 2]');
    expect(data).toEqual({ list: [1] });
  });
});

describe('account fields', () => {
  const macros = (account: string, field: string) =>
    account === 'cmk:site' && field === 'password' ? ' p{{ n }} ' : undefined;

  it.each([
    ['{{ACCOUNT:cmk:site:password}}', 'p{{ n }}'],
    ['{{ ACCOUNT:cmk:site:password }}-{{ n }}', 'p{{ n }} -7'],
    ['{% if yes %}x{{-ACCOUNT:cmk:site:password-}} y{% endif %}', 'x p{{ n }} y'],
    ['{{ACCOUNT:cmk:site:nope}}', undefined],
    ['{% raw %}{{ACCOUNT:cmk:site:password}}{% endraw %}', '{{ACCOUNT:cmk:site:password}}'],
    ['{{ "{{ACCOUNT:cmk:site:password}}" }}', '{{ACCOUNT:cmk:site:password}}'],
  ])('%s', (source, expected) => {
    expect(text(source, { macros })).toBe(expected);
  });
});

describe('what is known before rendering', () => {
  it.each([
    ['plain', [], false, false, 'plain'],
    [' {{ 1 + 1 }} ', [], false, false, '2'],
    ['{# note #}', [], false, false, ''],
    ['{{ 1 / 0 }}', [], false, false, undefined],
    ['{{ a }}{{ b.c[d] }}', ['a', 'b', 'd'], false, false, undefined],
    ['{% for x in xs %}{{ x }}{{ loop.index }}{% endfor %}', ['xs'], false, false, undefined],
    ['{% set x = a %}{{ x }}', ['a'], false, false, undefined],
    ['{% if a %}{% set x = 1 %}{% endif %}{{ x }}', ['a', 'x'], false, false, undefined],
    ['{{ attributes["k/v"] }}', ['k/v'], false, false, undefined],
    ['{{ attributes[a] }}', ['a'], true, false, undefined],
    ['{{ datetime.now() }}', ['datetime'], false, true, undefined],
    ['{{ACCOUNT:a:b}}', [], false, false, undefined],
    ['{{ get_list("a,b")|join }}', [], false, false, 'ab'],
  ])('%s', (source, names, readsAll, isVolatile, constant) => {
    const template = compileTemplate(source);
    expect([...template.names]).toEqual(names);
    expect(template).toMatchObject({ source, readsAll, volatile: isVolatile, constant });
  });
});

describe('a hash', () => {
  // The beginnings of SHA-256 in hexadecimal digits, as `hashlib` gives them.
  it.each([
    ['{{ "x"|hash(12) }}', '2d711642b726'],
    ['{{ hash_value("x", 12) }}', '2d711642b726'],
    ['{{ " x "|hash(length="12") }}', '2d711642b726'],
    ['{{ ["b", " a"]|hash }}', '1eb7c54d'],
    ['{{ ("a", "b")|hash }}', '1eb7c54d'],
    ['{{ "abc"|hash("sha1") }}', 'a9993e364706816aba3e25717850c26c9cd0d89d'],
    ['{{ "abc"|hash("md5") }}', '900150983cd24fb0d6963f7d28e17f72'],
    ['{{ "abc"|hash("SHA-256") }}', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    ['{{ nothing|hash(1) }}', 'e3b0'],
    ['{{ hash_value("x", 99)|length }}', '64'],
  ])('%s gives %s', (source, expected) => expect(text(source)).toBe(expected));

  it('of what is not there makes the text empty', () => expect(render('{{ missing|hash }}').ok).toBe(false));

  it('by an unknown digest is an error', () => {
    expect(render('{{ "abc"|hash("sha0") }}')).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining("there is no digest 'sha0'") },
    });
  });
});

describe('filters with patterns', () => {
  it.each([
    [`{{ 'exmpl-qa-sbx-web' | regex_replace('^exmpl-(qa|service)-sbx-', '') }}`, 'web'],
    [`{{ 'web01.example.org' | regex_replace('^([a-z]+)([0-9]+).*$', '\\\\2-\\\\g<1>') }}`, '01-web'],
    [`{{ 'a-b-c' | regex_replace('-', '_', count=1) }}`, 'a_b-c'],
    [`{{ 'ABC' | regex_replace('b', 'x', ignorecase=true) }}`, 'AxC'],
    [`{{ 'abc' | regex_replace('x*', '.') }}`, '.a.b.c.'],
    [`{{ 'web01.example.org' | regex_search('[0-9]+') }}`, '01'],
    [`{{ 'web01' | regex_search('([a-z]+)([0-9]+)', '\\\\2', '\\\\1') | join('/') }}`, '01/web'],
    [`{{ 'web01' | regex_search('(?P<n>[0-9]+)', '\\\\g<n>') | first }}`, '01'],
    [`{{ 'web' | regex_search('[0-9]+') }}`, ''],
    [`{{ 'a1 b2' | regex_findall('[a-z]([0-9])') | join(',') }}`, '1,2'],
    [`{{ 'a1 b2' | regex_findall('([a-z])([0-9])') }}`, "[('a', '1'), ('b', '2')]"],
    [`{{ ['a1', 'b2'] | map('regex_replace', '[0-9]', '') | join }}`, 'ab'],
  ])('%s is %s', (source, text) => expect(render(source)).toEqual({ ok: true, text }));

  it.each([
    `{{ 'a' | regex_replace('(?=a)', '') }}`,
    `{{ 'a' | regex_replace('(', '') }}`,
    `{{ 'a' | regex_replace('a', '\\\\1') }}`,
    `{{ 'a' | regex_search('((a{1,99}){1,99})') }}`,
    `{{ ('ab' * 400000) | regex_findall('(a|b)*c') }}`,
  ])('refuse %s', (source) => expect(render(source).ok).toBe(false));
});
