import { expect, test } from 'vitest';
import { hostRecord, rule as plainRule, program } from './support.ts';

const fails = [{ attribute_name: 'rack', attribute_value: '{{ nowhere.at.all }}' }];
const sets = [{ attribute_name: 'tier', attribute_value: 'core' }];

let lastId = 0;

function rule(...[outcomes, more]: Parameters<typeof plainRule>) {
  return plainRule(outcomes, { _id: { $oid: String(++lastId).padStart(24, '0') }, ...more });
}

function tag(name: string, value: string) {
  return { match_type: 'tag', tag: name, tag_match: 'equal', value, value_match: 'equal' };
}

const hosts = ['a', 'b', 'c'].map((hostname) =>
  hostRecord({ hostname, labels: { site: hostname === 'c' ? 'ber' : 'fra' } }),
);

function counted(rules: Parameters<typeof program>[0], counts = true) {
  const made = program(rules, { counts });
  for (const host of hosts) made.count(host);
  return [...made.counts().values()].map(({ reached, hits, failing, unknownAttributes }) => ({
    reached,
    hits,
    failing,
    unknownAttributes,
  }));
}

test('rules are counted by the hosts that they reach, hit and fail on', () => {
  const fra = rule(fails, { name: 'fra', condition_typ: 'all', conditions: [tag('site', 'fra')], last_match: true });
  const typo = rule(sets, { name: 'later', condition_typ: 'all', conditions: [tag('sitee', 'fra')] });
  expect(counted({ custom_attributes: [fra, typo] })).toEqual([
    { reached: 3, hits: 2, failing: 2, unknownAttributes: [] },
    { reached: 1, hits: 0, failing: 0, unknownAttributes: ['sitee'] },
  ]);
});

test('a host that fails twice in a rule is one host, and a broken rule is among the counts', () => {
  const twice = rule([...fails, ...fails], { name: 'twice' });
  const broken = rule([{ attribute_name: 'x', attribute_value: '{{ site' }], { name: 'broken' });
  expect(counted({ custom_attributes: [twice, broken] })).toEqual([
    { reached: 3, hits: 3, failing: 3, unknownAttributes: [] },
    { reached: 0, hits: 0, failing: 1, unknownAttributes: [] },
  ]);
});

test('a program that does not count says nothing of hits', () => {
  expect(counted({ custom_attributes: [rule(sets)] }, false)).toEqual([
    { reached: 0, hits: 0, failing: 0, unknownAttributes: [] },
  ]);
});
