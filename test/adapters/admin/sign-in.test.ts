import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { localOperator } from '../../../src/app/kernel/caller.ts';
import { changeUser } from '../../../src/app/users/operations/change-user.ts';
import { createToken } from '../../../src/app/users/operations/create-token.ts';
import { cookieIn } from './admin-client.ts';
import { signInWorld, type World } from './sign-in-world.ts';

const OPERATOR = localOperator({ name: 'operator', path: 'test', requestId: 'test' });
const SUE = { subject: '1', name: 'sue', email: 'sue@example.org', groups: ['staff'], password: 'secret' };
const STAFF = { name: 'Staff', groups: ['staff'], api_roles: ['objects'], restrict_to_accounts: ['crm'] };

let world: World;
beforeEach(async () => {
  world = await signInWorld();
  world.people.set('1', SUE);
  await world.map(STAFF);
});
afterEach(() => world.client.service.stop());

const change = (value: object) => world.client.service.executor.value(changeUser, { kind: 'value', value }, OPERATOR);
const userNamed = async (name: string) =>
  (await world.client.service.services.users.byName(name))?.record.document.value;
const sessionOf = async (cookie: string) => (await world.client.session(cookie)).json();

describe('people who are known elsewhere', () => {
  it('are offered the ways to log in', async () => {
    const answer = await world.client.service.request({ url: '/admin/api/sign-in', user: null });
    expect(answer.json()).toEqual({
      methods: [
        { name: 'directory', label: 'directory', kind: 'password' },
        { name: 'portal', label: 'the portal', kind: 'redirect' },
      ],
      problem: '',
      passkeys: false,
      no_users: false,
    });
  });

  it('get a user with what their group may do', async () => {
    const answer = await world.logIn('sue');
    expect(answer.json()).toMatchObject({ user: 'sue', roles: ['objects'], admin: false, accounts: ['crm'] });
    expect(await sessionOf(cookieIn(answer))).toMatchObject({ user: 'sue' });
    expect(await userNamed('sue')).toMatchObject({ email: 'sue@example.org', sign_in: { subject: '1' } });
    await world.client.service.services.audit.settled();
    const audited = await world.client.service.storage.audit.latest({ limit: 10 });
    expect(audited.map(({ operation, actor }) => [operation, actor])).toEqual(
      expect.arrayContaining([
        ['users/created', 'sign-in directory'],
        ['session/log-in', 'sue'],
      ]),
    );
  });

  it('come back from the other system to the page that they wanted', async () => {
    const { cookie, location } = await world.comeBack('1');
    expect(location).toBe('/admin/hosts');
    expect(await sessionOf(cookie)).toMatchObject({ user: 'sue', roles: ['objects'] });
    const out = await world.client.service.request({
      method: 'DELETE',
      url: '/admin/api/session',
      user: null,
      headers: { cookie },
    });
    expect(out.json()).toEqual({ status: 'logged_out', go_to: 'https://portal.test/logout?who=1' });
  });

  it('are let in by no answer that this browser did not ask for', async () => {
    const url = '/admin/sign-in/portal/return?code=1';
    const answer = await world.client.service.request({ url, user: null });
    expect(String(answer.headers['set-cookie'])).not.toContain('muster_session');
    expect(await userNamed('sue')).toBeUndefined();
    const away = await world.client.service.request({ url: '/admin/sign-in/portal', user: null });
    const stale = String(away.headers['set-cookie']).split(';')[0] as string;
    world.client.pass(1);
    const late = await world.client.service.request({ url, user: null, headers: { cookie: stale } });
    expect(String(late.headers['set-cookie'])).not.toContain('muster_session=');
  });

  it('go on to a page of this service only', async () => {
    for (const to of ['https://evil.test/', '//evil.test/', '/admin\\evil', '/other']) {
      const away = await world.client.service.request({
        url: `/admin/sign-in/portal?to=${encodeURIComponent(to)}`,
        user: null,
      });
      const cookie = String(away.headers['set-cookie']).split(';')[0] as string;
      const back = await world.client.service.request({
        url: '/admin/sign-in/portal/return?code=1',
        user: null,
        headers: { cookie },
      });
      expect(back.headers.location).toBe('/admin');
    }
  });

  it('are refused without a group that is mapped, and make no user', async () => {
    world.people.set('1', { ...SUE, groups: ['guests'] });
    expect((await world.logIn('sue')).statusCode).toBe(403);
    expect((await world.comeBack('1')).problem).toMatch(/none of your groups/);
    expect(await userNamed('sue')).toBeUndefined();
  });

  it('are refused by mappings that nobody vouches for, that are off, or that are for another way to log in', async () => {
    await world.map({ ...STAFF, enabled: false });
    expect((await world.logIn('sue')).statusCode).toBe(403);
    await world.map({ ...STAFF, methods: ['portal'] });
    expect((await world.logIn('sue')).statusCode).toBe(403);
    expect((await world.comeBack('1')).cookie).not.toBe('');
    await world.client.service.addUser('ruler', { api_roles: ['rules'] });
    const written = await world.client.service.request({
      method: 'POST',
      url: '/api/v1/rules/sign_in_groups?override=1',
      user: 'ruler',
      payload: { ...STAFF, name: 'a', enabled: true, methods: [], api_roles: ['rules'] },
    });
    expect(written.statusCode).toBe(201);
    expect((await world.logIn('sue')).statusCode).toBe(403);
  });

  it('never become a user who is here already', async () => {
    await world.client.service.addUser('sue', { api_roles: ['all'], global_admin: true });
    for (const name of ['sue', 'SUE']) {
      world.people.set('1', { ...SUE, name });
      const answer = await world.logIn(name);
      expect(answer.statusCode).toBe(403);
      expect(answer.json().message).toMatch(/not taken over/);
    }
    expect(await userNamed('sue')).not.toHaveProperty('sign_in');
    // Nor does somebody else who has the same name elsewhere.
    world.people.set('1', { ...SUE, name: 'ann' });
    expect((await world.logIn('ann')).statusCode).toBe(200);
    world.people.set('2', { ...SUE, subject: '2', name: 'ann', password: 'other' });
    expect((await world.logIn('ann', 'other')).statusCode).toBe(403);
  });

  it('are refused at every door when their user is disabled', async () => {
    const { cookie } = await world.comeBack('1');
    await change({ name: 'sue', disabled: true });
    expect(await sessionOf(cookie)).toBeNull();
    expect((await world.comeBack('1')).problem).toMatch(/disabled/);
  });

  it('log in by no password that stands here', async () => {
    await world.logIn('sue');
    await change({ name: 'sue', password: 'correct horse' });
    const basic = await world.client.service.request({ url: '/api/v1/objects/all', user: 'sue' });
    expect(basic.statusCode).toBe(401);
    expect((await world.client.logIn('sue')).statusCode).toBe(401);
  });

  it('are limited as passwords of this service are', async () => {
    const tries = [];
    for (let i = 0; i < 40; i++) tries.push((await world.logIn('sue', `wrong ${i}`)).statusCode);
    expect(tries[0]).toBe(401);
    expect(tries.at(-1)).toBe(429);
  });

  it('are limited too where many guesses come at once', async () => {
    await world.client.service.stop();
    world = await signInWorld({}, { RATE_LIMIT_401_PER_MINUTE: 5 });
    world.people.set('1', SUE);
    await world.map(STAFF);
    world.pause = () => setTimeout(50);
    const tries = await Promise.all(Array.from({ length: 40 }, (_, index) => world.logIn('sue', `guess ${index}`)));
    expect(world.asked).toBeLessThan(15);
    expect(tries.filter(({ statusCode }) => statusCode === 429).length).toBeGreaterThan(25);
  });
});

