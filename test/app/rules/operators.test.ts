import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/ports/json.ts';
import { hostRecord, program, rule } from './support.ts';

/** Whether a rule with these conditions hits the host. */
function hits(
  conditions: readonly JsonObject[],
  labels: JsonObject,
  more: JsonObject & { hostname?: string } = {},
): boolean {
  const { hostname, ...envelope } = more;
  const compiled = program({
    custom_attributes: [
      rule([{ attribute_name: 'hit', attribute_value: 'yes' }], { condition_typ: 'all', conditions, ...envelope }),
    ],
  });
  const evaluated = compiled.evaluate(hostRecord({ labels, accountId: null, ...(hostname ? { hostname } : {}) }));
  expect(compiled.errors()).toEqual([]);
  return evaluated.variables.value.hit === 'yes';
}

function value(operator: string, needle: JsonValue, negate = false): JsonObject {
  return {
    match_type: 'tag',
    tag: 'x',
    tag_match: 'equal',
    value: needle,
    value_match: operator,
    value_match_negate: negate,
  };
}

/** Operator, needle, value of the attribute, whether it holds. */
const TABLE: readonly (readonly [string, JsonValue, JsonValue, boolean])[] = [
  ['equal', 'linux', 'Linux', true],
  ['equal', 'Linux', 'linux ', false],
  ['equal', 'MÜNCHEN', 'münchen', true],
  ['equal', 'straße', 'STRASSE', true],
  ['equal', 'σας', 'ΣΑΣ', true],
  ['equal', 'k', 'K', true],
  ['equal', '10', 10, true],
  ['equal', '2.5', 2.5, true],
  ['equal', 10, '10', true],
  ['equal', 'true', true, true],
  ['equal', true, 'TRUE', true],
  ['equal', 'none', null, true],
  ['equal', '', '', true],
  ['equal', '', null, false],
  ['equal', 'a', ['a'], false],
  ['in', 'NU', 'Linux', true],
  ['in', '', 'Linux', true],
  ['in', 'ÄR', 'Bär', true],
  ['in', 'ας', 'ΣΑΣΑ', true],
  ['in', 'xx', 'Linux', false],
  ['in', 'lin', ['Windows', 'Linux'], true],
  ['in', 'lin', ['Windows'], false],
  ['in', '1', [21], true],
  ['in', '', [], false],
  ['not_in', 'NU', 'Linux', false],
  ['not_in', 'xx', 'Linux', true],
  ['not_in', 'lin', ['Windows', 'Linux'], false],
  ['not_in', 'lin', [], true],
  ['swith', 'LIN', 'linux', true],
  ['swith', 'nux', 'linux', false],
  ['swith', 'linux-long', 'linux', false],
  ['swith', 'ÄR', 'ärger', true],
  ['swith', '1', 10, true],
  ['swith', 'a', ['a'], false],
  ['ewith', 'NUX', 'linux', true],
  ['ewith', 'lin', 'linux', false],
  ['ewith', 'ÄR', 'bär', true],
  ['in_list', 'a, b ,c', 'b', true],
  ['in_list', 'a, b ,c', 'B', false],
  ['in_list', 'a, b ,c', ' b ', false],
  ['in_list', '1,2', 2, true],
  ['in_list', 'a', ['a'], false],
  ['string_in_list', 'b', ['a', 'b'], true],
  ['string_in_list', 'B', ['a', 'b'], false],
  ['string_in_list', '2', [1, 2], true],
  ['string_in_list', 'b', 'a,b', true],
  ['string_in_list', 'b', 'a, b', true],
  ['string_in_list', 'b', 'abc', false],
  ['string_in_list', '1', 1, false],
  ['regex', 'lin', 'linux', true],
  ['regex', 'nux', 'linux', false],
  ['regex', 'LIN', 'linux', false],
  ['regex', '(?i)LIN', 'linux', true],
  ['regex', 'lin$', 'linux', false],
  ['regex', 'a.c', 'a\nc', false],
  ['regex', '(?s)a.c', 'a\nc', true],
  ['regex', '\\d+', 10, true],
  ['regex', '', '', true],
  ['regex', '(a+)+$', `${'a'.repeat(5000)}!`, false],
  ['regex', '.*', ['a'], false],
  ['bool', 'true', 'yes', true],
  ['bool', 'TRUE', true, true],
  ['bool', 'false', 'False', true],
  ['bool', 'false', 'none', true],
  ['bool', '0', null, true],
  ['bool', '', 0, true],
  ['bool', 'x', 1, true],
  ['bool', 'true', '', false],
  ['bool', 'false', [], true],
  ['bool', 'true', ['a'], true],
  ['ignore', 'whatever', 'x', true],
  ['ignore', '', [], true],
];

