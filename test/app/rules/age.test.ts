import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PluginRegistry } from '../../../src/app/kernel/plugin-host/registry.ts';
import { readAge } from '../../../src/app/rules/engine/age.ts';
import { documentProblems } from '../../../src/app/rules/engine/document-problems.ts';
import { pointInTime } from '../../../src/jinja/point-in-time.ts';
import type { JsonObject } from '../../../src/ports/json.ts';
import { EVALUATED, hostRecord, program, rule } from './support.ts';

const NOON = new Date('2026-03-01T12:00:00Z');
const [customAttributes] = EVALUATED;

function condition(value_match: string, value: string, more: JsonObject = {}): JsonObject {
  return { match_type: 'tag', tag: 'seen', tag_match: 'equal', value, value_match, ...more };
}

function compiled(conditions: readonly JsonObject[], now = () => NOON) {
  const outcomes = [{ attribute_name: 'hit', attribute_value: 'yes' }];
  return program({ custom_attributes: [rule(outcomes, { condition_typ: 'all', conditions })] }, { now });
}

function problems(conditions: readonly JsonObject[]) {
  return documentProblems(rule([], { conditions }), customAttributes!, new PluginRegistry());
}

describe('an age', () => {
  it.each([
    ['30m', 30 * 60_000],
    ['12h', 12 * 3_600_000],
    ['2d', 2 * 86_400_000],
    ['1w', 7 * 86_400_000],
    [' 2 D ', 2 * 86_400_000],
    ['2', 2 * 86_400_000],
    ['0.5', 43_200_000],
    ['1.5h', 5_400_000],
    ['-1d', -86_400_000],
  ])('%s', (text, milliseconds) => expect(readAge(text)).toBe(milliseconds));

  it.each(['', 'd', '2y', '2 days', 'two', '1h30m', 'inf', 'nan'])('is not %j', (text) => {
    expect(() => readAge(text)).toThrow('is not an age; write a number of days');
  });
});

describe('a point in time', () => {
  // What `datetime.fromisoformat` of Python 3.11 answers, without an offset taken as UTC.
  it.each([
    ['2026-02-27', '2026-02-27T00:00:00.000Z'],
    ['2026-02-27 11:59:59', '2026-02-27T11:59:59.000Z'],
    ['2026-02-27T11:59:59.678901', '2026-02-27T11:59:59.678Z'],
    ['2026-02-27T11:59:59,5', '2026-02-27T11:59:59.500Z'],
    ['2026-02-27T11', '2026-02-27T11:00:00.000Z'],
    ['2026-02-27T1159', '2026-02-27T11:59:00.000Z'],
    ['20260227T115930Z', '2026-02-27T11:59:30.000Z'],
    ['2026-02-27T11:59:59+01:00', '2026-02-27T10:59:59.000Z'],
    ['2026-02-27T11:59:59-0130', '2026-02-27T13:29:59.000Z'],
    ['2026-W09-5', '2026-02-27T00:00:00.000Z'],
    ['2026W095T10', '2026-02-27T10:00:00.000Z'],
    ['2026-W09', '2026-02-23T00:00:00.000Z'],
    ['0001-01-01', '0001-01-01T00:00:00.000Z'],
    // Seconds and milliseconds since 1970, told by their digits.
    [1_577_836_800, '2020-01-01T00:00:00.000Z'],
    ['1577836800', '2020-01-01T00:00:00.000Z'],
    [999_999_999, '2001-09-09T01:46:39.000Z'],
    [1_577_836_800_123, '2020-01-01T00:00:00.123Z'],
    ['999999999999', '2001-09-09T01:46:39.999Z'],
    // As programs print times.
    ['2020-01-01 00:00:00 +0000 UTC', '2020-01-01T00:00:00.000Z'],
    ['2020-01-01 01:00:00.123456789 +0100 CET m=+0.004', '2020-01-01T00:00:00.123Z'],
    ['2020-01-01 05:30:00 +0530 +0530', '2020-01-01T00:00:00.000Z'],
    ['2020-01-01 00:00:00 UTC', '2020-01-01T00:00:00.000Z'],
    ['2020/01/01 00:00:00', '2020-01-01T00:00:00.000Z'],
    ['2020-01-01T00:00:00.000+02:00', '2019-12-31T22:00:00.000Z'],
    // Of directories and certificates.
    ['20200101000000Z', '2020-01-01T00:00:00.000Z'],
    ['202001010000Z', '2020-01-01T00:00:00.000Z'],
    ['20200101000000.0Z', '2020-01-01T00:00:00.000Z'],
    ['202001010130+0130', '2020-01-01T00:00:00.000Z'],
    ['Jan  1 00:00:00 2020 GMT', '2020-01-01T00:00:00.000Z'],
    // Of mail, HTTP, Unix and .NET.
    ['Wed, 01 Jan 2020 00:00:00 +0000', '2020-01-01T00:00:00.000Z'],
    ['1 Jan 2020 00:00 -0500', '2020-01-01T05:00:00.000Z'],
    ['Wed, 01 Jan 2020 00:00:00 GMT', '2020-01-01T00:00:00.000Z'],
    ['Tue, 31 Dec 2019 19:00:00 EST', '2020-01-01T00:00:00.000Z'],
    ['Wednesday, 01-Jan-20 00:00:00 GMT', '2020-01-01T00:00:00.000Z'],
    ['Wed Jan  1 00:00:00 2020', '2020-01-01T00:00:00.000Z'],
    ['Wed Jan  1 00:00:00 UTC 2020', '2020-01-01T00:00:00.000Z'],
    ['/Date(1577836800000)/', '2020-01-01T00:00:00.000Z'],
    ['  2026-02-27  ', '2026-02-27T00:00:00.000Z'],
  ])('%j', (value, iso) => expect(new Date(Math.floor(pointInTime(value)!)).toISOString()).toBe(iso));

  it.each([
    '',
    'yesterday',
    '2026-02-30',
    '2026-2-7',
    '2026-02',
    '0000-01-01',
    '2026-02-27T24:00',
    '2026-02-27T11:60',
    '2026-02-27T',
    '2025-W53-1',
    '2026-02-27T11:59:59+24:00',
    // Other numbers count something else.
    20_260_227,
    '20260227',
    42,
    15_778_368_000,
    '157783680000000',
    132_223_104_000_000_000,
    -1_577_836_800,
    1_577_836_800.5,
    // Which of the two is the month is not known.
    '01/02/2020',
    '2020-01-01 00:00:00 CEST',
    'Wed, 32 Jan 2020 00:00:00 +0000',
    null,
    true,
    ['2026-02-27'],
    { at: '2026-02-27' },
  ])('is not %j', (value) => expect(pointInTime(value)).toBeUndefined());
});