describe('a group that is taken away', () => {
  it('takes the rights at the next login, and ends what goes on', async () => {
    const { cookie } = await world.comeBack('1');
    world.people.set('1', { ...SUE, groups: [] });
    expect((await world.comeBack('1')).problem).toMatch(/none of your groups/);
    expect(await sessionOf(cookie)).toBeNull();
    expect(await userNamed('sue')).toMatchObject({ api_roles: [], global_admin: false, readonly: true });
  });

  it.each(['directory', 'portal'])('takes the rights of a session by %s within the time', async (method) => {
    const cookie = method === 'portal' ? (await world.comeBack('1')).cookie : cookieIn(await world.logIn('sue'));
    world.people.set('1', { ...SUE, groups: [] });
    expect(await sessionOf(cookie)).not.toBeNull();
    world.client.pass(0.26);
    expect(await sessionOf(cookie)).toBeNull();
  });

  it('for another one changes what a session may do', async () => {
    await world.map(STAFF, { name: 'Writers', groups: ['writers'], api_roles: ['rules'] });
    const { cookie } = await world.comeBack('1');
    world.people.set('1', { ...SUE, groups: ['writers'] });
    world.client.pass(0.26);
    expect(await sessionOf(cookie)).toMatchObject({ roles: ['rules'], accounts: null });
  });

  it('takes the rights of API tokens', async () => {
    await world.logIn('sue');
    const token = { kind: 'value' as const, value: { name: 'sue', label: 'x' } };
    const issued = (await world.client.service.executor.value(createToken, token, OPERATOR)) as { token: string };
    const asked = async () =>
      (
        await world.client.service.request({
          url: '/api/v1/objects/all',
          user: null,
          headers: { authorization: `Bearer ${issued.token}` },
        })
      ).statusCode;
    expect(await asked()).toBe(200);
    world.client.pass(0.5);
    await change({ name: 'sue', email: 'x@example.org' });
    expect(await asked()).toBe(200);
    world.people.set('1', { ...SUE, groups: [] });
    world.client.pass(0.5);
    await change({ name: 'sue', email: 'y@example.org' });
    expect(await asked()).toBe(401);
  });
});

