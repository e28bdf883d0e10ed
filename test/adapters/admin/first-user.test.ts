import { afterEach, expect, it } from 'vitest';
import { firstUserSecret } from '../../../src/app/users/first-user.ts';
import { AdminClient, cookieIn, PASSWORD } from './admin-client.ts';

let client: AdminClient;
afterEach(() => client.service.stop());

const SESSION = '/admin/api/session';
const show = (first_user: string, name = 'ada', password = PASSWORD) =>
  client.service.request({ method: 'POST', url: SESSION, user: null, payload: { first_user, name, password } });
const secret = async () => (await firstUserSecret(client.service.services)) ?? '';
const noUsers = async () =>
  (await client.service.request({ url: '/admin/api/sign-in', user: null })).json().no_users as boolean;

it('makes an administrator and logs them in, once', async () => {
  client = await AdminClient.start({}, { hasUsers: false });
  const link = await secret();
  expect(Buffer.from(link, 'base64url').length).toBe(32);
  expect(await noUsers()).toBe(true);
  const made = await show(link);
  expect(made.json()).toMatchObject({ user: 'ada', admin: true, roles: ['all'] });
  expect((await client.session(cookieIn(made))).json()).toMatchObject({ user: 'ada' });
  expect(await noUsers()).toBe(false);
  expect((await show(link, 'eve')).statusCode).toBe(403);
  expect(await firstUserSecret(client.service.services)).toBeUndefined();
  expect((await client.logIn('ada')).statusCode).toBe(200);
});

it('is the same for every node, until it ends after an hour', async () => {
  client = await AdminClient.start({}, { hasUsers: false });
  const links = await Promise.all([secret(), secret(), secret()]);
  expect(new Set(links).size).toBe(1);
  client.pass(1.01);
  expect((await show(links[0] ?? '')).statusCode).toBe(403);
  const next = await secret();
  expect(next).not.toBe(links[0]);
  expect((await show(next)).statusCode).toBe(200);
});

it('stays usable when the name or the password is refused', async () => {
  client = await AdminClient.start({}, { hasUsers: false });
  const link = await secret();
  const weak = await show(link, 'ada', 'short');
  expect([weak.statusCode, weak.json().details[0].path]).toEqual([400, 'password']);
  expect((await show(link, 'a b')).json().details[0].path).toBe('name');
  expect((await show(`${link}x`)).statusCode).toBe(403);
  expect((await show(link)).statusCode).toBe(200);
});

it('lets one of many in', async () => {
  client = await AdminClient.start({}, { hasUsers: false });
  const link = await secret();
  const tries = await Promise.all(['a', 'b', 'c', 'd'].map((name) => show(link, name)));
  expect(tries.map(({ statusCode }) => statusCode).sort()).toEqual([200, 403, 403, 403]);
});

it('ends as soon as there is a user, and there is none where one was removed', async () => {
  client = await AdminClient.start({}, { hasUsers: false });
  const link = await secret();
  await client.service.addUser('olga');
  expect((await show(link)).statusCode).toBe(403);
  expect(await firstUserSecret(client.service.services)).toBeUndefined();
  const { storage, users } = client.service.services;
  const id = (await users.byName('olga'))?.id ?? '';
  await storage.rules.remove({ type: 'users', id, at: new Date(), actor: { kind: 'user', name: 'olga' } });
  expect(await noUsers()).toBe(true);
  expect(await firstUserSecret(client.service.services)).toBeUndefined();
  expect((await show(link)).statusCode).toBe(403);
});

it('is refused without encryption from another machine', async () => {
  client = await AdminClient.start({}, { hasUsers: false });
  const link = await secret();
  const answer = await client.service.request({
    method: 'POST',
    url: SESSION,
    user: null,
    payload: { first_user: link, name: 'ada', password: PASSWORD },
    remoteAddress: '192.0.2.7',
  });
  expect([answer.statusCode, answer.json().code]).toEqual([401, 'insecure_transport']);
  expect((await client.service.services.users.list()).length).toBe(0);
});
