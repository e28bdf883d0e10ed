import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/ports/json.ts';
import { account, hostRecord, program, rule } from './support.ts';

function tag(name: string, value_match: string, value: string): JsonObject {
  return { match_type: 'tag', tag: name, tag_match: 'equal', value, value_match };
}

describe('an explanation', () => {
  const compiled = program(
    {
      custom_attributes: [
        rule([{ attribute_name: 'os', attribute_value: 'unix' }], {
          name: 'lower',
          condition_typ: 'all',
          conditions: [tag('os', 'equal', 'linux'), tag('site', 'in', '{{ wanted }}')],
        }),
        rule([{ attribute_name: 'never', attribute_value: '1' }], {
          name: 'miss',
          condition_typ: 'all',
          conditions: [tag('os', 'equal', 'windows'), tag('site', 'equal', 'x')],
          sort_field: 1,
        }),
        rule([{ attribute_name: 'failed', attribute_value: '{{ nothing }}' }], {
          name: 'last',
          last_match: true,
          sort_field: 2,
        }),
        rule([{ attribute_name: 'os', attribute_value: 'late' }], { name: 'stopped', sort_field: 3 }),
        rule([{ attribute_name: 'x', attribute_value: '{{' }], { name: 'broken', sort_field: 4 }),
      ],
      automation_rewrite: [
        rule([{ old_attribute_name: 'site', overwrite_name: 'string', new_attribute_name: 'location' }], {
          name: 'rename',
        }),
      ],
      automation_filter: [rule([{ action: 'whitelist_attribute', attribute_name: 'o*' }], { name: 'show' })],
      automation_customvars: [
        rule([{ attribute_name: 'ansible_groups', attribute_value: '{{ location }}' }], { name: 'groups' }),
      ],
    },
    { templates: [{ hostname: 'linux', cmdb_match: 'os:Linux', labels: { wanted: 'DFW' } }] },
  );
  const explained = compiled.explain(
    hostRecord({ labels: { os: 'Linux', site: 'codfw' }, inventory: { cmk: { v: 1 } } }),
  );
  const attribute = (name: string) => explained.attributes.find((candidate) => candidate.name === name);
  const ruleNamed = (name: string) => explained.rules.find((candidate) => candidate.name === name);

  it('says where each attribute comes from and what it overwrote', () => {
    expect(attribute('os')).toMatchObject({
      value: 'unix',
      origin: { kind: 'rule', type: 'custom_attributes', name: 'lower' },
      steps: [
        { origin: { kind: 'label' }, after: 'Linux' },
        { origin: { kind: 'rule', name: 'lower' }, before: 'Linux', after: 'unix' },
      ],
      shown: true,
      filter: { rule: { name: 'show' }, line: 'show attributes whose name starts with "o"' },
    });
    expect(attribute('SOURCE_ACCOUNT')?.origin).toEqual({ kind: 'account' });
    expect(attribute('cmk__v')).toMatchObject({ origin: { kind: 'inventory', section: 'cmk' }, shown: false });
    expect(attribute('wanted')?.origin).toEqual({ kind: 'template', template: 'linux' });
    expect(attribute('HOSTNAME')?.origin).toEqual({ kind: 'core' });
    expect(attribute('location')?.origin).toMatchObject({ kind: 'rule', name: 'rename' });
    expect(attribute('site')).toBeUndefined();
  });

  it('says for each rule what decided it, with both sides', () => {
    expect(ruleNamed('lower')).toMatchObject({
      outcome: 'hit',
      conditions: [
        {
          text: 'attribute "os" equals "linux"',
          holds: true,
          needle: 'linux',
          matched: { name: 'os', value: 'Linux' },
        },
        { holds: true, needle: 'DFW', matched: { name: 'site', value: 'codfw' } },
      ],
      changes: [{ what: 'attribute', name: 'os', before: 'Linux', after: 'unix' }],
    });
    expect(ruleNamed('miss')).toMatchObject({
      outcome: 'missed',
      conditions: [
        { holds: false, decided: true, needle: 'windows', looked: [{ name: 'os', value: 'unix' }] },
        { decided: false, looked: [] },
      ],
      changes: [],
    });
    expect(ruleNamed('miss')?.conditions[1]).not.toHaveProperty('holds');
    expect(ruleNamed('last')).toMatchObject({
      outcome: 'hit',
      endedRun: true,
      errors: [expect.stringContaining('nothing')],
    });
    expect(ruleNamed('stopped')).toMatchObject({ outcome: 'stopped' });
    expect(ruleNamed('broken')).toMatchObject({ outcome: 'broken', stage: 'attributes' });
    expect(ruleNamed('rename')?.changes).toEqual([
      { what: 'attribute', name: 'site', before: 'codfw' },
      { what: 'attribute', name: 'location', after: 'codfw' },
    ]);
  });

  it('tells once what a rule sets to the same value twice', () => {
    const again = (value: string): JsonObject => ({
      old_attribute_name: 'role',
      overwrite_value: 'jinja',
      new_value: value,
    });
    const renaming = (...outcomes: JsonObject[]) => {
      const rename = { old_attribute_name: 'cluster', overwrite_name: 'string', new_attribute_name: 'role' };
      const [explanation] = program({ automation_rewrite: [rule([rename, ...outcomes])] }).explain(
        hostRecord({ labels: { cluster: 'jobrunner' } }),
      ).rules;
      return explanation?.changes;
    };
    const renamed = [
      { what: 'attribute', name: 'cluster', before: 'jobrunner' },
      { what: 'attribute', name: 'role', after: 'jobrunner' },
    ];
    expect(renaming(again("{{ role|replace('-', '_') }}"))).toEqual(renamed);
    expect(renaming(again('{{ role }}s'))).toEqual([
      ...renamed,
      { what: 'attribute', name: 'role', before: 'jobrunner', after: 'jobrunners' },
    ]);
    const [kept] = program({ custom_attributes: [rule([{ attribute_name: 'os', attribute_value: 'linux' }])] }).explain(
      hostRecord({ labels: { os: 'linux' } }),
    ).rules;
    expect(kept?.changes).toEqual([{ what: 'attribute', name: 'os', before: 'linux', after: 'linux' }]);
  });

  it('ends with the variables and groups, and counts no failures', () => {
    expect(explained).toMatchObject({
      included: true,
      groups: ['codfw'],
      result: { os: 'unix', ansible_groups: 'codfw' },
    });
    expect(explained.variables).toMatchObject([{ name: 'ansible_groups', origin: { kind: 'rule', name: 'groups' } }]);
    expect(compiled.errors().map(({ name }) => name)).toEqual(['broken']);
  });

  it('names the rule that took the host out', () => {
    const left = program({
      automation_filter: [rule([{ action: 'ignore_hosts' }], { name: 'out' })],
      automation_customvars: [rule([{ attribute_name: 'a', attribute_value: '1' }])],
    }).explain(hostRecord());
    expect(left).toMatchObject({ included: false, ignoredBy: { name: 'out' }, result: {} });
    expect(left.rules.map(({ outcome }) => outcome)).toEqual(['hit', 'left']);
  });

  it('is made over whatever the program got for the fields of accounts, and says that it reads them', () => {
    const hidden = program(
      {
        custom_attributes: [rule([{ attribute_name: 'raw', attribute_value: '{{ACCOUNT:cmdb:password}}' }])],
        automation_customvars: [rule([{ attribute_name: 'copy', attribute_value: '{{ raw | length }}' }])],
      },
      { accounts: [account({ password: '********' })] },
    );
    const explained = hidden.explain(hostRecord());
    expect(explained.result).toMatchObject({ raw: '********', copy: '8' });
    expect(explained.rules.map(({ readsAccounts }) => readsAccounts)).toEqual([true, false]);
  });
});