describe('a system that does not answer', () => {
  it('is asked again, and after twice the time nobody goes on', async () => {
    const { cookie } = await world.comeBack('1');
    world.silent = true;
    world.client.pass(0.26);
    expect(await sessionOf(cookie)).toMatchObject({ user: 'sue' });
    world.client.pass(0.26);
    expect((await world.client.session(cookie)).statusCode).toBe(503);
    world.silent = false;
    world.client.pass(0.02);
    expect(await sessionOf(cookie)).toMatchObject({ user: 'sue' });
  });

  it('is asked once by many requests at once', async () => {
    const { cookie } = await world.comeBack('1');
    world.client.pass(0.26);
    await Promise.all(Array.from({ length: 10 }, () => sessionOf(cookie)));
    expect(world.asked).toBe(1);
  });
});

it('ends sessions when the other system says so, once a message', async () => {
  const { cookie } = await world.comeBack('1');
  const end = (payload: string) =>
    world.client.service.request({
      method: 'POST',
      url: '/admin/sign-in/portal/ended',
      user: null,
      payload,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
  expect((await end('s-2')).statusCode).toBe(200);
  expect(await sessionOf(cookie)).not.toBeNull();
  expect((await end('s-1')).statusCode).toBe(200);
  expect(await sessionOf(cookie)).toBeNull();
  expect((await end('s-1')).statusCode).toBe(403);
});

it('makes no user where that is not wanted', async () => {
  const strict = await signInWorld({ create_users: 'false' });
  strict.people.set('1', SUE);
  await strict.map(STAFF);
  expect((await strict.logIn('sue')).json().message).toMatch(/no user for you/);
  await strict.client.service.stop();
});
