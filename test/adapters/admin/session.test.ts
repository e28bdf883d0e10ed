import { afterEach, describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../../src/app/catalogue/operations.ts';
import { localOperator } from '../../../src/app/kernel/caller.ts';
import { changeUser } from '../../../src/app/users/operations/change-user.ts';
import { AdminClient, cookieIn, PASSWORD } from './admin-client.ts';

const OFFERED = OPERATIONS.filter(({ at }) => at.page === true);

let client: AdminClient;
afterEach(() => client.service.stop());

const start = async (...args: Parameters<typeof AdminClient.start>): Promise<void> => {
  client = await AdminClient.start(...args);
};

describe('a session', () => {
  it('begins with user and password, and says who it is', async () => {
    await start();
    await client.service.addUser('olga', { api_roles: ['objects'], readonly: true, restrict_to_accounts: ['crm'] });
    const answer = await client.logIn('olga');
    const { refused, ...who } = answer.json();
    expect(who).toEqual({
      user: 'olga',
      roles: ['objects'],
      admin: false,
      read_only: true,
      accounts: ['crm'],
      templates: null,
      version: '0.0.0',
      cmdb_mode: false,
      plugin_pages: [],
    });
    expect(refused).toMatchObject({
      'hosts/save-host': { why: 'read_only', whom: 'users with the role objects' },
      'rules/list-waiting': { why: 'role_missing', whom: 'users with the role rules or administrators' },
      'users/list-users': { why: 'role_missing', whom: 'administrators' },
    });
    expect(refused['search/search-hosts']).toBeUndefined();
    expect((await client.session(cookieIn(answer))).json()).toEqual(answer.json());
  });

  it('names the operations that the service refuses, and no others', async () => {
    await start({ RATE_LIMIT_401_PER_MINUTE: 0 });
    const users = {
      reader: { readonly: true, global_admin: true },
      roleless: { api_roles: [] },
      scoped: { restrict_to_accounts: ['crm'], global_admin: true },
      syncer: { api_roles: ['syncer', 'rules'] },
    };
    for (const [name, rights] of Object.entries(users)) {
      await client.service.addUser(name, rights);
      const cookie = await client.cookieOf(name);
      const { refused } = (await client.session(cookie)).json();
      for (const { name: operation } of OFFERED) {
        // No operation takes a list, so that what is not refused does nothing.
        const { code } = (await client.call(operation, cookie, [])).json();
        expect(code, `${operation} by ${name}`).toBe(refused[operation]?.why ?? 'invalid_input');
      }
    }
  });

  it('is a cookie that scripts and other sites do not get, and that says nothing', async () => {
    await start();
    const header = String((await client.logIn('root')).headers['set-cookie']);
    expect(header).toMatch(/^muster_session=.*; Max-Age=604800; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(Buffer.from(header.split('%3A')[1] ?? '', 'base64').toString('latin1')).not.toContain('root');
    const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.1' };
    await client.service.stop();
    await start({ TRUSTED_PROXIES: 1 });
    expect(String((await client.logIn('root', PASSWORD, { headers })).headers['set-cookie'])).toMatch(
      /^__Host-muster_session=.*; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
  });

  it.each([
    ['root', 'wrong'],
    ['nobody', PASSWORD],
    ['gone', PASSWORD],
  ])('does not begin for %s with %s, and no browser asks for Basic credentials', async (name, password) => {
    await start();
    await client.service.addUser('gone', { disabled: true });
    const answer = await client.logIn(name, password);
    expect(answer.statusCode).toBe(401);
    expect(answer.headers).not.toHaveProperty('www-authenticate');
    expect(answer.headers).not.toHaveProperty('set-cookie');
    expect(answer.json()).toEqual({ code: 'unauthenticated', message: 'the credentials are not valid' });
  });

  it('cannot be guessed: wrong passwords are limited together with those of the interface', async () => {
    await start({ RATE_LIMIT_401_PER_MINUTE: 3 });
    for (let n = 0; n < 3; n++) expect((await client.logIn('root', 'wrong')).statusCode).toBe(401);
    expect((await client.logIn('root')).statusCode).toBe(429);
    expect((await client.service.request({ url: '/api/v1/syncer/hosts' })).statusCode).toBe(429);
  });

  it('that is over counts as no wrong password', async () => {
    await start({ RATE_LIMIT_401_PER_MINUTE: 3 });
    for (let n = 0; n < 5; n++)
      expect((await client.call('hosts/host-counters', 'muster_session=x')).statusCode).toBe(401);
    expect((await client.logIn('root')).statusCode).toBe(200);
  });

  it('ends when it is not used, and goes on while it is, under the same cookie', async () => {
    await start({ SESSION_HOURS: 10 });
    const cookie = await client.cookieOf('root');
    for (let n = 0; n < 4; n++) {
      client.pass(9);
      const answer = await client.session(cookie);
      expect(answer.headers).not.toHaveProperty('set-cookie');
      expect(answer.json()).toMatchObject({ user: 'root' });
    }
    client.pass(10);
    expect((await client.session(cookie)).json()).toBeNull();
  });

  it('ends with the password, with the user and on log out', async () => {
    await start();
    const operator = localOperator({ name: 'operator', path: 'test', requestId: 'test' });
    const change = (value: object) =>
      client.service.executor.value(changeUser, { kind: 'value', value: { name: 'olga', ...value } }, operator);
    await client.service.addUser('olga');
    const cookie = await client.cookieOf('olga');
    await change({ roles: ['objects'] });
    expect((await client.session(cookie)).json()).toMatchObject({ roles: ['objects'] });
    await change({ disabled: true });
    expect((await client.session(cookie)).json()).toBeNull();
    await change({ disabled: false, password: 'another good password' });
    expect((await client.session(cookie)).json()).toBeNull();
    const answer = await client.service.request({ method: 'DELETE', url: '/admin/api/session', user: null });
    expect(String(answer.headers['set-cookie'])).toMatch(/^muster_session=; Max-Age=0; Path=\//);
  });

  it.each(['', 'x', 'aes256gcm%3Axxxx', 'a%ZZ'])('is not made up of %j', async (value) => {
    await start();
    expect((await client.session(`muster_session=${value}`)).json()).toBeNull();
  });

  it('is not made of a secret that somebody had sealed, nor of one that was sealed for it', async () => {
    await start();
    const { services, storage } = client.service;
    const root = await services.users.byName('root');
    const cookie = await client.cookieOf('root');
    const issued = services.clock.now().getTime();
    const [real] = await storage.sessions.ofUser(root?.id ?? '');
    const made = async (text: object, place: string) =>
      `muster_session=${encodeURIComponent(await services.secrets.seal(JSON.stringify(text), place))}`;
    const guess = { user: root?.id, session: real?.id, issued };
    for (const place of ['admin session', 'document/accounts/x/password']) {
      expect((await client.session(await made(guess, place))).json()).toBeNull();
    }
    expect((await client.session(cookie)).json()).toMatchObject({ user: 'root' });
  });

  it('ends some day, however much it is used', async () => {
    await start({ SESSION_HOURS: 24, SESSION_DAYS: 2 });
    const cookie = await client.cookieOf('root');
    for (let hours = 0; hours < 47; hours += 1) {
      client.pass(1);
      expect((await client.session(cookie)).json()).toMatchObject({ user: 'root' });
    }
    client.pass(1);
    expect((await client.session(cookie)).json()).toBeNull();
  });

  it('of another instance key, or changed by one letter, is none', async () => {
    await start();
    const cookie = await client.cookieOf('root');
    const place = cookie.length - 12;
    const changed = cookie.slice(0, place) + (cookie[place] === 'A' ? 'B' : 'A') + cookie.slice(place + 1);
    expect((await client.session(changed)).json()).toBeNull();
    await client.service.stop();
    await start({ INSTANCE_KEY: '33'.repeat(32) });
    expect((await client.session(cookie)).json()).toBeNull();
  });

  it('needs HTTPS from other machines', async () => {
    await start();
    const answer = await client.logIn('root', PASSWORD, { remoteAddress: '192.0.2.7' });
    expect([answer.statusCode, answer.json().code]).toEqual([401, 'insecure_transport']);
  });

  it.each([
    ['a form of another site', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['text of another site', { 'content-type': 'text/plain' }],
    ['another site', { 'sec-fetch-site': 'cross-site', 'content-type': 'application/json' }],
    ['a neighbour', { 'sec-fetch-site': 'same-site', 'content-type': 'application/json' }],
  ])('is not used by %s', async (_who, headers) => {
    await start();
    const cookie = await client.cookieOf('root');
    const answer = await client.service.request({
      method: 'POST',
      url: '/admin/api/operations/hosts/host-counters',
      user: null,
      payload: '{}',
      headers: { cookie, ...headers },
    });
    expect([answer.statusCode, answer.json().code]).toEqual([403, 'forbidden']);
  });

  it('takes no REST credentials, and REST takes no session', async () => {
    await start();
    const cookie = await client.cookieOf('root');
    const rest = await client.service.request({ url: '/api/v1/syncer/hosts', user: null, headers: { cookie } });
    expect(rest.statusCode).toBe(401);
    const url = '/admin/api/operations/hosts/host-counters';
    expect((await client.service.request({ method: 'POST', url, payload: {} })).statusCode).toBe(401);
  });
});
