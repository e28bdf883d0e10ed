import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memberObjects, memberText } from '../../../src/kit/document/members.ts';
import type { JsonObject } from '../../../src/ports/json.ts';
import { ruleTypeOf } from '../../support/rule-type.ts';
import { EVALUATED, hostRecord, program, type Rules, rule } from './support.ts';

const texts = (document: JsonObject, member: string) =>
  memberObjects(document, 'outcomes').map((outcome) => memberText(outcome, member));

const TYPES = [
  ...EVALUATED,
  ruleTypeOf('registry_rewrite', {
    stage: 'rewrite',
    target: 'registry',
    compile: (document) => (host) => {
      for (const name of texts(document, 'upper'))
        host.attributes.set(name, String(host.attributes.get(name)).toUpperCase());
    },
  }),
  ruleTypeOf('registry_hosts', {
    stage: 'filter',
    target: 'registry',
    hostsOnly: true,
    compile: (document) => (host) => {
      const [what] = texts(document, 'what');
      if (what === 'throw') throw new Error('broke off');
      if (what === 'choose') host.filter.add({ on: 'name', text: 'os', prefix: false, show: true });
      else host.filter.ignoreHost();
    },
  }),
  ruleTypeOf('registry_shown', {
    stage: 'filter',
    target: 'registry',
    compile: (document) => (host) => {
      for (const text of texts(document, 'show'))
        host.filter.add({ on: 'name', text, prefix: text === '', show: true });
    },
  }),
  ruleTypeOf('registry_places', {
    stage: 'target',
    target: 'registry',
    compile: (document, compiler) => {
      const templates = texts(document, 'place').map((text) => compiler.template(text));
      return (host) => {
        for (const template of templates) {
          const place = template.render(host);
          if (place === 'throw') throw new Error('broke off');
          if (place !== undefined) host.outcome(place);
        }
      };
    },
  }),
  ruleTypeOf('other_places', { stage: 'target', target: 'other', compile: () => (host) => host.outcome('elsewhere') }),
  ruleTypeOf('stray', { stage: 'variables', compile: () => (host) => host.outcome(1) }),
];

const web = hostRecord({ labels: { os: 'debian', site: 'berlin' } });

function made(rules: Rules, target: string | null = 'registry') {
  const compiled = program(rules, { types: TYPES, ...(target === null ? {} : { target }) });
  const evaluated = compiled.evaluate(web, 'export');
  return { compiled, evaluated, explained: compiled.explain(web), variables: evaluated.variables.value };
}

const tag = (name: string, value: string): JsonObject => ({
  condition_typ: 'all',
  conditions: [{ match_type: 'tag', tag: name, tag_match: 'equal', value, value_match: 'equal' }],
});

describe('rules of a target', () => {
  const rules: Rules = {
    custom_attributes: [rule([{ attribute_name: 'role', attribute_value: 'web' }])],
    registry_rewrite: [rule([{ upper: 'site' }], { name: 'upper' })],
    registry_places: [
      rule([{ place: 'second {{ role }}' }], { _id: { $oid: 'b'.repeat(24) }, name: 'by role', sort_field: 2 }),
      rule([{ place: 'first {{ site }}' }, { place: '/' }], {
        _id: { $oid: 'a'.repeat(24) },
        name: 'by site',
        sort_field: 1,
        ...tag('site', 'BERLIN'),
      }),
      rule([{ place: 'never' }], { name: 'miss', sort_field: 3, ...tag('site', 'paris') }),
    ],
    other_places: [rule([{}])],
  };

  it('run for this target, over the attributes that all rules before made, in their order', () => {
    const { evaluated, variables } = made(rules);
    const bySite = { id: 'a'.repeat(24), name: 'by site' };
    expect(evaluated.outcomes).toEqual({
      registry_places: [
        { rule: bySite, value: 'first BERLIN' },
        { rule: bySite, value: '/' },
        { rule: { id: 'b'.repeat(24), name: 'by role' }, value: 'second web' },
      ],
    });
    expect(variables.site).toBe('BERLIN');
  });

  it('leave inventories and other targets alone', () => {
    const { evaluated, variables } = made(rules, null);
    expect(evaluated.outcomes).toBeUndefined();
    expect(variables.site).toBe('berlin');
    expect(Object.keys(made(rules, 'other').evaluated.outcomes ?? {})).toEqual(['other_places']);
  });

  it('are explained with what they decided', () => {
    const { explained, evaluated } = made(rules);
    expect(explained.outcomes).toEqual(evaluated.outcomes);
    expect(explained.rules.filter(({ stage }) => stage === 'target')).toMatchObject([
      {
        name: 'by site',
        outcome: 'hit',
        changes: [{ what: 'outcome', name: 'registry_places', after: 'first BERLIN' }, {}],
      },
      { name: 'by role', outcome: 'hit' },
      { name: 'miss', outcome: 'missed' },
    ]);
  });

  it('belong to a project as others do', () => {
    const own = { registry_places: [rule([{ place: 'x' }], { project: 'shop' }), rule([{ place: 'y' }])] };
    const project = { id: 'c'.repeat(24), name: 'shop' };
    const compiled = program(own, { types: TYPES, target: 'registry', project });
    expect(compiled.evaluate(web).outcomes).toMatchObject({ registry_places: [{ value: 'x' }] });
  });
});

