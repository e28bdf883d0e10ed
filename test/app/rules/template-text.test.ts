import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { brokenText, harmlessText, hasTemplateText, wrappedValue } from '../../../src/kit/names/template-text.ts';
import type { JsonValue } from '../../../src/ports/json.ts';

const text = fc.string({ unit: fc.constantFrom('{', '%', '#', '}', '"', '\\', 'u007b', 'a', ' ') });
const value: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.constantFrom<JsonValue>(null, true, 1),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(text, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;

/** Every text of a value, keys included. */
function texts(given: JsonValue): string[] {
  if (typeof given === 'string') return [given];
  if (typeof given !== 'object' || given === null) return [];
  if (Array.isArray(given)) return given.flatMap(texts);
  return Object.entries(given).flatMap(([key, item]) => [key, ...texts(item)]);
}

describe('template text', () => {
  it.each([
    ['{{ x }}', '{ { x }}'],
    ['{% if %}', '{ % if %}'],
    ['{# c #}', '{ # c #}'],
    ['{{{', '{ { {'],
    ['{{%', '{ { %'],
    ['{ { a } }', '{ { a } }'],
    ['{}', '{}'],
  ])('%s becomes %s', (given, expected) => {
    expect(brokenText(given)).toBe(expected);
  });

  it('is in no text of broken JSON, and nothing else changes', () => {
    fc.assert(
      fc.property(value, (given) => {
        const broken = JSON.parse(harmlessText(JSON.stringify(given)));
        for (const found of texts(broken)) expect(hasTemplateText(found)).toBe(false);
        expect(texts(broken)).toEqual(texts(given).map(brokenText));
        expect(harmlessText(JSON.stringify(broken))).toBe(JSON.stringify(broken));
      }),
    );
  });

  it('is found behind escapes', () => {
    expect(JSON.parse(harmlessText('{"a\\u007B{":"\\u007b\\u0025 x","b":"{\\u0023"}'))).toEqual({
      'a{ {': '{ % x',
      b: '{ #',
    });
  });

  it('is marked as unsafe in values, and broken in keys', () => {
    const given = JSON.parse('{"a{{":["{{ x }}","y",{"z":"{%"}],"n":1,"__proto__":"{#"}');
    expect(JSON.stringify(wrappedValue(given))).toBe(
      '{"a{ {":[{"__ansible_unsafe":"{{ x }}"},"y",{"z":{"__ansible_unsafe":"{%"}}],"n":1,"__proto__":{"__ansible_unsafe":"{#"}}',
    );
  });
});
