import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/ports/json.ts';
import { hostRecord, program, rule } from './support.ts';

const labels = {
  'site.name': 'Berlin',
  'site.room.floor': 3,
  // Under a domain that begins like the object, and no member of it.
  'site.example.org/rack': 'R1',
  'custom_fields.owner': 'ops',
  'custom_fields.team.lead': 'ada',
  plain: 'text',
};
const inventory = { cmdb: { custom_fields: { owner: 'dba' } } };
const host = hostRecord({ labels, inventory });

function rendered(text: string): unknown {
  const attribute = rule([{ attribute_name: 'out', attribute_value: text }]);
  return program({ custom_attributes: [attribute] }).evaluate(host).variables.value.out;
}

describe('templates over dotted labels', () => {
  it.each([
    ['{{ site.name }}', 'Berlin'],
    ["{{ site['name'] }}", 'Berlin'],
    ['{{ site["room"].floor }}', '3'],
    ['{{ site.name.upper() }}', 'BERLIN'],
    ["{{ site.get('name', '-') }}", 'Berlin'],
    ['{% if site.room.floor > 2 %}up{% endif %}', 'up'],
    ["{{ site.missing|default('none') }}", 'none'],
    ["{{ cmdb__custom_fields['owner'] }}", 'dba'],
    ['{% set site = {"name": "own"} %}{{ site.name }}', 'own'],
    ['{% for site in [{"name": "loop"}] %}{{ site.name }}{% endfor %}', 'loop'],
  ])('%s is %s', (text, expected) => {
    expect(rendered(text)).toBe(expected);
  });

  it('find a name as before: the attribute itself first, and nothing where there is neither', () => {
    expect(rendered('{{ plain.name }}')).toBe('');
    expect(rendered('{{ nowhere.name }}')).toBe('');
    expect(rendered('{{ nowhere is defined }}')).toBe(false);
  });

  it.each([
    ['{{ site }}', "{'name': 'Berlin', 'room': {'floor': 3}}"],
    ['{{ site is defined }} {{ site is mapping }}', 'True True'],
    ["{% if site %}{{ site|length }}{% endif %} {{ site|default('none') is string }}", '2 False'],
    ['{% for key in site.room %}{{ key }}{% endfor %}', 'floor'],
  ])('%s is %s: the object that labels are members of', (text, expected) => {
    expect(rendered(text)).toBe(expected);
  });

  it('make no object of labels under a domain', () => {
    const record = hostRecord({ labels: { 'app.kubernetes.io/name': 'shop' } });
    const attribute = rule([{ attribute_name: 'out', attribute_value: '{{ app is defined }}' }]);
    expect(program({ custom_attributes: [attribute] }).evaluate(record).variables.value.out).toBe(false);
  });
});

describe('conditions over dotted labels', () => {
  const hits = (tag: string, value: string, more: JsonObject = {}): boolean => {
    const condition = { match_type: 'tag', tag, tag_match: 'equal', value_match: 'equal', value, ...more };
    const attribute = rule([{ attribute_name: 'hit', attribute_value: 'x' }], {
      condition_typ: 'all',
      conditions: [condition],
    });
    return program({ custom_attributes: [attribute] }).evaluate(host).variables.value.hit === 'x';
  };

  it.each([
    ['custom_fields["owner"]', 'ops'],
    ["custom_fields['owner']", 'ops'],
    ['custom_fields["team"][\'lead\']', 'ada'],
    ['cmdb__custom_fields["owner"]', 'dba'],
    ['site["name"]', 'berlin'],
  ])('%s equals %s', (tag, value) => {
    expect(hits(tag, value)).toBe(true);
    expect(hits(tag, 'other')).toBe(false);
  });

  it('know that a member is not there, and take the attribute of that very name first', () => {
    const absent = { tag_match: 'ignore', tag_match_negate: true };
    expect(hits('custom_fields["owner"]', '', absent)).toBe(false);
    expect(hits('custom_fields["none"]', '', absent)).toBe(true);
    const odd = hostRecord({ labels: { 'a["b"]': 'itself', 'a.b': 'path' } });
    const attribute = rule([{ attribute_name: 'hit', attribute_value: '{{ FIRST_MATCHING_VALUE }}' }], {
      condition_typ: 'all',
      conditions: [{ match_type: 'tag', tag: 'a["b"]', tag_match: 'equal', value_match: 'swith', value: '' }],
    });
    expect(program({ custom_attributes: [attribute] }).evaluate(odd).variables.value.hit).toBe('itself');
  });

  it('find the object that labels are members of', () => {
    expect(hits('site', '', { value_match: 'ignore' })).toBe(true);
    expect(hits('site.room', '', { value_match: 'ignore' })).toBe(true);
    expect(hits('custom_fields["team"]', '', { value_match: 'ignore' })).toBe(true);
    expect(hits('site', '', { tag_match: 'ignore', tag_match_negate: true })).toBe(false);
    expect(hits('plain.text', '', { value_match: 'ignore' })).toBe(false);
  });

  it('cannot compare an object, which holds when it is negated', () => {
    expect(hits('site', 'Berlin', { value_match: 'in' })).toBe(false);
    expect(hits('site', 'Berlin', { value_match: 'in', value_match_negate: true })).toBe(true);
  });
});

