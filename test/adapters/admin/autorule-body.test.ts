import { describe, expect, it } from 'vitest';
import { filledIn } from '../../../src/adapters/admin/pages/editor/filled-in.ts';
import { bodyOfRule } from '../../../src/adapters/admin/pages/rules/fields/body-of-rule.ts';

describe('the body of an autorule that starts from a rule', () => {
  const outcomes = [{ attribute_name: 'site', attribute_value: '{{ rack | upper }}{% if x %}{# y #}{% endif %}' }];
  const rule = { _id: { $oid: '5a3b1e000000000000000002' }, name: 'Site', enabled: true, sort_field: 20, outcomes };

  it('has neither its id nor its name, and keeps its templates out of the hands of the autorule', () => {
    const body = bodyOfRule(rule, 'name');
    const { _id, ...rest } = rule;
    expect(JSON.parse(body)).toEqual({ ...rest, name: '{{ HOSTNAME }}' });
    expect(body.match(/\{[{%#]/g)).toEqual(['{{']);
    expect(JSON.parse(bodyOfRule({ name: 'Site' }, 'name'))).toEqual({ name: '{{ HOSTNAME }}' });
  });

  it('is without what the service hides', () => {
    expect(JSON.parse(bodyOfRule({ name: 'p', password: '********', title: 'T' }, 'name'))).toEqual({
      name: '{{ HOSTNAME }}',
      title: 'T',
    });
  });
});

describe('a template of JSON', () => {
  it('is looked at as the JSON it renders to, each place where it was', () => {
    expect(filledIn('{"a": "{{ b }}", "n": {{ n }}}')).toBe('{"a": "0      ", "n": 0      }');
    expect(filledIn('{"a": {{ {"b": 1}.b }} }{# no #}')).toMatch(/^\{"a": 0 +\} +$/);
    expect(filledIn('{% if a %}{"a": 1}{% endif %}')).toBe('');
  });
});
