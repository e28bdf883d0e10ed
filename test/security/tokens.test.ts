import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildHttpApp } from '../../src/adapters/http/app.ts';
import { importRules } from '../../src/app/rules/operations/import-rules.ts';
import { changeOwnPassword } from '../../src/app/users/operations/change-own-password.ts';
import { changeUser } from '../../src/app/users/operations/change-user.ts';
import { createToken } from '../../src/app/users/operations/create-token.ts';
import { listTokens } from '../../src/app/users/operations/list-tokens.ts';
import { OperationsApp, PASSWORD } from '../app/operations/operations-app.ts';
import { DATABASES, type OpenedDatabase } from './support/opened-stores.ts';

const DAY_MS = 86_400_000;

describe.each(DATABASES)('tokens over %s', (_name, open) => {
  let database: OpenedDatabase;
  let app: OperationsApp;
  let http: ReturnType<typeof buildHttpApp>;
  beforeAll(async () => {
    database = await open();
    app = await OperationsApp.over(database.storage, { TOKEN_DEFAULT_DAYS: 30 });
    http = buildHttpApp({ version: '0' }, { services: app.app.services, executor: app.app.executor });
    await app.addAccounts('crm', 'dcim');
    await app.addCaller('olga', { roles: ['objects', 'rules', 'syncer'] });
    await app.addCaller('boss', { roles: ['all'], admin: true });
    for (const account of ['crm', 'dcim']) {
      const token = await made('olga', { label: `fill ${account}` });
      await write(token, `${account}1`, account);
    }
  });
  afterAll(async () => {
    await http.close();
    await app.stop();
    await database.close();
  });

  async function made(name: string, scope: object = {}): Promise<string> {
    return (await app.run(createToken, { name, label: 'test', ...scope })).token;
  }

  const status = async (token: string, url: string): Promise<number> =>
    (await http.inject({ url: `/api/v1${url}`, headers: { authorization: `Bearer ${token}` } })).statusCode;

  const write = async (token: string, host: string, account: string): Promise<number> => {
    const headers = { authorization: `Bearer ${token}` };
    const payload = { account, labels: {} };
    return (await http.inject({ method: 'POST', url: `/api/v1/objects/${host}`, headers, payload })).statusCode;
  };

  it('end by themselves unless somebody chose otherwise', async () => {
    const ends = async (scope: object) =>
      (await app.run(createToken, { name: 'olga', label: 'end', ...scope })).expires;
    const inDays = (text: string | null) => Math.round((Date.parse(text ?? '') - Date.now()) / DAY_MS);
    expect(inDays(await ends({}))).toBe(30);
    expect(inDays(await ends({ expires_days: 7 }))).toBe(7);
    expect(await ends({ expires_days: 0 })).toBeNull();
  });

  it('with roles open these and no others of the user', async () => {
    const [all, rules] = [await made('olga'), await made('olga', { roles: ['rules'] })];
    expect([await status(all, '/rules/types'), await status(all, '/objects/crm1')]).toEqual([200, 200]);
    expect([await status(rules, '/rules/types'), await status(rules, '/objects/crm1')]).toEqual([200, 401]);
    expect(await status(rules, '/syncer/hosts')).toBe(401);
  });

  it('that only read write nothing', async () => {
    const reader = await made('olga', { read_only: true });
    expect(await status(reader, '/objects/crm1')).toBe(200);
    expect(await write(reader, 'crm1', 'crm')).toBe(403);
    expect(await write(await made('olga'), 'crm1', 'crm')).toBe(200);
  });

  it('for some accounts see and write no host of others', async () => {
    const crm = await made('olga', { accounts: ['crm'] });
    expect([await status(crm, '/objects/crm1'), await status(crm, '/objects/dcim1')]).toEqual([200, 404]);
    expect([await write(crm, 'crm1', 'crm'), await write(crm, 'new1', 'dcim')]).toEqual([200, 403]);
  });

  it('for some accounts are for users whose document names these by id', async () => {
    const { accounts } = app.app.services;
    const { id } = await accounts.inScope('crm', null);
    await app.run(importRules, {
      rules: { users: [{ name: 'moved', api_roles: ['objects'], restrict_to_accounts: [{ $oid: id }] }] },
    });
    const crm = await made('moved', { accounts: ['crm'] });
    expect([await status(crm, '/objects/crm1'), await status(crm, '/objects/dcim1')]).toEqual([200, 404]);
    await expect(made('moved', { accounts: ['dcim'] })).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('carry no more than their user holds, now and later', async () => {
    const wrong = expect.objectContaining({ code: 'invalid_input' });
    await expect(made('olga', { roles: ['mcp'] })).rejects.toEqual(wrong);
    await expect(made('olga', { accounts: ['nowhere'] })).rejects.toEqual(wrong);
    const [rules, dcim] = [await made('olga', { roles: ['rules'] }), await made('olga', { accounts: ['dcim'] })];
    await app.run(changeUser, { name: 'olga', roles: ['objects'], accounts: ['crm'] });
    expect(await status(rules, '/rules/types')).toBe(401);
    expect([await status(dcim, '/objects/dcim1'), await status(dcim, '/objects/crm1')]).toEqual([404, 404]);
    await expect(made('olga', { accounts: ['dcim'] })).rejects.toEqual(wrong);
    await app.run(changeUser, { name: 'olga', roles: ['objects', 'rules', 'syncer'], accounts: [] });
    expect(await status(rules, '/rules/types')).toBe(200);
  });

  it('for some templates reach hosts of these, and no more than their user', async () => {
    const templates = ['web', 'db'].map((hostname) => ({ hostname, object_type: 'template', labels: {} }));
    const hosts = ['web', 'db'].map((template) => ({
      hostname: `${template}-host`,
      account: 'crm',
      labels: {},
      cmdb_templates: [template],
    }));
    await app.run(importRules, { rules: { cmdb_templates: templates, host_objects: hosts } });
    const reached = async (token: string) => [
      await status(token, '/objects/web-host'),
      await status(token, '/objects/db-host'),
      await status(token, '/objects/crm1'),
    ];
    const web = await made('olga', { templates: ['web'] });
    expect(await reached(web)).toEqual([200, 404, 404]);
    expect(await reached(await made('olga'))).toEqual([200, 200, 200]);
    const { tokens } = await app.run(listTokens, { name: 'olga' });
    expect(tokens.at(-2)).toMatchObject({ templates: ['web'], accounts: null });
    expect(tokens.at(-1)).toMatchObject({ templates: null });
    await app.run(changeUser, { name: 'olga', templates: ['db'] });
    const wrong = expect.objectContaining({
      code: 'invalid_input',
      details: [expect.objectContaining({ path: 'templates' })],
    });
    await expect(made('olga', { templates: ['web'] })).rejects.toEqual(wrong);
    await expect(made('olga', { templates: ['nowhere'] })).rejects.toEqual(wrong);
    expect(await reached(web)).toEqual([404, 404, 404]);
    expect(await reached(await made('olga', { templates: ['db'] }))).toEqual([404, 200, 404]);
    await app.run(changeUser, { name: 'olga', templates: [] });
    expect(await reached(web)).toEqual([200, 404, 404]);
  });

  it('that are limited make no tokens, no administrators and no passwords', async () => {
    for (const scope of [{ roles: ['all'] }, { accounts: ['crm'] }, { read_only: true }]) {
      const token = await made('boss', scope);
      const identity = await app.app.services.users.authenticate({ kind: 'token', token });
      if (identity === undefined) throw new Error('the token is good');
      const caller = { ...identity, entrance: 'rest', address: '', requestId: 't', path: 't' } as const;
      await expect(app.run(createToken, { name: 'boss', label: 'more' }, caller)).rejects.toMatchObject({
        code: expect.stringMatching(/^(role_missing|read_only|forbidden)$/),
      });
      const passwords = { present_password: PASSWORD, new_password: `${PASSWORD} too` };
      await expect(app.run(changeOwnPassword, passwords, caller)).rejects.toMatchObject({
        code: expect.stringMatching(/^(read_only|forbidden)$/),
      });
      const user = { name: 'evil', pwdhash: 'x', api_roles: ['all'], global_admin: true };
      const headers = { authorization: `Bearer ${token}` };
      const payload = { rule_type: 'users', rules: [user] };
      await http.inject({ method: 'POST', url: '/api/v1/rules/import', headers, payload });
      expect((await app.app.services.users.byName('evil'))?.globalAdmin ?? false).toBe(false);
    }
    expect((await app.run(createToken, { name: 'boss', label: 'control' }, await app.callerOf('boss'))).token).toMatch(
      /^muster_/,
    );
  });

  it('from before go on as they are, without an end and with all of their user', async () => {
    const { services } = app.app;
    const user = await services.users.byName('olga');
    const token = await made('olga', { expires_days: 0 });
    const { tokens } = await app.run(listTokens, { name: 'olga' });
    expect(tokens.at(-1)).toMatchObject({ expires: null, roles: null, read_only: false, accounts: null });
    expect(user?.tokens.length).toBe(tokens.length - 1);
    expect(await status(token, '/rules/types')).toBe(200);
  });
});