describe('filters of a target', () => {
  it('take hosts out and hide nothing of the others', () => {
    const other = { registry_hosts: [rule([{ what: 'ignore' }], { name: 'no rocky', ...tag('os', 'rocky') })] };
    expect(made(other).variables).toMatchObject({ os: 'debian', site: 'berlin' });
    const { evaluated, explained, compiled } = made({
      registry_hosts: [rule([{ what: 'ignore' }], { name: 'no debian', ...tag('os', 'debian') })],
      registry_places: [rule([{ place: 'x' }])],
    });
    expect(evaluated).toMatchObject({ included: false });
    expect(evaluated.undecided).toBeUndefined();
    expect(explained).toMatchObject({ included: false, ignoredBy: { type: 'registry_hosts', name: 'no debian' } });
    expect(explained.outcomes).toBeUndefined();
    expect(explained.rules.at(-1)).toMatchObject({ stage: 'target', outcome: 'left' });
    expect(compiled.errors()).toEqual([]);
  });

  it('leave a host undecided on which they break off, or choose attributes though they are about hosts', () => {
    for (const what of ['throw', 'choose']) {
      const { evaluated, compiled } = made({ registry_hosts: [rule([{ what }])] });
      expect(evaluated).toMatchObject({ included: false, undecided: true });
      expect(compiled.errors()).toHaveLength(1);
    }
  });

  it('cannot show what the others hide, nor the others what they hide', () => {
    const show = (...names: string[]) => ({
      automation_filter: [rule(names.map((attribute_name) => ({ action: 'whitelist_attribute', attribute_name })))],
    });
    expect(
      made({ ...show('os', 'HOSTNAME'), registry_shown: [rule([{ show: 'os' }, { show: 'site' }])] }).variables,
    ).toEqual({
      os: 'debian',
    });
    expect(made({ registry_shown: [rule([{ show: 'site' }])] }).variables).toEqual({ site: 'berlin' });
    const { explained } = made({ ...show('os', 'site'), registry_shown: [rule([{ show: 'site' }], { name: 'only' })] });
    expect(explained.attributes.filter(({ shown }) => shown).map(({ name }) => name)).toEqual(['site']);
  });

  it('show of nested labels what both show', () => {
    const host = hostRecord({ labels: { 'site.name': 'a', 'site.room.floor': 1, 'site.room.no': 2, os: 'x' } });
    const lines = (...names: string[]) =>
      names.map((attribute_name) => ({ action: 'whitelist_attribute', attribute_name }));
    const compiled = program(
      {
        automation_filter: [rule(lines('site', '!site.name', 'os'))],
        registry_shown: [rule([{ show: 'site' }])],
      },
      { types: TYPES, target: 'registry' },
    );
    expect(compiled.evaluate(host).variables.value).toEqual({ site: { room: { floor: 1, no: 2 } } });
  });
});

describe('a rule of a target that breaks off', () => {
  it('leaves the host undecided, and the explanation says why', () => {
    const { evaluated, explained, compiled } = made({
      registry_places: [rule([{ place: 'throw' }]), rule([{ place: 'x' }])],
    });
    expect(evaluated).toMatchObject({ included: false, undecided: true });
    expect(explained.included).toBe(false);
    expect(explained.leftOut).toMatch(/not known/);
    expect(compiled.errors()).toHaveLength(1);
  });

  it('is broken when it does not compile, which fails runs to the target and no others', () => {
    const rules = { registry_places: [rule([{ place: '{{' }])] };
    expect(made(rules).compiled.broken).toHaveLength(1);
    expect(made(rules, null).compiled.broken).toEqual([]);
  });

  it('decides on outcomes only in its stage', () => {
    const { evaluated, compiled } = made({ stray: [rule([{}])] });
    expect(evaluated.included).toBe(true);
    expect(evaluated.outcomes).toBeUndefined();
    expect(compiled.errors()).toHaveLength(1);
  });
});

it('explains a host of a target as it is evaluated, whatever the rules are', () => {
  const values = fc.constantFrom('debian', 'berlin', 'BERLIN', 'x');
  const names = fc.constantFrom('os', 'site', 'role');
  const hits = fc.oneof(
    fc.constant<JsonObject>({}),
    fc.tuple(names, values).map(([name, value]) => tag(name, value)),
  );
  const some = (outcome: fc.Arbitrary<JsonObject>) =>
    fc.array(
      fc
        .tuple(outcome, hits, fc.nat(2), fc.boolean())
        .map(([one, hit, sort_field, last_match]) => rule([one], { ...hit, sort_field, last_match })),
      { maxLength: 3 },
    );
  const all = fc.record({
    automation_filter: some(
      fc.record({
        action: fc.constantFrom('whitelist_attribute', 'ignore_hosts'),
        attribute_name: fc.constantFrom('os', 'site', '*', '!os'),
      }),
    ),
    registry_rewrite: some(names.map((upper) => ({ upper }))),
    registry_hosts: some(fc.record({ what: fc.constantFrom('ignore', 'ignore', 'throw') })),
    registry_shown: some(fc.constantFrom('os', 'site', '').map((show) => ({ show }))),
    registry_places: some(fc.constantFrom('/', '{{ site }}', '{{ role }}', 'throw').map((place) => ({ place }))),
  });
  fc.assert(
    fc.property(all, (rules) => {
      const { evaluated, explained } = made(rules);
      expect(explained.included).toBe(evaluated.included);
      expect(explained.outcomes).toEqual(evaluated.outcomes);
      if (!evaluated.included) return;
      expect(explained.result).toEqual(evaluated.variables.value);
    }),
    { numRuns: 300 },
  );
});
