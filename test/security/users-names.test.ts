import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runDoctor } from '../../src/app/maintenance/operations/run-doctor.ts';
import { importRules } from '../../src/app/rules/operations/import-rules.ts';
import { addUser } from '../../src/app/users/operations/add-user.ts';
import { changeUser } from '../../src/app/users/operations/change-user.ts';
import { createToken } from '../../src/app/users/operations/create-token.ts';
import { revokeToken } from '../../src/app/users/operations/revoke-token.ts';
import { userNameKey, userNameLikeness, userNameProblem } from '../../src/kit/users/user-names.ts';
import { StoredJson } from '../../src/ports/index.ts';
import { Entrances, PASSWORD } from './support/entrances.ts';
import { STORES } from './support/two-stores.ts';

/** Names that people take for `olga`. */
const LIKE_OLGA = {
  'another case': 'OLGA',
  'full width': 'ｏｌｇａ',
  'a letter of another script': 'оlga',
  'an invisible character': 'ol\u200Bga',
  'a variation selector': 'olga\uFE0F',
  'turned text': 'ol\u202Ega',
  'a filler': 'olga\u3164',
  'a mathematical letter': '𝐨lga',
} as const;

describe('names of users', () => {
  it('are one name however they are cased, spaced or written', () => {
    for (const name of ['Olga', ' olga ', 'OLGA', 'ｏｌｇａ', 'ol\u200Bga']) expect(userNameKey(name)).toBe('olga');
    expect(userNameKey('STRASSE')).toBe(userNameKey('straße'));
    expect(userNameKey('olga')).not.toBe(userNameKey('olha'));
    // Scripts as a whole: Cyrillic "сосо" beside Latin "coco".
    expect(userNameLikeness('сосо')).toBe(userNameLikeness('coco'));
  });

  it('of honest people are fine in any script', () => {
    for (const name of [
      'olga',
      'O.Müller-2',
      'o_brien',
      'ci@example.org',
      'Ольга',
      'Όλγα',
      '山田太郎',
      'さくら',
      'علي',
      'José',
    ]) {
      expect(userNameProblem(name), name).toBeUndefined();
    }
  });
});

