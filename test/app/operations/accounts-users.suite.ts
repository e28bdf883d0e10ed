import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addAccount } from '../../../src/app/accounts/operations/add-account.ts';
import { listAccountTypes } from '../../../src/app/accounts/operations/list-account-types.ts';
import { setAccount } from '../../../src/app/accounts/operations/set-account.ts';
import { showAccount } from '../../../src/app/accounts/operations/show-account.ts';
import { showAccounts } from '../../../src/app/accounts/operations/show-accounts.ts';
import { saveHostsBulk } from '../../../src/app/hosts/operations/save-hosts-bulk.ts';
import { anonymousCaller } from '../../../src/app/kernel/caller.ts';
import { importRulesOfType } from '../../../src/app/rules/operations/import-rules-of-type.ts';
import { importAccount } from '../../../src/app/runs/import/operations/import-account.ts';
import { changeOwnPassword } from '../../../src/app/users/operations/change-own-password.ts';
import { createOwnToken, createToken } from '../../../src/app/users/operations/create-token.ts';
import { listOwnTokens } from '../../../src/app/users/operations/list-tokens.ts';
import { listUsers, userTable } from '../../../src/app/users/operations/list-users.ts';
import { revokeOwnToken } from '../../../src/app/users/operations/revoke-token.ts';
import { AppError } from '../../../src/ports/index.ts';
import type { OpenedStorage, StorageHarness } from '../../../src/testing/harness.ts';
import { OperationsApp, PASSWORD } from './operations-app.ts';

const code = (expected: string) => expect.objectContaining({ code: expected });
const NEW_PASSWORD = 'a better horse battery';