describe('operators', () => {
  it.each(TABLE)('%s %j on %j: %j, and negated the opposite', (operator, needle, given, expected) => {
    expect(hits([value(operator, needle)], { x: given })).toBe(expected);
    expect(hits([value(operator, needle, true)], { x: given })).toBe(!expected);
  });

  it.each(['equal', 'in', 'not_in', 'swith', 'ewith', 'in_list', 'string_in_list', 'regex', 'bool', 'ignore'])(
    '%s finds nothing in an attribute that is not there, negated or not',
    (operator) => {
      expect(hits([value(operator, '')], {})).toBe(false);
      expect(hits([value(operator, '', true)], {})).toBe(false);
    },
  );

  it('cannot compare an object, and the negation holds', () => {
    const inventory = { cmk: { state: { a: 1 } } };
    for (const operator of ['equal', 'in', 'not_in', 'swith', 'ewith', 'in_list', 'string_in_list', 'regex']) {
      for (const negate of [false, true]) {
        const compiled = program({
          custom_attributes: [
            rule([{ attribute_name: 'hit', attribute_value: 'yes' }], {
              condition_typ: 'all',
              conditions: [{ ...value(operator, '', negate), tag: 'cmk__state' }],
            }),
          ],
        });
        expect(compiled.evaluate(hostRecord({ inventory })).variables.value.hit === 'yes').toBe(negate);
      }
    }
  });
});

describe('conditions', () => {
  const any = { value: '', value_match: 'ignore' };

  it('look a name up exactly unless negated', () => {
    expect(hits([{ match_type: 'tag', tag: 'OS', tag_match: 'equal', ...any }], { os: 1 })).toBe(false);
    expect(hits([{ match_type: 'tag', tag: 'os', tag_match: 'equal', ...any }], { os: 1 })).toBe(true);
    const other = { match_type: 'tag', tag: 'OS', tag_match: 'equal', tag_match_negate: true, ...any };
    expect(hits([other], { os: 1 })).toBe(false);
    expect(hits([other], { os: 1, site: 2 })).toBe(true);
  });

  it('find that an attribute does not exist', () => {
    const absent = { match_type: 'tag', tag: 'x', tag_match: 'ignore', tag_match_negate: true };
    expect(hits([absent], {})).toBe(true);
    expect(hits([absent], { x: null })).toBe(false);
    expect(hits([{ ...absent, value: 'x', value_match: 'equal' }], {})).toBe(true);
  });

  it('reach into inventory objects by dotted paths, unless an attribute has that very name', () => {
    const at = (tag: string, needle: string) =>
      rule([{ attribute_name: tag, attribute_value: 'hit' }], {
        condition_typ: 'all',
        conditions: [{ match_type: 'tag', tag, tag_match: 'equal', value: needle, value_match: 'equal' }],
      });
    const compiled = program({
      custom_attributes: [
        at('cmk__a.b', '1'),
        at('cmk__a.k.d', '2'),
        at('cmk__a.e.f', '3'),
        at('cmk__a.toString', ''),
        at('plain.x', 'label'),
      ],
    });
    const record = hostRecord({
      labels: { 'plain.x': 'label' },
      inventory: { cmk: { a: { b: 1, 'k.d': 2, e: { f: 3 } } }, plain: {} },
    });
    const { variables } = compiled.evaluate(record);
    expect(variables.value).toMatchObject({
      'cmk__a.b': 'hit',
      'cmk__a.k.d': 'hit',
      'cmk__a.e.f': 'hit',
      'plain.x': 'hit',
    });
    expect(Object.keys(variables.value)).not.toContain('cmk__a.toString');
  });

  it('compare hostnames in lower case', () => {
    const host = (hostname: string, hostname_match: string) => [{ match_type: 'host', hostname, hostname_match }];
    expect(hits(host('WEB01', 'swith'), {}, { hostname: 'Web01.Example' })).toBe(true);
    expect(hits(host('Web01.example, X', 'in_list'), {}, { hostname: 'WEB01.EXAMPLE' })).toBe(true);
    expect(hits(host('WEB\\d+', 'regex'), {}, { hostname: 'web01' })).toBe(true);
    expect(hits(host('web\\d+', 'regex'), {}, { hostname: 'WEB01' })).toBe(true);
  });

  it('take a template as value; one that fails cannot be compared', () => {
    const same = (negate: boolean) => ({ ...value('equal', '{{ y }}', negate) });
    expect(hits([same(false)], { x: 'A', y: 'a' })).toBe(true);
    expect(hits([same(false)], { x: 'A', y: 'b' })).toBe(false);
    const failing = program({
      custom_attributes: [
        rule([{ attribute_name: 'hit', attribute_value: '1' }], {
          condition_typ: 'all',
          conditions: [value('in', '{{ y }}')],
        }),
      ],
    });
    expect(failing.evaluate(hostRecord({ labels: { x: 'a' } })).variables.value).not.toHaveProperty('hit');
    expect(failing.errors()).toMatchObject([{ errors: 1, lastHostname: 'web01.example.org' }]);
  });

  it('with none given: all hits, any does not', () => {
    expect(hits([], {}, { condition_typ: 'all' })).toBe(true);
    expect(hits([], {}, { condition_typ: 'any' })).toBe(false);
    expect(hits([value('equal', 'no')], {}, { condition_typ: 'anyway' })).toBe(true);
  });
});
