import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conditionsOf, conditionText, labelField, missingText } from '../../../src/app/search/decisions/conditions.ts';
import { hostTest } from '../../../src/app/search/decisions/host-test.ts';
import { parseQuery } from '../../../src/app/search/decisions/parse-query.ts';
import { type HostRecord, StoredJson } from '../../../src/ports/index.ts';

const NOTHING_ELSE = {
  now: new Date(0),
  accounts: new Map(),
  found: new Map(),
  targets: () => [],
  groups: () => [],
  served: () => [],
};

function asks(query: string, labels: Record<string, string>): boolean {
  const parsed = parseQuery(query);
  if (!parsed.ok) throw new Error(`${query}: ${parsed.message}`);
  const test = hostTest(parsed.value, NOTHING_ELSE);
  if (!test.ok) throw new Error(`${query}: ${test.message}`);
  const host = {
    hostname: 'h',
    labels: StoredJson.ofValue(labels),
    inventory: StoredJson.ofValue({}),
    members: StoredJson.ofValue({}),
    objectType: 'host',
    folder: null,
    accountId: null,
  };
  return test.value(host as unknown as HostRecord);
}

describe('conditions of a query', () => {
  it.each([
    ['', []],
    ['web', ['web']],
    ['site:fra  cpus>=8', ['site:fra', 'cpus>=8']],
    ['a AND b', ['a', 'b']],
    ['NOT a -b NOT NOT c', ['NOT a', '-b', 'NOT NOT c']],
    ['- (a OR b) c', ['- (a OR b)', 'c']],
    ['site:(fra OR ber) x', ['site:(fra OR ber)', 'x']],
    ['site = "two words"', ['site = "two words"']],
    ['a b OR c', ['(a b OR c)']],
    ['(a OR b) c', ['(a OR b)', 'c']],
    ['a"b"', ['a', '"b"']],
    ['site:', ['site:']],
    ['"never closed', []],
  ])('%s', (query, parts) => {
    expect(conditionsOf(query)).toEqual(parts);
  });

  const word = fc.constantFrom(
    'a',
    '-b',
    'site:fra',
    'x>=8',
    '"a OR b"',
    'NOT c',
    'fe80::1',
    'site:(a OR b)',
    '-(a b)',
  );
  const part = fc.oneof(
    word,
    fc.array(word, { minLength: 1 }).map((words) => `(${words.join(' OR ')})`),
  );

  it('ask together what the query asks', () => {
    fc.assert(
      fc.property(fc.array(part, { minLength: 1 }), fc.constantFrom(' ', ' AND ', ' OR '), (parts, between) => {
        const query = parts.join(between);
        expect(parseQuery(conditionsOf(query).join(' '))).toEqual(parseQuery(query));
      }),
    );
  });

  it('of a value find the hosts that have it, whatever is in it', () => {
    const text = fc.oneof(
      fc.string({ minLength: 1 }),
      fc.constantFrom('a"b', '*', '10.0.0.0/8', 'AND', '-', 'x:y', 'label.a'),
    );
    const names = fc.oneof(text, fc.constantFrom('name', 'type', 'runs_on', 'section.x', 'NOT', 'state', 'a.b'));
    fc.assert(
      fc.property(names, text, (name, value) => {
        fc.pre(value.trim() === value && value !== '');
        const field = labelField(name);
        const condition = conditionText(field, value);
        expect(conditionsOf(condition)).toEqual([condition]);
        expect(asks(condition, { [name]: value })).toBe(true);
        expect(asks(condition, { [name]: `${value}?` })).toBe(false);
        expect(asks(condition, {})).toBe(false);
        expect(asks(missingText(field), { [name]: value })).toBe(false);
        expect(asks(missingText(field), {})).toBe(true);
      }),
    );
  });
});
