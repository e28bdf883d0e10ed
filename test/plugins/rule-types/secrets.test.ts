import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/ports/json.ts';
import type { RulePreparation, RuleWriter } from '../../../src/ports/rule-type.ts';
import { ruleType } from './types.ts';

const context: RulePreparation = {
  existing: undefined,
  seal: async (plain) => `sealed(${plain})`,
  hashPassword: async (password) => `hash(${password})`,
  isSecretOption: (accountType, option) => accountType === 'shelf' && option === 'pin',
};

function prepared(id: string, document: JsonObject): Promise<JsonObject> {
  return ruleType(id).prepare?.(document, context) as Promise<JsonObject>;
}

const admin: RuleWriter = { name: 'root', roles: ['all'], globalAdmin: true, accounts: null, templates: null };
const author: RuleWriter = { name: 'ann', roles: ['rules'], globalAdmin: false, accounts: null, templates: null };
const scoped: RuleWriter = {
  name: 'sam',
  roles: ['rules', 'objects'],
  globalAdmin: false,
  accounts: ['mine'],
  templates: null,
};

function refused(id: string, writer: RuleWriter, document: JsonObject, existing?: JsonObject): readonly string[] {
  return (ruleType(id).refusals?.(document, existing, writer) ?? []).map(({ path }) => path);
}

describe('clear secrets', () => {
  it('of monitoring passwords and accounts are sealed and dropped', async () => {
    expect(await prepared('cmk_passwords', { name: 'p', password: 's3', title: 't' })).toEqual({
      name: 'p',
      title: 't',
      password_crypted: 'sealed(s3)',
    });
    expect(await prepared('cmk_passwords', { name: 'p', password: '', password_crypted: 'x' })).toEqual({
      name: 'p',
      password_crypted: 'x',
    });
    const account = await prepared('accounts', {
      name: 'a',
      typ: 'json',
      password: 'pw',
      password_crypted: 'old',
      custom_fields: [
        { name: 'path', value: '/data' },
        { name: 'api_token', value: 't' },
        { name: 'note', value: 'n', secret: true },
        { name: 'secret', value: '{{ACCOUNT:b:password}}' },
        { name: 'client_secret', value_crypted: 'kept' },
      ],
      extra: 1,
    });
    expect(account).toEqual({
      name: 'a',
      type: 'json',
      password_crypted: 'sealed(pw)',
      custom_fields: [
        { name: 'path', value: '/data' },
        { name: 'api_token', value_crypted: 'sealed(t)' },
        { name: 'note', secret: true, value_crypted: 'sealed(n)' },
        { name: 'secret', value: '{{ACCOUNT:b:password}}' },
        { name: 'client_secret', value_crypted: 'kept' },
      ],
      extra: 1,
    });
    expect(Object.keys(account).slice(0, 2)).toEqual(['name', 'type']);
    expect(await prepared('accounts', account)).toEqual(account);
  });

  it('of options are sealed that the type says are secret', async () => {
    const fields = { name: 'a', custom_fields: [{ name: 'pin', value: '1' }] };
    expect(await prepared('accounts', { ...fields, type: 'shelf' })).toMatchObject({
      custom_fields: [{ name: 'pin', value_crypted: 'sealed(1)' }],
    });
    expect(await prepared('accounts', { ...fields, type: 'csv' })).toMatchObject(fields);
  });

  it('of users and webhooks too', async () => {
    expect(await prepared('users', { name: 'u', password: 'pw', pwdhash: 'old' })).toEqual({
      name: 'u',
      pwdhash: 'hash(pw)',
    });
    const group = { name: 'g', webhook_policy: { secret: 's', window_seconds: 60 } };
    expect(await prepared('cron_groups', group)).toEqual({
      name: 'g',
      webhook_policy: { window_seconds: 60, secret_crypted: 'sealed(s)' },
    });
    const plain = { name: 'g', webhook_policy: null };
    expect(await prepared('cron_groups', plain)).toBe(plain);
  });
});