describe('filters over dotted labels', () => {
  const shown = (...names: string[]) => {
    const filter = rule(names.map((attribute_name) => ({ action: 'whitelist_attribute', attribute_name })));
    const compiled = program({ automation_filter: [filter] });
    expect(compiled.explain(host).result).toEqual(compiled.evaluate(host).variables.value);
    return compiled.evaluate(host).variables.value;
  };

  it('show the object that a line names, and its members where a line names those', () => {
    expect(shown('site')).toEqual({ site: { name: 'Berlin', room: { floor: 3 } } });
    expect(shown('site.room', 'plain')).toEqual({ 'site.room': { floor: 3 }, plain: 'text' });
    expect(shown('site.name')).toEqual({ 'site.name': 'Berlin' });
    expect(shown('site*')).toEqual({ 'site.name': 'Berlin', 'site.room.floor': 3, 'site.example.org/rack': 'R1' });
    expect(shown('site', 'site*')).toEqual({ ...shown('site'), ...shown('site*') });
  });

  it('leave out of it what a line hides', () => {
    expect(shown('site', '!site.room.floor')).toEqual({ site: { name: 'Berlin', room: {} } });
    expect(shown('site', '!site.room*')).toEqual({ site: { name: 'Berlin' } });
    expect(shown('site', '!site*')).toEqual({});
    expect(shown('site', '!site')).toEqual({});
  });

  it('say which rule shows it', () => {
    const filter = rule([{ action: 'whitelist_attribute', attribute_name: 'site' }], { name: 'Sites' });
    const { attributes } = program({ automation_filter: [filter] }).explain(host);
    expect(attributes.find(({ name }) => name === 'site')).toMatchObject({
      value: { name: 'Berlin', room: { floor: 3 } },
      origin: { kind: 'label' },
      shown: true,
      filter: { rule: { name: 'Sites' } },
    });
  });

  it('show a custom variable in its place', () => {
    const filter = rule([{ action: 'whitelist_attribute', attribute_name: 'site' }]);
    const variable = rule([{ attribute_name: 'site', attribute_value: '{{ site.name }}' }]);
    const compiled = program({ automation_filter: [filter], automation_customvars: [variable] });
    expect(compiled.evaluate(host).variables.value).toEqual({ site: 'Berlin' });
  });
});

describe('rewrites over dotted labels', () => {
  const rewritten = (outcome: JsonObject) =>
    program({ automation_rewrite: [rule([{ overwrite_name: '', overwrite_value: '', ...outcome }])] }).evaluate(
      hostRecord({ labels }),
    ).variables.value;

  it('rename the object with all its members, and nothing that is none of them', () => {
    const variables = rewritten({ old_attribute_name: 'site', overwrite_name: 'string', new_attribute_name: 'where' });
    expect(variables.where).toEqual({ name: 'Berlin', room: { floor: 3 } });
    expect(Object.keys(variables).filter((name) => name.startsWith('site'))).toEqual(['site.example.org/rack']);
  });

  it('give it another value, and else leave it as it is', () => {
    const outcome = { old_attribute_name: 'site', overwrite_value: 'jinja', new_value: '{{ site.name|lower }}' };
    expect(rewritten(outcome)).toMatchObject({ site: 'berlin', 'site.name': 'Berlin' });
    expect(rewritten({ old_attribute_name: 'site' })).not.toHaveProperty('site');
  });

  it('read its members as a list', () => {
    const outcome = { old_attribute_name: 'site', overwrite_name: 'convert_list', overwrite_value: 'string' };
    const template = '{{ result|list }}';
    expect(rewritten({ ...outcome, new_attribute_name: template, new_value: 'here' })).toMatchObject({
      name: 'here',
      room: 'here',
    });
  });
});
