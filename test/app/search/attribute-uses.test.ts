import { expect, it } from 'vitest';
import { attributeUses, isUseOf } from '../../../src/app/search/attribute-uses.ts';
import { automationFilter } from '../../../src/plugins/automation-filter/rule-type.ts';
import { automationRewrite } from '../../../src/plugins/automation-rewrite/rule-type.ts';
import { customAttributes } from '../../../src/plugins/custom-attributes/rule-type.ts';
import type { RuleDocument, RuleType } from '../../../src/ports/index.ts';

function uses(type: RuleType, document: RuleDocument) {
  return attributeUses(type, document).map(({ use, name, path }) => `${use} ${name} in ${path}`);
}

it('conditions, templates and outcomes say which attributes a rule reads and sets', () => {
  const document = {
    conditions: [
      { match_type: 'tag', tag: 'site', tag_match: 'equal', value: '{{ home }}', value_match: 'equal' },
      { match_type: 'tag', tag: 'rack', tag_match: 'ignore', tag_match_negate: true },
      { match_type: 'tag', tag: 'net_', tag_match: 'swith', value: '', value_match: 'ignore' },
      {
        match_type: 'tag',
        tag: 'secret',
        tag_match: 'equal',
        tag_match_negate: true,
        value: 'x',
        value_match: 'equal',
      },
      { match_type: 'host', hostname: 'web', hostname_match: 'swith' },
    ],
    outcomes: [{ attribute_name: 'tier', attribute_value: '{% if role %}{{ attributes["a/b"] }}{% endif %}' }],
  };
  expect(uses(customAttributes, document)).toEqual([
    'reads site in conditions.0.tag',
    'reads rack in conditions.1.tag',
    'reads net_* in conditions.2.tag',
    'sets tier in outcomes.0.attribute_name',
    'reads home in conditions.0.value',
    'reads role in outcomes.0.attribute_value',
    'reads a/b in outcomes.0.attribute_value',
  ]);
});

it('what is renamed is read, what it becomes is set, and a filter shows names and no values', () => {
  const outcome = (overwrite_name: string, old_attribute_name: string, new_attribute_name: string) => ({
    overwrite_name,
    old_attribute_name,
    new_attribute_name,
    overwrite_value: '',
  });
  const outcomes = [outcome('', 'a', ''), outcome('string', 'b', 'c'), outcome('prefix', 'x_', 'y_')];
  expect(uses(automationRewrite, { outcomes })).toEqual([
    'reads a in outcomes.0.old_attribute_name',
    'sets a in outcomes.0.old_attribute_name',
    'reads b in outcomes.1.old_attribute_name',
    'sets c in outcomes.1.new_attribute_name',
    'reads x_* in outcomes.2.old_attribute_name',
    'sets y_* in outcomes.2.new_attribute_name',
  ]);
  const filter = [
    { action: 'whitelist_attribute', attribute_name: '!net_*' },
    { action: 'whitelist_attribute_value', attribute_name: 'berlin' },
    { action: 'ignore_hosts' },
  ];
  expect(uses(automationFilter, { outcomes: filter })).toEqual(['shows net_* in outcomes.0.attribute_name']);
  const use = { path: '', name: 'net_*', use: 'shows' } as const;
  expect([isUseOf(use, 'net_eth0'), isUseOf(use, 'network'), isUseOf({ ...use, name: 'net' }, 'net_')]).toEqual([
    true,
    false,
    false,
  ]);
});

it('a template that does not compile names nothing', () => {
  expect(uses(customAttributes, { outcomes: [{ attribute_name: 'a', attribute_value: '{{ site' }] })).toEqual([
    'sets a in outcomes.0.attribute_name',
  ]);
});
