import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ProgramAccount, ProgramInput } from '../../../src/app/rules/engine/program-input.ts';
import type { JsonObject } from '../../../src/ports/json.ts';
import { account, hostRecord, program } from './support.ts';

const template = (labels: JsonObject, more: JsonObject = {}): JsonObject => ({
  _id: { $oid: '0'.repeat(24) },
  hostname: 'linux',
  cmdb_match: 'os:linux',
  labels,
  ...more,
});
const host = hostRecord({ labels: { os: 'linux', 'site.name': 'berlin', evil: '{{ HOSTNAME }}' } });

function given(labels: JsonObject, more: Partial<ProgramInput> = {}) {
  const compiled = program({}, { templates: [template(labels)], ...more });
  return { compiled, variables: compiled.evaluate(host).variables.value };
}

describe('labels of host templates', () => {
  it('are rendered with the name of the host and what it has until then', () => {
    const { variables } = given({
      tier: '{{ os|upper }}',
      fqdn: '{{ HOSTNAME }}/{{ tier }}/{{ site.name }}',
      plain: 'x',
    });
    expect(variables).toMatchObject({ tier: 'LINUX', fqdn: 'web01.example.org/LINUX/berlin', plain: 'x' });
  });

  it('are none while the template is archived or switched off', () => {
    const of = (more: JsonObject) =>
      program({}, { templates: [template({ tier: 'x' }, more)] }).evaluate(host).variables.value;
    expect(of({})).toMatchObject({ tier: 'x' });
    expect(of({ lifecycle_state: 'planned', deleted_at: null })).toMatchObject({ tier: 'x' });
    const gone = [{ enabled: false }, { lifecycle_state: 'archived' }, { deleted_at: { $date: 1 } }];
    for (const more of gone) expect(of(more)).not.toHaveProperty('tier');
  });

  it('fill gaps only, and never render what the host says', () => {
    const { variables } = given({ os: '{{ HOSTNAME }}', copy: '{{ evil }}' });
    expect(variables).toMatchObject({ os: 'linux', evil: '{{ HOSTNAME }}', copy: '{{ HOSTNAME }}' });
  });

  it('are empty when they fail, which is counted on the template', () => {
    const { compiled, variables } = given({ broken: '{{ nowhere }}', odd: '{{ x', after: '{{ os }}' });
    expect(variables).toMatchObject({ broken: '', odd: '{{ x', after: 'linux' });
    expect(compiled.errors()).toMatchObject([{ type: 'cmdb_templates', name: 'linux', errors: 2 }]);
  });

  it('go as far as they can: what is not defined is empty, and is counted', () => {
    const { compiled, variables } = given({
      note: '{{ nowhere }} in {{ os }}',
      choice: '{% if nowhere %}there{% else %}{{ site.street }}here{% endif %}',
      deep: 'x{{ nowhere.at.all }}',
    });
    expect(variables).toMatchObject({ note: 'in linux', choice: 'here', deep: '' });
    expect(compiled.errors()).toMatchObject([{ type: 'cmdb_templates', name: 'linux', errors: 3 }]);
  });

  it('are no gap where nested labels of the host make an object', () => {
    expect(given({ site: 'none', rack: 'r1' }).variables).not.toHaveProperty('site');
    expect(given({ site: 'none', rack: 'r1' }).variables).toMatchObject({ rack: 'r1' });
  });

  it('are collected under the names of merged attributes', () => {
    const contacts = hostRecord({ labels: { os: 'linux', site: 'b', contact: 'ada, bob', tags: ['x'], none: null } });
    const merged = program(
      {},
      {
        mergedAttributes: ['contact', 'tags', 'none', 'phone'],
        templates: [
          template(
            { contact: '{{ site }}ob, cyd', tags: 'y,x', none: '', phone: '1,2', site: 'other' },
            { hostname: 'a' },
          ),
          template({ contact: 'eve', phone: '2, 3' }, { hostname: 'b' }),
        ],
      },
    );
    const { value } = merged.evaluate(contacts).variables;
    expect(value).toMatchObject({ contact: 'ada,bob,cyd,eve', tags: 'x,y', none: '', phone: '1,2,3', site: 'b' });
    expect(given({ os: 'windows' }, { mergedAttributes: ['contact'] }).variables).toMatchObject({ os: 'linux' });
  });

  it('do not vouch for what a host says itself under a merged name', () => {
    const named = hostRecord({ labels: { os: 'linux', ansible_host: 'there' } });
    const merged = (mergedAttributes: readonly string[]) =>
      program({}, { mergedAttributes, templates: [template({ ansible_host: 'here' })] }).evaluate(named).vouched;
    expect(merged(['ansible_host'])).toEqual([]);
  });

  it('show a secret of an account only when somebody vouches for them', () => {
    const accounts: ProgramAccount[] = [account({ password: 'hunter2', address: 'here' })];
    const labels = { secret: '{{ACCOUNT:cmdb:password}}', address: '{{ACCOUNT:cmdb:address}}' };
    expect(given(labels, { accounts }).variables).toMatchObject({ secret: 'hunter2', address: 'here' });
    const document = template(labels);
    const waiting = program({}, { accounts, templates: [document], unconfirmed: new Set([document]) });
    expect(waiting.evaluate(host).variables.value).toMatchObject({ secret: '', address: 'here' });
    expect(waiting.waiting).toEqual([{ type: 'cmdb_templates', name: 'linux' }]);
  });

  it('vouch for what they render, but not for what an account says that nobody vouches for', () => {
    const labels = { ansible_host: '{{ACCOUNT:cmdb:address}}' };
    const vouched = (unconfirmed: boolean) =>
      program(
        {},
        { accounts: [{ ...account({ address: 'here' }), unconfirmed }], templates: [template(labels)] },
      ).evaluate(host).vouched;
    expect(vouched(false)).toEqual(['ansible_host']);
    expect(vouched(true)).toEqual([]);
  });

  it('depend on the time when they read it', () => {
    expect(given({ now: '{{ datetime.utcnow().year }}' }).compiled.volatile).toBe(true);
    expect(given({ os2: '{{ os }}' }).compiled.volatile).toBe(false);
  });

  it('are as written without template text, whatever they hold', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[a-z]{2,5}_t$/), fc.jsonValue({ maxDepth: 1 })), (labels) => {
        const plain = JSON.parse(JSON.stringify(labels)) as JsonObject;
        fc.pre(!/\{[{%#]/.test(JSON.stringify(plain)) && !/"(true|false)"/i.test(JSON.stringify(plain)));
        expect(given(plain).variables).toMatchObject(plain);
      }),
    );
  });
});
