import { describe, expect, it } from 'vitest';
import { compileTemplate } from '../../src/jinja/template.ts';
import { scopeOf } from './scope.ts';

function repeated<Item>(count: number, make: (index: number) => Item): Item[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

const scope = scopeOf({
  packages: repeated(2000, (index) => ({
    name: `package-${index}`,
    version: `1.${index}`,
    arch: 'amd64',
    pinned: false,
  })),
  words: repeated(20_000, (index) => `w${index}`),
  numbers: repeated(5000, (index) => index),
  scattered: repeated(10_000, (index) => (index * 7919) % 10_007),
  floats: repeated(5000, (index) => index / 2),
  groups: repeated(2000, (index) => [index, index + 1]),
  table: Object.fromEntries(repeated(3000, (index) => [`key${index}`, index])),
  many: repeated(50_000, (index) => index),
  bulky: repeated(50, () => 'x'.repeat(30_000)),
});

function render(source: string) {
  return compileTemplate(source, { budget: { maxMillis: 60_000 } }).render(scope);
}

describe('values of an ordinary size', () => {
  it.each([
    ['{{ packages|tojson }}', 159_780],
    ['{{ packages|tojson(2) }}', 203_782],
    ['{{ packages }}', 159_780],
    ['{{ packages|map("tojson")|join(",") }}', 157_779],
    ['{{ words|join(",") }}', 128_889],
    ['{{ packages|join(",", attribute="name") }}', 24_889],
    ['{{ numbers }}', 28_890],
    ['{{ [numbers]*3 }}', 86_676],
    ['{{ numbers*2 }}', 57_780],
    ['{{ (numbers + numbers)|string }}', 57_780],
    ['{{ table }}', 48_780],
    ['{{ table|urlencode }}', 36_779],
    ['{{ "%s"|format(numbers) }}', 28_890],
    ['{{ "{}".format(numbers) }}', 28_890],
    ['{{ scattered|sort|length }}', 5],
    ['{{ floats|unique|list|length }}', 4],
    ['{{ groups|sum(start=[])|length }}', 4],
  ])('%s gives %d characters', (source, length) => {
    const result = render(source);
    expect(result).toMatchObject({ ok: true });
    expect(result.text).toHaveLength(length);
  });
});

describe('values that are too large', () => {
  it.each([
    ['{{ bulky }}', 'the template produces a text that is too long'],
    ['{{ bulky|tojson }}', 'the template produces a text that is too long'],
    ['{{ bulky|join(",") }}', 'the template produces a text that is too long'],
    ['{{ bulky|map("upper")|join }}', 'the template produces a text that is too long'],
    ['{{ "%s%s" % (bulky[:20], bulky[:20]) }}', 'the template produces a text that is too long'],
    ['{{ "{}{}".format(bulky[:20], bulky[:20]) }}', 'the template produces a text that is too long'],
    ['{{ numbers * 40 }}', 'the template takes too many steps'],
    ['{{ [numbers] * 40 }}', 'the template produces a text that is too long'],
    ['{% for i in range(300) %}{% set x = numbers|string %}{% endfor %}', 'the template takes too many steps'],
    ['{% for i in range(300) %}{% set x = packages|tojson %}{% endfor %}', 'the template takes too many steps'],
    ['{% for i in range(300) %}{% set x = words|join %}{% endfor %}', 'the template takes too many steps'],
  ])('%s stops', (source, message) => {
    expect(render(source)).toEqual({ ok: false, text: '', error: { kind: 'budget', message } });
  });
});