describe('older_than and newer_than', () => {
  const UNITS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000, '': 86_400_000 };

  it('hold as the difference to the clock says', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -20 * 86_400_000, max: 20 * 86_400_000 }),
        fc.integer({ min: 0, max: 15 }),
        fc.constantFrom(...(Object.keys(UNITS) as (keyof typeof UNITS)[])),
        fc.constantFrom('older_than', 'newer_than'),
        fc.boolean(),
        (ago, amount, unit, operator, value_match_negate) => {
          const labels = { seen: new Date(NOON.getTime() - ago).toISOString() };
          const evaluated = compiled([condition(operator, `${amount}${unit}`, { value_match_negate })]).evaluate(
            hostRecord({ labels }),
          );
          const isOlder = ago > amount * UNITS[unit];
          const holds = (operator === 'older_than') === isOlder;
          expect(evaluated.variables.value.hit === 'yes').toBe(holds !== value_match_negate);
        },
      ),
    );
  });

  it('read the clock for every host', () => {
    let now = NOON;
    const rules = compiled([condition('older_than', '1h')], () => now);
    const host = hostRecord({ labels: { seen: '2026-03-01T11:30:00Z' } });
    expect(rules.evaluate(host).variables.value).not.toHaveProperty('hit');
    now = new Date('2026-03-01T13:00:00Z');
    expect(rules.evaluate(host).variables.value).toHaveProperty('hit');
  });

  it('make the results of a program change by themselves', () => {
    expect(compiled([condition('older_than', '1h')]).volatile).toBe(true);
    expect(compiled([condition('newer_than', '1h')]).volatile).toBe(true);
    expect(compiled([condition('equal', '1h')]).volatile).toBe(false);
  });

  it('hold for no value that is no time, and for each such value when negated', () => {
    for (const operator of ['older_than', 'newer_than']) {
      const host = hostRecord({ labels: { seen: 'never' } });
      expect(compiled([condition(operator, '1d')]).evaluate(host).variables.value).not.toHaveProperty('hit');
      const negated = compiled([condition(operator, '1d', { value_match_negate: true })]);
      expect(negated.evaluate(host).variables.value).toHaveProperty('hit');
      expect(negated.evaluate(hostRecord({})).variables.value).not.toHaveProperty('hit');
    }
  });

  it('take their age from a template, and tell one that gives none', () => {
    const rules = compiled([condition('older_than', '{{ limit }}')]);
    const labels = { seen: '2026-02-01', limit: '1w' };
    expect(rules.evaluate(hostRecord({ labels })).variables.value).toHaveProperty('hit');
    expect(rules.evaluate(hostRecord({ labels: { ...labels, limit: 'long' } })).variables.value).not.toHaveProperty(
      'hit',
    );
    expect(rules.errors()).toMatchObject([{ errors: 1, lastError: expect.stringContaining('"long" is not an age') }]);
  });

  it('are explained', () => {
    const [explained] = compiled([condition('older_than', '2d')]).explain(
      hostRecord({ labels: { seen: '2026-02-01' } }),
    ).rules;
    expect(explained?.conditions).toEqual([
      {
        text: 'attribute "seen" is older than "2d"',
        wording: {
          template: 'attribute {name} {comparison}',
          values: {
            name: '"seen"',
            comparison: { text: 'is older than "2d"', template: 'is older than {value}', values: { value: '"2d"' } },
          },
        },
        holds: true,
        decided: false,
        needle: '2d',
        looked: [{ name: 'seen', value: '2026-02-01' }],
        matched: { name: 'seen', value: '2026-02-01' },
      },
    ]);
  });

  it('are refused for names, and with an age that is none', () => {
    expect(problems([condition('older_than', 'long')])).toEqual([
      { path: 'conditions.0.value', message: expect.stringContaining('"long" is not an age'), inText: true },
    ]);
    expect(problems([condition('equal', '', { tag_match: 'older_than' })])).toEqual([
      {
        path: 'conditions.0.tag_match',
        message: 'older_than holds the value of an attribute against the clock; a name is not a time',
        wording: expect.objectContaining({ values: { operator: 'older_than' } }),
      },
    ]);
    expect(problems([{ match_type: 'host', hostname: '2d', hostname_match: 'newer_than' }])).toMatchObject([
      { path: 'conditions.0.hostname_match' },
    ]);
    expect(problems([condition('newer_than', '{{ limit }}')])).toEqual([]);
  });
});