describe.each(STORES)('users, %s', (_store, create) => {
  let entrances: Entrances;

  /** As a store of before has it. */
  async function stored(name: string, members: object): Promise<void> {
    const { muster } = entrances;
    const id = muster.app.services.newId();
    const root = await muster.storage.rules.findByName('users', 'root');
    const document = { ...root?.document.value, _id: { $oid: id }, name, ...members };
    await muster.storage.rules.write({
      entries: [
        {
          type: 'users',
          id,
          name,
          uniqueName: true,
          document: StoredJson.ofValue(document),
          confirmedBy: 'administrator',
        },
      ],
      mode: 'replace',
      at: new Date(),
      actor: { kind: 'system', name: 'test' },
    });
  }

  const importUser = (document: object, user = 'root') =>
    entrances.rest(user, { method: 'POST', url: '/api/v1/rules/users?override=1', payload: document });

  beforeAll(async () => {
    entrances = await Entrances.over(create);
    const { muster } = entrances;
    await muster.addAccounts('mine', 'theirs');
    await muster.addCaller('root', { roles: ['all'], admin: true });
    await muster.addCaller('keeper', { roles: ['rules'] });
    await muster.addCaller('olga', { roles: ['objects'] });
  });

  afterAll(() => entrances.stop());

  it('are not imported under a name that no login can have', async () => {
    const answer = await importUser({ name: 'ops:team', api_roles: ['objects'], password: 'correct horse battery' });
    expect(answer).toMatchObject({ body: { imported: 0, invalid: 1 } });
    expect(answer.text).toContain('colon');
  });

  it('log in by any spelling of their name, and are known by the one that is stored', async () => {
    for (const name of ['olga', 'Olga', ' olga ', 'ＯＬＧＡ']) {
      expect(await entrances.logIn(name), name).toMatchObject({ ok: true, body: { user: 'olga' } });
    }
    expect(await entrances.logIn('olga2')).toMatchObject({ ok: false, code: 'unauthenticated' });
  });

  it.each(Object.entries(LIKE_OLGA))('get no second one with %s', async (_what, name) => {
    const cookie = await entrances.cookieOf('root');
    const add = await entrances.page(cookie, 'users/add-user', { name, password: PASSWORD });
    expect(['conflict', 'invalid_input']).toContain(add.code);
    for (const user of ['root', 'keeper']) {
      expect(await importUser({ name }, user)).toMatchObject({
        body: { imported: 0, invalid: 1, details: [{ path: 'name', message: expect.any(String) }] },
      });
    }
    expect(await entrances.muster.storage.rules.findByName('users', name)).toBeUndefined();
  });

  it('of one import are told apart too, and re-posted as they stand', async () => {
    expect(await importUser([{ name: 'ada' }, { name: 'Ada' }] as never)).toMatchObject({
      body: { imported: 1, invalid: 1 },
    });
    const { body } = await entrances.rest('root', { url: '/api/v1/rules/users' });
    expect(await importUser(body.rules)).toMatchObject({ body: { imported: body.rules.length, invalid: 0 } });
  });

  it('of before keep names that collide, each by its exact spelling, and doctor tells', async () => {
    await stored('Twin', { api_roles: ['objects'] });
    await stored('twin', { api_roles: ['objects'] });
    for (const name of ['Twin', 'twin']) {
      expect(await entrances.logIn(name)).toMatchObject({ ok: true, body: { user: name } });
    }
    expect(await entrances.logIn('TWIN')).toMatchObject({ code: 'unauthenticated' });
    const { findings } = await entrances.muster.run(runDoctor, {});
    expect(findings.find(({ check }) => check === 'users')).toMatchObject({
      ok: false,
      message: expect.stringMatching(/Twin and twin/),
    });
    const record = await entrances.muster.storage.rules.findByName('users', 'Twin');
    expect(await importUser({ ...record?.document.value, email: 'x@y.z' })).toMatchObject({ body: { imported: 1 } });
  });

  describe('an administrator who is restricted to accounts', () => {
    it('is refused wherever one is made', async () => {
      const cookie = await entrances.cookieOf('root');
      const both = { admin: true, accounts: ['mine'] };
      expect(
        await entrances.page(cookie, 'users/add-user', { name: 'half', password: PASSWORD, ...both }),
      ).toMatchObject({
        code: 'invalid_input',
        body: { message: expect.stringMatching(/reaches all accounts/) },
      });
      expect(await entrances.page(cookie, 'users/change-user', { name: 'olga', ...both })).toMatchObject({
        code: 'invalid_input',
      });
      const document = { name: 'half', global_admin: true, restrict_to_accounts: ['mine'] };
      expect(await importUser(document)).toMatchObject({
        body: { imported: 0, details: [{ path: 'restrict_to_accounts', message: expect.any(String) }] },
      });
      const tool = { rule_type: 'users', rule: document, override: true };
      await entrances.muster.run(changeUser, { name: 'root', roles: ['all', 'mcp'] });
      expect(await entrances.tool('root', 'create_rule', tool)).toMatchObject({ body: { status: 'invalid' } });
      await expect(entrances.muster.run(addUser, { name: 'half', password: PASSWORD, ...both })).rejects.toMatchObject({
        code: 'invalid_input',
      });
      expect(await entrances.muster.storage.rules.findByName('users', 'half')).toBeUndefined();
    });

    it('of before is restricted and no administrator, is named by doctor, and can be mended', async () => {
      await stored('legacy', { global_admin: true, api_roles: ['all'], restrict_to_accounts: ['mine'] });
      const { cookie, body } = await entrances.logIn('legacy');
      expect(body).toMatchObject({ admin: false, accounts: ['mine'] });
      for (const [operation, input] of [
        ['users/list-users', {}],
        ['accounts/test-account', { name: 'mine' }],
        ['imports/import-account', { account: 'mine' }],
        ['system/show-config', {}],
      ] as const) {
        expect(await entrances.page(cookie, operation, input), operation).toMatchObject({ code: 'role_missing' });
      }
      const { findings } = await entrances.muster.run(runDoctor, {});
      expect(findings.find(({ check }) => check === 'users')?.message).toMatch(
        /user legacy is marked as administrator/,
      );
      // What does not change the two goes on working.
      const { prefix } = await entrances.muster.run(createToken, { name: 'legacy', label: 'x' });
      await entrances.muster.run(revokeToken, { name: 'legacy', prefix });
      await entrances.muster.run(changeUser, { name: 'legacy', admin: false });
      expect((await entrances.logIn('legacy')).body).toMatchObject({ admin: false, accounts: ['mine'] });
    });

    it('is none by a role of that name either', async () => {
      await importUser({
        ...(await documentOf('olga')),
        name: 'sly',
        _id: undefined,
        api_roles: ['admin', 'administrator'],
      });
      const { cookie } = await entrances.logIn('sly');
      expect(await entrances.page(cookie, 'users/list-users')).toMatchObject({ code: 'role_missing' });
      const control = await entrances.page(await entrances.cookieOf('root'), 'users/list-users');
      expect(control).toMatchObject({ ok: true });
    });
  });

  async function documentOf(name: string): Promise<Record<string, unknown>> {
    return { ...(await entrances.muster.storage.rules.findByName('users', name))?.document.value };
  }

  it('get no password by import that a form would refuse', async () => {
    for (const password of ['short', 'weakling2']) {
      const document = { name: 'weakling2', password };
      expect(await importUser(document), password).toMatchObject({
        body: { imported: 0, details: [{ path: 'password', message: expect.any(String) }] },
      });
      expect(await importUser([document] as never, 'keeper')).toMatchObject({ body: { imported: 0 } });
    }
    expect(await importUser({ name: 'strong', password: 'a long enough password' })).toMatchObject({
      body: { imported: 1 },
    });
    // The operator at the machine is warned, and may know better.
    const rules = { users: [{ name: 'local', password: 'short' }] };
    expect(await entrances.muster.run(importRules, { rules })).toMatchObject({ total: 1 });
  });

  it('of the old role ansible see what automation sees', async () => {
    await stored('robot', { api_roles: ['ansible'], global_admin: false });
    const { cookie, body } = await entrances.logIn('robot');
    expect(body.roles).toEqual(['automation']);
    expect(await entrances.page(cookie, 'inventory/list-providers')).toMatchObject({ ok: true });
    expect(await entrances.page(cookie, 'search/search-hosts')).toMatchObject({ code: 'role_missing' });
  });
});