describe('a comparison that cannot be made', () => {
  const negated = (value_match: string, value: string) => ({
    ...tag('seen', value_match, value),
    value_match_negate: true,
  });
  const why = (seen: JsonObject[string], condition: JsonObject) => {
    const made = program(
      {
        custom_attributes: [
          rule([{ attribute_name: 'hit', attribute_value: 'yes' }], {
            name: 'asks',
            condition_typ: 'all',
            conditions: [condition],
          }),
        ],
      },
      { now: () => new Date('2026-03-01T12:00:00Z') },
    );
    const [explained] = made.explain(hostRecord({ labels: { seen: seen as string } })).rules;
    const [asked] = explained?.conditions ?? [];
    return [asked?.holds, (asked?.matched ?? asked?.looked[0])?.obstacle];
  };

  it.each([
    ['soon', 'older_than', '30', 'is not a time'],
    [42, 'newer_than', '30', 'is not a time'],
    [['a'], 'equal', 'a', 'is a list'],
    [['a'], 'regex', 'a', 'is a list'],
    [5, 'string_in_list', '5', 'is not a list'],
  ])('of %j by %s says why, and its negation holds', (seen, operator, needle, obstacle) => {
    expect(why(seen, tag('seen', operator, needle))).toEqual([false, obstacle]);
    expect(why(seen, negated(operator, needle))).toEqual([true, obstacle]);
  });

  it('is not said of one that can be made', () => {
    expect(why(1_577_836_800, negated('older_than', '30'))).toEqual([false, undefined]);
    expect(why(['a'], tag('seen', 'in', 'a'))).toEqual([true, undefined]);
  });
});
