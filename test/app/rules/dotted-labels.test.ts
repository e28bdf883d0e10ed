import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/ports/json.ts';
import { hostRecord, program, rule } from './support.ts';

const labels = {
  'site.name': 'Berlin',
  'site.room.floor': 3,
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
    expect(rendered('{{ site is defined }}')).toBe(false);
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
});