/** Accounts and users as people look after them. Run over every storage adapter. */
export function describeAccountsAndUsers(name: string, create: StorageHarness['create']): void {
  describe(`${name}: accounts and users`, () => {
    let opened: OpenedStorage;
    let muster: OperationsApp;
    beforeEach(async () => {
      opened = await create();
      muster = await OperationsApp.over(opened.storage);
    });
    afterEach(async () => {
      await muster.stop();
      await opened.close();
    });

    it('says what accounts of a type have no use for', async () => {
      const { types } = await muster.run(listAccountTypes, {});
      const unused = Object.fromEntries(types.map(({ id, unused_fields }) => [id, unused_fields]));
      const all = ['address', 'username', 'password'];
      expect(unused).toMatchObject({ api: all, csv: all, json_file: all, slack: all, mysql: [] });
      expect(unused).toMatchObject({
        syslog: ['username', 'password'],
        webhook: ['address', 'username'],
        netbox: ['username'],
      });
    });

    it('refuses a receiver without the address that it needs', async () => {
      const { types } = await muster.run(listAccountTypes, {});
      const needed = (wanted: string) => types.find(({ id }) => id === wanted)?.fields.map(({ needed }) => needed);
      expect(needed('mail')).toEqual(['smtp://mail.example.org:587', '', '']);
      expect(needed('webhook')).toEqual(['', '', '']);
      const settings = { from: 'muster@example.org', to: 'ops@example.org' };
      const refusal = {
        message: 'an account of type mail needs an address, such as smtp://mail.example.org:587',
        details: [{ path: 'address', message: 'is required' }],
      };
      await expect(muster.run(addAccount, { name: 'm', type: 'mail', settings })).rejects.toMatchObject(refusal);
      const address = 'smtp://mail.example.org';
      await muster.run(addAccount, { name: 'm', type: 'mail', settings: { ...settings, address } });
      await expect(muster.run(setAccount, { name: 'm', settings: { address: '' } })).rejects.toMatchObject(refusal);
      await muster.run(setAccount, { name: 'm', settings: {}, enabled: false });
    });

    it('says which options have several lines', async () => {
      const { types } = await muster.run(listAccountTypes, {});
      const lines = types.flatMap(({ id, options }) =>
        Object.entries(options['properties'] as Record<string, { lines?: boolean }>).flatMap(([name, schema]) =>
          schema.lines === true ? [`${id}.${name}`] : [],
        ),
      );
      // A form of one line would lose the line breaks of YAML, and with them its meaning.
      expect(lines).toEqual(
        expect.arrayContaining(['rest_target.objects', 'mysql.query', 'files.template', 'rest.body']),
      );
    });

    it('describes the options of every type, with defaults and secrets', async () => {
      const { types } = await muster.run(listAccountTypes, {});
      expect(types.map(({ id, kind }) => [id, kind])).toEqual([
        ['ansible', 'source'],
        ['api', 'api'],
        ['cisco_dna', 'source'],
        ['csv', 'source'],
        ['files', 'target'],
        ['i-doit', 'both'],
        ['jdisc', 'source'],
        ['jira_cloud', 'both'],
        ['json', 'source'],
        ['json_file', 'target'],
        ['ldap', 'source'],
        ['ldap-sign-in', 'sign_in'],
        ['mail', 'channel'],
        ['mattermost', 'channel'],
        ['mssql', 'source'],
        ['muster', 'source'],
        ['mysql', 'source'],
        ['netbox', 'both'],
        ['oidc', 'sign_in'],
        ['proxy-sign-in', 'sign_in'],
        ['prtg', 'source'],
        ['rest', 'source'],
        ['rest_target', 'target'],
        ['servicenow', 'source'],
        ['slack', 'channel'],
        ['sql', 'source'],
        ['syslog', 'channel'],
        ['teams', 'channel'],
        ['webhook', 'channel'],
        ['yaml', 'source'],
      ]);
      const csv = types.find(({ id }) => id === 'csv');
      expect(csv?.options).toMatchObject({
        required: ['path'],
        properties: {
          hostname_field: { type: 'string', default: 'host', description: expect.stringContaining('column') },
        },
      });
      expect(csv?.common_options).toMatchObject({
        properties: {
          allow_empty: { anyOf: expect.arrayContaining([{ type: 'boolean' }, { type: 'string' }]), default: false },
          delete_threshold_percent: {
            anyOf: expect.arrayContaining([{ type: 'number' }]),
            minimum: 0,
            maximum: 100,
            default: 20,
          },
          mode: { enum: ['own', 'contribute'], default: 'own' },
          owned_labels: { default: [] },
        },
      });
    });

    it('shows accounts with their hosts and how the last run ended, to administrators', async () => {
      await muster.addAccounts('red', 'blue');
      await muster.run(addAccount, { name: 'gone', type: 'csv', settings: { path: 'no/such/file.csv' } });
      const objects = ['a', 'b'].map((hostname) => ({ hostname, labels: {} }));
      await muster.run(saveHostsBulk, { account: 'red', objects });
      await muster.run(importAccount, { account: 'gone' });
      const { accounts } = await muster.run(showAccounts, {});
      const figures = accounts.map(({ name, kind, hosts, last_run }) => [name, kind, hosts, last_run?.has_error]);
      expect(figures.sort()).toEqual([
        ['blue', 'api', 0, undefined],
        ['gone', 'source', 0, true],
        ['red', 'api', 2, undefined],
      ]);
      const gone = accounts.find(({ name }) => name === 'gone');
      expect(gone?.last_run).toMatchObject({ kind: 'import', message: expect.stringContaining('failed') });
      expect(await muster.run(showAccount, { name: 'gone' })).toMatchObject({
        kind: 'source',
        last_run: gone?.last_run,
      });
      const operator = await muster.addCaller('operator', { roles: ['objects', 'syncer'] });
      await expect(muster.run(showAccounts, {}, operator)).rejects.toEqual(code('role_missing'));
    });

    it('shows switches as options, names secret ones, and switches them off again', async () => {
      const settings = { path: 'x', require_fqdn: 'true' };
      await muster.run(addAccount, { name: 'a', type: 'csv', settings });
      expect((await muster.run(showAccount, { name: 'a' })).options).toEqual({
        path: 'x',
        require_fqdn: 'true',
        null_values: 'NULL,\\N',
      });
      await muster.run(setAccount, { name: 'a', settings: { require_fqdn: '' } });
      expect((await muster.run(showAccount, { name: 'a' })).options).toEqual({ path: 'x', null_values: 'NULL,\\N' });
      // Documents of other installations have the switch among the options.
      const custom_fields = [
        { name: 'path', value: 'x' },
        { name: 'require_fqdn', value: 'true' },
      ];
      const rules = { name: 'b', type: 'csv', enabled: true, custom_fields };
      await muster.run(importRulesOfType, { rule_type: 'accounts', rules });
      await muster.run(setAccount, { name: 'b', settings: { require_fqdn: 'false' } });
      expect((await muster.run(showAccount, { name: 'b' })).options).toEqual({ path: 'x' });
      await muster.run(addAccount, { name: 'c', type: 'api', settings: { api_key: 'hunter2', site: 'x' } });
      const { options, secret_options } = await muster.run(showAccount, { name: 'c' });
      expect(secret_options).toEqual(['api_key']);
      expect(options).toEqual({ api_key: expect.not.stringContaining('hunter2'), site: 'x' });
    });

    it('checks the options of a child together with those of its parent', async () => {
      await muster.run(addAccount, { name: 'parent', type: 'csv', settings: { path: 'x' } });
      const settings = { is_child: 'true', parent: 'parent' };
      await muster.run(addAccount, { name: 'child', type: 'csv', settings });
      await muster.run(setAccount, { name: 'child', settings: { encoding: 'latin1' } });
      expect((await muster.run(showAccount, { name: 'child' })).options).toMatchObject({
        path: 'x',
        encoding: 'latin1',
      });
      const orphan = muster.run(setAccount, { name: 'child', settings: { is_child: 'false' } });
      await expect(orphan).rejects.toThrow(/path/);
    });

    it('tells when a token of a user was last used', async () => {
      await muster.addCaller('anna', { roles: ['objects'] });
      const { token } = await muster.run(createToken, { name: 'anna', label: 'one' });
      await muster.run(createToken, { name: 'anna', label: 'two' });
      const lastUse = async () => (await muster.run(listUsers, {})).users.map((user) => user.last_token_use);
      expect(await lastUse()).toEqual([null]);
      await muster.app.services.users.authenticate({ kind: 'token', token });
      expect(await lastUse()).toEqual([expect.stringMatching(/^\d{4}-.*Z$/)]);
    });

    it('lists when users last logged in, also as a file', async () => {
      await muster.addCaller('anna', { roles: ['objects', 'rules'], email: '=anna@example.org' });
      await muster.addCaller('bert', { roles: [] });
      await muster.app.services.sessions.begin('anna', { address: '192.0.2.7', client: 'test' });
      const { users } = await muster.run(listUsers, {});
      const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      expect(users).toMatchObject([
        { name: 'anna', last_login: at },
        { name: 'bert', last_login: null },
      ]);
      const table = await muster.text(userTable, {});
      const login = users[0]?.last_login?.replace('T', ' ').replace('Z', '');
      expect(table.split('\r\n')).toEqual([
        'name,roles,accounts,tokens,state,last_login,e_mail',
        `anna,"objects, rules",all,0,active,${login},'=anna@example.org`,
        'bert,,all,0,active,never,',
        '',
      ]);
    });

    it('lets anybody change the own password, for the present one', async () => {
      const anna = await muster.addCaller('anna', { roles: [] });
      const change = (present_password: string, new_password: string) =>
        muster.run(changeOwnPassword, { present_password, new_password }, anna);
      await expect(change('wrong', NEW_PASSWORD)).rejects.toEqual(code('unauthenticated'));
      await expect(change(PASSWORD, 'short')).rejects.toEqual(code('invalid_input'));
      await change(PASSWORD, NEW_PASSWORD);
      const { users } = muster.app.services;
      expect(await users.authenticate({ kind: 'password', name: 'anna', password: PASSWORD })).toBeUndefined();
      expect(await users.authenticate({ kind: 'password', name: 'anna', password: NEW_PASSWORD })).toMatchObject({
        name: 'anna',
        roles: [],
        globalAdmin: false,
      });
    });

    it('keeps everything but the password of users with roles that nobody here can hold', async () => {
      const anna = await muster.addCaller('anna', { roles: ['objects'] });
      const before = await muster.app.services.users.byName('anna');
      const document = { ...before?.record.document.value, roles: ['host'] };
      await muster.run(importRulesOfType, { rule_type: 'users', rules: document, override: true });
      await muster.run(changeOwnPassword, { present_password: PASSWORD, new_password: NEW_PASSWORD }, anna);
      const after = await muster.app.services.users.byName('anna');
      expect(after?.record.document.value).toMatchObject({ ...document, pwdhash: expect.any(String) } as never);
      expect(after?.passwordHash).not.toBe(before?.passwordHash);
    });

    it('gives everybody tokens of their own, which carry no more than they hold', async () => {
      const anna = await muster.addCaller('anna', { roles: ['objects'] });
      const own = (input: object) => muster.run(createOwnToken, { label: 'script', ...input } as never, anna);
      await expect(own({ roles: ['rules'] })).rejects.toEqual(code('invalid_input'));
      await expect(own({ accounts: ['nowhere'] })).rejects.toEqual(code('invalid_input'));
      const { token, prefix } = await own({ read_only: true });
      const { users } = muster.app.services;
      expect(await users.authenticate({ kind: 'token', token })).toMatchObject({
        name: 'anna',
        roles: ['objects'],
        globalAdmin: false,
      });
      await muster.addCaller('bob', { roles: ['objects'] });
      await muster.run(createToken, { name: 'bob', label: 'theirs' });
      const { tokens } = await muster.run(listOwnTokens, {}, anna);
      expect(tokens.map(({ label }) => label)).toEqual(['script']);
      const limited = { ...anna, token: { id: 'x', limited: true } } as never;
      await expect(muster.run(createOwnToken, { label: 'more' }, limited)).rejects.toEqual(code('forbidden'));
      await expect(muster.run(revokeOwnToken, { prefix: 'muster_unknown' }, anna)).rejects.toEqual(code('not_found'));
      await muster.run(revokeOwnToken, { prefix }, anna);
      expect(await users.authenticate({ kind: 'token', token })).toBeUndefined();
    });

    it('gives no own token to who may only read, and to nobody without a user', async () => {
      const reader = await muster.addCaller('reader', { roles: ['all'], read_only: true });
      await expect(muster.run(createOwnToken, { label: 'x' }, reader)).rejects.toEqual(code('read_only'));
      await expect(muster.run(revokeOwnToken, { prefix: 'x' }, reader)).rejects.toEqual(code('read_only'));
      const refusal = new AppError('unauthenticated', 'who are you?');
      const nobody = anonymousCaller({ address: '', requestId: 'test', path: 'test', refusal });
      await expect(muster.run(createOwnToken, { label: 'x' }, nobody)).rejects.toBe(refusal);
      await expect(muster.run(listOwnTokens, {}, nobody)).rejects.toBe(refusal);
    });

    it('gives no own password to who may only read, and to nobody without a user', async () => {
      const input = { present_password: PASSWORD, new_password: NEW_PASSWORD };
      const reader = await muster.addCaller('reader', { roles: ['all'], read_only: true });
      await expect(muster.run(changeOwnPassword, input, reader)).rejects.toEqual(code('read_only'));
      const refusal = new AppError('unauthenticated', 'who are you?');
      const nobody = anonymousCaller({ address: '', requestId: 'test', path: 'test', refusal });
      await expect(muster.run(changeOwnPassword, input, nobody)).rejects.toBe(refusal);
    });
  });
}
