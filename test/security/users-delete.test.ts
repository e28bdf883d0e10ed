import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { saveHost } from '../../src/app/hosts/operations/save-host.ts';
import { listAudit } from '../../src/app/journal/operations/list-audit.ts';
import { listSavedSearches } from '../../src/app/search/operations/list-saved-searches.ts';
import { saveSearch } from '../../src/app/search/operations/save-search.ts';
import { addUser } from '../../src/app/users/operations/add-user.ts';
import { changeUser } from '../../src/app/users/operations/change-user.ts';
import { createToken } from '../../src/app/users/operations/create-token.ts';
import { deleteUser } from '../../src/app/users/operations/delete-user.ts';
import { Entrances, PASSWORD } from './support/entrances.ts';
import { STORES } from './support/two-stores.ts';

describe.each(STORES)('a deleted user, %s', (_store, create) => {
  let entrances: Entrances;
  let session: string;
  let token: string;

  const byToken = () =>
    entrances.http.inject({ url: '/api/v1/objects/all', headers: { authorization: `Bearer ${token}` } });
  const status = async (cookie: string): Promise<unknown> =>
    (await entrances.http.inject({ url: '/admin/api/session', headers: { cookie } })).json();
  const add = () => entrances.muster.run(addUser, { name: 'olga', password: PASSWORD, roles: ['objects'] });

  beforeAll(async () => {
    entrances = await Entrances.over(create);
    await entrances.muster.addCaller('root', { roles: ['all'], admin: true });
    await entrances.muster.addAccounts('crm');
  });

  afterAll(() => entrances.stop());

  beforeEach(async () => {
    await add();
    session = (await entrances.logIn('olga')).cookie;
    token = (await entrances.muster.run(createToken, { name: 'olga', label: 'ci' })).token;
    expect((await byToken()).statusCode).toBe(200);
    expect(await status(session)).toMatchObject({ user: 'olga' });
  });

  it('is refused at once by password, token and session, and a new one of the name inherits none of them', async () => {
    expect(await entrances.rest('olga', { url: '/api/v1/objects/all' })).toMatchObject({ ok: true });
    const cookie = await entrances.cookieOf('root');
    expect(await entrances.page(cookie, 'users/delete-user', { name: 'olga' })).toMatchObject({
      ok: true,
      body: { status: 'deleted', name: 'olga' },
    });
    const refused = async () => {
      expect((await byToken()).statusCode).toBe(401);
      expect(await status(session)).toBeNull();
    };
    await refused();
    expect(await entrances.logIn('olga')).toMatchObject({ code: 'unauthenticated' });
    expect(await entrances.rest('olga', { url: '/api/v1/objects/all' })).toMatchObject({ code: 'unauthenticated' });
    await add();
    await refused();
    expect(await entrances.logIn('olga')).toMatchObject({ ok: true });
    await entrances.muster.run(deleteUser, { name: 'olga' });
  });

  it('takes own searches along, and leaves those that others share', async () => {
    const caller = await entrances.muster.callerOf('olga');
    for (const shared of [false, true]) {
      const search = { name: `shared ${shared}`, where: 'os:linux', columns: [], shared };
      await entrances.muster.run(saveSearch, search, caller);
    }
    await entrances.muster.run(deleteUser, { name: 'olga' });
    await add();
    const { searches } = await entrances.muster.run(listSavedSearches, {}, await entrances.muster.callerOf('olga'));
    expect(searches.map(({ name }) => name)).toEqual(['shared true']);
    await entrances.muster.run(deleteUser, { name: 'olga' });
  });

  it('stays in history and audit by name', async () => {
    const caller = await entrances.muster.callerOf('olga');
    await entrances.muster.run(saveHost, { hostname: 'h', account: 'crm', labels: {} }, caller);
    await entrances.muster.run(deleteUser, { name: 'olga' });
    const history = await entrances.rest('root', { url: '/api/v1/objects/h/history' });
    expect(history.text).toContain('user:olga');
    const { entries } = await entrances.muster.run(listAudit, { actor: 'olga' });
    expect(entries).toEqual(expect.arrayContaining([expect.objectContaining({ operation: 'hosts/save-host' })]));
    const deletions = await entrances.muster.run(listAudit, { operation: 'users/delete-user' });
    expect(deletions.entries[0]).toMatchObject({ subject: 'olga', outcome: 'done' });
  });

  it('is no administrator who is the last one, or oneself, and nobody else deletes users', async () => {
    await entrances.muster.addCaller('boss', { roles: ['all'] });
    const boss = await entrances.cookieOf('boss');
    const root = await entrances.cookieOf('root');
    expect(await entrances.page(boss, 'users/delete-user', { name: 'olga' })).toMatchObject({ code: 'role_missing' });
    expect(await entrances.page(boss, 'rules/remove-rule', { rule_type: 'users', rule: 'olga' })).toMatchObject({
      code: 'invalid_input',
    });
    expect(await entrances.page(root, 'users/delete-user', { name: 'ROOT' })).toMatchObject({
      code: 'conflict',
      body: { message: expect.stringMatching(/you cannot delete yourself/) },
    });
    await entrances.muster.addCaller('other', { admin: true });
    await entrances.muster.run(changeUser, { name: 'other', disabled: true });
    await expect(entrances.muster.run(deleteUser, { name: 'root' })).rejects.toThrow(/last administrator/);
    await entrances.muster.run(deleteUser, { name: 'other' });
    expect(await entrances.page(root, 'users/delete-user', { name: 'olga' })).toMatchObject({ ok: true });
    await expect(entrances.muster.run(deleteUser, { name: 'olga' })).rejects.toMatchObject({ code: 'not_found' });
  });
});
