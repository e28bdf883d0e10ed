import { describe, expect, test } from 'vitest';
import { readConditions } from '../../../src/app/rules/engine/condition-document.ts';
import { describeCondition } from '../../../src/app/rules/engine/describe-condition.ts';
import { hostTest, type QueryFacts } from '../../../src/app/search/decisions/host-test.ts';
import { parseQuery } from '../../../src/app/search/decisions/parse-query.ts';
import { ruleConditions } from '../../../src/app/search/decisions/rule-conditions.ts';
import type { HostRecord } from '../../../src/ports/host.ts';
import { hostRecord, program, rule } from '../rules/support.ts';

function said(text: string) {
  const query = parseQuery(text);
  if (!query.ok) throw new Error('unreadable');
  const { mode, conditions, notes } = ruleConditions(query.value);
  const { conditions: read, problems } = readConditions({ conditions: [...conditions] });
  expect(problems).toEqual([]);
  return {
    mode,
    conditions: read.map(({ condition }) =>
      describeCondition(condition).text.replaceAll(/attribute "([^"]+)"/g, 'attribute $1'),
    ),
    notes: notes.map(({ part, isLeftOut }) => `${isLeftOut ? 'without ' : 'not quite '}${part}`),
  };
}

/** The same hosts, by the search and by a rule. */
function foundBy(text: string) {
  const query = parseQuery(text);
  if (!query.ok) throw new Error('unreadable');
  const test = hostTest(query.value, facts);
  if (!test.ok) throw new Error('unreadable');
  const { mode, conditions } = ruleConditions(query.value);
  const outcomes = [{ attribute_name: 'hit', attribute_value: 'yes' }];
  const { evaluate } = bound(
    program({ custom_attributes: [rule(outcomes, { condition_typ: mode, conditions: [...conditions] })] }),
  );
  return hosts.map((host) => ({
    host: host.hostname,
    search: test.value(host),
    rule: 'hit' in evaluate(host).variables.value,
  }));
}

function bound(made: ReturnType<typeof program>) {
  return { evaluate: (host: HostRecord) => made.evaluate(host) };
}

const facts: QueryFacts = {
  now: new Date(0),
  accounts: new Map([['a1', 'cmdb']]),
  found: new Map(),
  targets: () => [],
  groups: () => [],
  served: () => [],
};
const hosts = [
  hostRecord({ hostname: 'web1', labels: { site: 'Fra', role: 'web', cpus: 8 } }),
  hostRecord({ hostname: 'web2.example.org', labels: { site: 'ber', owner: 'x.y' } }),
  hostRecord({
    hostname: 'DB1',
    labels: { role: 'db (old)', owner: '' },
    inventory: { facts: { os: { name: 'debian' } } },
  }),
  hostRecord({ hostname: 'fra', accountId: null, labels: { site: 'fra2', role: 'Web' } }),
];

describe('a search as the conditions of a rule', () => {
  test.each([
    ['', 'anyway', []],
    ['site:fra role:web', 'all', ['attribute site equals "fra"', 'attribute role equals "web"']],
    ['site:fra OR role:web', 'any', ['attribute site equals "fra"', 'attribute role equals "web"']],
    ['site:(fra OR ber)', 'any', ['attribute site equals "fra"', 'attribute site equals "ber"']],
    ['name:web* owner:*', 'all', ['hostname starts with "web"', 'attribute owner exists']],
    ['-owner:* state:active', 'all', ['there is no attribute owner']],
    ['-site:fra', 'any', ['attribute site does not equal "fra"', 'there is no attribute site']],
    ['NOT (site:* OR owner:*)', 'all', ['there is no attribute site', 'there is no attribute owner']],
    [
      'account:lab section.facts.os.name:debian',
      'all',
      ['attribute SOURCE_ACCOUNT equals "lab"', 'attribute facts__os.name equals "debian"'],
    ],
    ['name:(a1 OR B2) site:fra', 'all', ['hostname is one of "a1,b2"', 'attribute site equals "fra"']],
    ['name:(a1 B2) site:fra', 'all', ['hostname is one of "a1,b2"', 'attribute site equals "fra"']],
    [
      'site:(fra OR b.r*) role:web',
      'all',
      ['attribute site matches the pattern "(?i)(?:fra|b\\\\.r.*)$"', 'attribute role equals "web"'],
    ],
  ])('%s', (query, mode, conditions) => {
    expect(said(query)).toEqual({ mode, conditions, notes: [] });
  });

  test.each([
    ['site:fra cpus>=8', ['attribute site equals "fra"'], ['without cpus>=8']],
    [
      'site:fra seen<2d served.tier:core group:web type:host',
      ['attribute site equals "fra"'],
      ['without seen<2d', 'without served.tier:core', 'without group:web', 'without type:host'],
    ],
    ['site:fra (role:web OR owner:x)', ['attribute site equals "fra"'], ['without (role:web OR owner:x)']],
    [
      'site:fra -role:web',
      ['attribute site equals "fra"', 'attribute role does not equal "web"'],
      ['not quite -role:web'],
    ],
    ['facts.os:debian', ['attribute facts.os equals "debian"'], ['not quite facts.os:debian']],
    ['site:fra web', ['attribute site equals "fra"', 'hostname contains "web"'], ['not quite web']],
    ['ip:10.0.0.0/8 "a b":c', ['attribute a b equals "c"'], ['without ip:10.0.0.0/8']],
    ['site:fra 10.0.0.0/8', ['attribute site equals "fra"'], ['without 10.0.0.0/8']],
    ['ip:2001:DB8:0::1', ['attribute ip equals "2001:DB8:0::1"'], ['not quite ip:2001:DB8:0::1']],
    ['ip:"2001:DB8:0::1"', ['attribute ip equals "2001:DB8:0::1"'], []],
    ['name:10.3.3.3', ['hostname equals "10.3.3.3"'], ['not quite name:10.3.3.3']],
    [
      'site:fra name:(web01 10.3.3.3)',
      ['attribute site equals "fra"', 'hostname is one of "web01,10.3.3.3"'],
      ['not quite (name:web01 OR name:10.3.3.3)'],
    ],
    ['runs_on:esx01', ['attribute runs_on equals "esx01"'], ['not quite runs_on:esx01']],
  ])('%s says what it leaves out', (query, conditions, notes) => {
    expect(said(query)).toEqual({ mode: 'all', conditions, notes });
  });

  test.each([
    'site:fra',
    '-site:fra',
    'site:fra*',
    'site:*2 OR role:web',
    'site:(fra OR b*r) role:*',
    'role:"db (old)"',
    'role:(web OR "db (old)") owner:*',
    'role~^db',
    'role~"o.d"',
    'name:(web1 OR db1)',
    'name:*.example.org',
    'name:(db1 OR fra) role:*',
    '-owner:*',
    'NOT (site:ber OR owner:*)',
    'NOT (site:ber owner:*)',
    'section.facts.os.name:debian',
    'account:cmdb',
    'cpus:8',
    'web',
  ])('%s hits the same hosts as a rule', (text) => {
    for (const { host, search, rule: hit } of foundBy(text)) expect({ host, hit }).toEqual({ host, hit: search });
  });

  test('alternatives that are several tests are other rules', () => {
    expect(said('(site:fra role:web) OR site:ber')).toEqual({
      mode: 'any',
      conditions: ['attribute site equals "ber"'],
      notes: ['without (site:fra role:web)'],
    });
  });
});
