import { describe, expect, it } from 'vitest';
import { playbookRefusals } from '../../../src/plugins/automation-playbook-fire/refusals.ts';
import type { JsonValue } from '../../../src/ports/json.ts';

const author = { name: 'rita', roles: ['rules'], globalAdmin: false, accounts: null, templates: null };
const rule = (extra_vars: JsonValue) => ({ name: 'r', enabled: true, outcomes: [{ playbook: 'a.yml', extra_vars }] });

describe('rules that run playbooks', () => {
  it.each([
    '{"ansible_connection": "ssh"}',
    'stage=x ansible_ssh_common_args="-o ProxyCommand=true"',
    { ansible_python_interpreter: '/bin/x' },
  ])('set %j by administrators only', (extra) => {
    expect(playbookRefusals(rule(extra), undefined, author)).toMatchObject([{ path: 'outcomes.0.extra_vars' }]);
    expect(playbookRefusals(rule(extra), undefined, { ...author, globalAdmin: true })).toEqual([]);
    const stored = { ...rule(extra), _id: { $oid: 'a'.repeat(24) } };
    expect(playbookRefusals(rule(extra), stored, author)).toEqual([]);
  });

  it('are nothing for who is restricted to accounts, however they look', () => {
    const scoped = { ...author, globalAdmin: true, accounts: ['crm'], templates: null };
    expect(playbookRefusals(rule('stage=x'), undefined, scoped)).toMatchObject([{ path: 'outcomes' }]);
    expect(playbookRefusals(rule('stage=x'), rule('stage=x'), scoped)).toEqual([]);
    expect(playbookRefusals(rule('stage=x'), undefined, author)).toEqual([]);
  });
});
