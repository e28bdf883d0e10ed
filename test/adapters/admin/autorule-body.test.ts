import { describe, expect, it } from 'vitest';
import { filledIn } from '../../../src/adapters/admin/pages/editor/filled-in.ts';
import {
  bodyText,
  madeFor,
  readBody,
  withMadeFor,
} from '../../../src/adapters/admin/pages/rules/fields/autorule-body.ts';
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

describe('the body of an autorule as a form', () => {
  const rule = { name: '{{ site }}', enabled: true, outcomes: [{ attribute_value: 'in {{ site }}' }] };

  it('is read and written with the condition around it', () => {
    const body = { condition: "site == 'MUC'", document: rule };
    expect(readBody(bodyText(body))).toEqual(body);
    expect(bodyText(body)).toMatch(/^\{% if site == 'MUC' %\}\n\{/);
    expect(readBody(bodyText({ condition: ' ', document: rule }))).toEqual({ condition: '', document: rule });
    expect(readBody('')).toEqual({ condition: '', document: {} });
  });

  it('shows templates that stay in the rule, and keeps them', () => {
    const text = bodyOfRule({ name: 'x', outcomes: [{ attribute_value: '{{ rack }}{% if a %}b{% endif %}' }] }, 'name');
    const body = readBody(text);
    expect(body?.document.outcomes).toEqual([{ attribute_value: '\\{{ rack }}\\{% if a %}b\\{% endif %}' }]);
    expect(JSON.parse(bodyText(body ?? { condition: '', document: {} }))).toEqual(JSON.parse(text));
    expect(bodyText(body ?? { condition: '', document: {} }).match(/\{[{%#]/g)).toEqual(['{{']);
  });

  it('keeps quotes within templates from ending the text', () => {
    const document = { name: '{{ attributes["a"] }} "quoted" {{ b|default("") }}' };
    const text = bodyText({ condition: '', document });
    expect(text).toContain(`"{{ attributes['a'] }} \\"quoted\\" {{ b|default('') }}"`);
    expect(readBody(text)?.document.name).toBe(`{{ attributes['a'] }} "quoted" {{ b|default('') }}`);
  });

  it('is none where it is more than one rule', () => {
    expect(readBody('{"n": {{ n }}}')).toBeUndefined();
    expect(readBody('{% if a %}{"name": "a"}{% else %}{"name": "b"}{% endif %}')).toBeUndefined();
    expect(readBody('[1]')).toBeUndefined();
  });

  it('says in the name for what one rule is made, and makes none where there is no value', () => {
    expect(madeFor('Host {{ HOSTNAME }}')).toEqual({ kind: 'host' });
    expect(madeFor('Site {{site}}')).toEqual({ kind: 'value', attribute: 'site' });
    expect(madeFor('one')).toBeUndefined();
    const forHosts = { condition: '', document: { enabled: true, name: 'R {{ HOSTNAME }}' } };
    const forSites = withMadeFor(forHosts, 'name', { kind: 'value', attribute: 'site' });
    expect(forSites).toEqual({ condition: 'site', document: { name: 'R {{ site }}', enabled: true } });
    const forRacks = withMadeFor(forSites, 'name', { kind: 'value', attribute: 'rack-id' });
    expect(forRacks).toMatchObject({
      condition: "attributes['rack-id']",
      document: { name: "R {{ attributes['rack-id'] }}" },
    });
    expect(madeFor("R {{ attributes['rack-id'] }}")).toEqual({ kind: 'value', attribute: 'rack-id' });
    expect(withMadeFor(forRacks, 'name', { kind: 'host' })).toMatchObject({
      condition: '',
      document: { name: 'R {{ HOSTNAME }}' },
    });
    const conditional = { condition: '', document: { name: '{{ HOSTNAME }}', conditions: [] } };
    const ofSite = withMadeFor(conditional, 'name', { kind: 'value', attribute: 'site' });
    expect(ofSite.document.conditions).toEqual([
      expect.objectContaining({ match_type: 'tag', tag: 'site', tag_match: 'equal', value: '{{ site }}' }),
    ]);
    const ofHost = withMadeFor(ofSite, 'name', { kind: 'host' });
    expect(ofHost.document.conditions).toEqual([
      expect.objectContaining({ match_type: 'host', hostname: '{{ HOSTNAME }}', hostname_match: 'equal' }),
    ]);
    const written = { condition: '', document: { name: '{{ HOSTNAME }}', conditions: [{ match_type: 'host' }] } };
    expect(withMadeFor(written, 'name', { kind: 'value', attribute: 'site' }).document.conditions).toEqual([
      { match_type: 'host' },
    ]);
    const own = { condition: 'is_core', document: { name: 'one' } };
    expect(withMadeFor(own, 'name', { kind: 'value', attribute: 'site' })).toEqual({
      condition: 'is_core',
      document: { name: 'one {{ site }}' },
    });
  });
});