describe('users', () => {
  it('get no role, scope or rights that the writer does not hold', () => {
    expect(refused('users', author, { name: 'x', api_roles: ['rules', 'objects', 'all'] })).toEqual([
      'api_roles.1',
      'api_roles.2',
    ]);
    expect(refused('users', author, { name: 'x', global_admin: true })).toEqual(['global_admin']);
    expect(refused('users', author, { name: 'x', roles: ['admin'] })).toEqual(['roles.0']);
    expect(
      refused('users', author, { name: 'ann', api_roles: ['all'] }, { name: 'ann', api_roles: ['rules'] }),
    ).toEqual(['api_roles.0']);
    expect(refused('users', scoped, { name: 'x', api_roles: ['rules'] })).toEqual(['restrict_to_accounts']);
    expect(refused('users', scoped, { name: 'x', restrict_to_accounts: ['mine', 'other'] })).toEqual([
      'restrict_to_accounts.1',
    ]);
    expect(
      refused('users', scoped, { name: 'x', restrict_to_accounts: [] }, { name: 'x', restrict_to_accounts: ['mine'] }),
    ).toEqual(['restrict_to_accounts']);
    expect(refused('users', scoped, { name: 'x', api_roles: ['rules'], restrict_to_accounts: ['mine'] })).toEqual([]);
    expect(refused('users', { ...author, roles: ['all'] }, { name: 'x', api_roles: ['all', 'objects'] })).toEqual([]);
    expect(refused('users', { ...author, roles: ['automation'] }, { name: 'x', api_roles: ['ansible'] })).toEqual([]);
    expect(refused('users', admin, { name: 'x', api_roles: ['all'], global_admin: true, roles: ['any'] })).toEqual([]);
  });

  it('who hold more than the writer are not changed by the writer', () => {
    const boss = { name: 'boss', api_roles: ['all'], global_admin: true, pwdhash: 'h' };
    expect(refused('users', author, { ...boss, pwdhash: 'mine' }, boss)).toEqual(['name']);
    expect(refused('users', author, { name: 'boss', password: 'mine' }, boss)).toEqual(['name']);
    expect(refused('users', author, boss, { ...boss, _id: { $oid: '1' } })).toEqual([]);
    expect(
      refused(
        'users',
        scoped,
        { name: 'y', disabled: false, api_roles: ['rules'] },
        { name: 'y', api_roles: ['rules'] },
      ),
    ).toEqual(['name']);
    expect(
      refused('users', author, { name: 'y', api_roles: ['rules'], email: 'new' }, { name: 'y', api_roles: ['rules'] }),
    ).toEqual([]);
    expect(refused('users', admin, { ...boss, pwdhash: 'new' }, boss)).toEqual([]);
  });
});

describe('accounts', () => {
  it('are written in scope only, and reach no further than before', () => {
    expect(refused('accounts', scoped, { name: 'other' })).toEqual(['name']);
    expect(refused('accounts', scoped, { name: 'mine' }, { name: 'other' })).toEqual(['name']);
    expect(refused('accounts', scoped, { name: 'mine', is_master: true })).toEqual(['is_master']);
    expect(refused('accounts', scoped, { name: 'mine', is_child: true, parent: 'other' })).toEqual(['parent']);
    expect(refused('accounts', scoped, { name: 'mine', address: '{{ACCOUNT:other:password}}' })).toEqual(['address']);
    expect(refused('accounts', scoped, { name: 'mine', enabled: true })).toEqual([]);
  });

  it('send no encrypted secret to a new address', () => {
    const existing = {
      name: 'a',
      type: 'rest',
      address: 'https://real',
      password_crypted: 'x',
      custom_fields: [{ name: 'path', value: '/' }],
    };
    expect(refused('accounts', author, { ...existing, address: 'https://evil' }, existing)).toEqual([
      'password_crypted',
    ]);
    expect(
      refused('accounts', author, { ...existing, custom_fields: [{ name: 'url', value: 'https://evil' }] }, existing),
    ).toEqual(['password_crypted']);
    expect(refused('accounts', author, { ...existing, name: 'copy' })).toEqual(['password_crypted']);
    expect(refused('accounts', author, { ...existing, enabled: false }, existing)).toEqual([]);
    expect(refused('accounts', author, { ...existing, address: 'https://new', password: 'mine' }, existing)).toEqual(
      [],
    );
    expect(refused('accounts', admin, { ...existing, address: 'https://new' }, existing)).toEqual([]);
  });
});

describe('rules', () => {
  it('show account fields only to those who reach the account', () => {
    const shows = (account: string) => ({
      outcomes: [{ attribute_name: 'a', attribute_value: `{{ ACCOUNT:${account}:password }}` }],
    });
    expect(refused('automation_customvars', scoped, shows('other'))).toEqual(['outcomes.0.attribute_value']);
    expect(refused('automation_customvars', scoped, shows('mine'))).toEqual([]);
    expect(refused('automation_customvars', scoped, shows('mine:x'))).toEqual(['outcomes.0.attribute_value']);
    expect(refused('automation_customvars', scoped, shows('other'), shows('other'))).toEqual([]);
    expect(refused('automation_customvars', author, shows('other'))).toEqual([]);
    expect(refused('syncer_rule_automation', scoped, { name: 'x', rule_body: '{}' })).toEqual(['rule_body']);
  });

  it('name what they refer to', () => {
    const references = (id: string, document: JsonObject) => ruleType(id).references?.(document);
    expect(references('automation_filter', { project: { $oid: 'a' } })).toEqual([
      { path: 'project', type: 'automation_projects', target: 'a' },
    ]);
    expect(references('automation_filter', { project: 'Default' })).toEqual([]);
    expect(references('cron_groups', { jobs: [{ command: 'Import' }, { account: 'a' }] })).toEqual([
      { path: 'jobs.1.account', type: 'accounts', target: 'a' },
    ]);
    expect(references('cmk_sites', { settings_master: 's' })).toEqual([
      { path: 'settings_master', type: 'cmk_site_settings', target: 's' },
    ]);
    expect(ruleType('cmk_folder_pool').uniqueValue?.({ folder_name: '/a' })).toBe('/a');
  });
});
