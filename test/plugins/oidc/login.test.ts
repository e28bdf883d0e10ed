import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addAccount } from '../../../src/app/accounts/operations/add-account.ts';
import { localOperator } from '../../../src/app/kernel/caller.ts';
import { testSignInMethod } from '../../../src/app/logins/operations/test-method.ts';
import { importRules } from '../../../src/app/rules/operations/import-rules.ts';
import { AdminClient } from '../../adapters/admin/admin-client.ts';
import { Browser } from '../../support/oidc/browser.ts';
import { startProvider } from '../../support/oidc/start-provider.ts';

const OPERATOR = localOperator({ name: 'operator', path: 'test', requestId: 'test' });
const SUE = { preferred_username: 'sue', email: 'sue@example.org', groups: ['/ops'] };

/** A service and a provider that know each other. */
async function world(environment: Record<string, string> = {}) {
  const client = await AdminClient.start();
  const { app, executor } = client.service;
  const muster = await app.listen({ port: 0, host: '127.0.0.1' });
  const provider = await startProvider(muster, environment);
  const run = (operation: unknown, value: object) =>
    executor.value(operation as never, { kind: 'value', value }, OPERATOR) as Promise<unknown>;
  const account = { name: 'company', type: 'oidc', settings: { address: provider.url, username: 'muster' } };
  await run(addAccount, { ...account, password: 'the secret of the client' });
  await run(importRules, {
    rules: {
      sign_in_groups: [
        { name: 'Ops', enabled: true, groups: ['/ops'], api_roles: ['objects'], restrict_to_accounts: ['crm'] },
      ],
    },
  });
  return { client, muster, provider, run };
}

type World = Awaited<ReturnType<typeof world>>;

const sessionOf = async ({ muster }: World, browser: Browser) =>
  (await browser.request(`${muster}/admin/api/session`)).json();

/** What a person does: the button, the form of the provider, and back. */
async function logIn({ muster }: World, browser: Browser, subject: string) {
  const form = await browser.follow(`${muster}/admin/sign-in/company?to=/admin/hosts`);
  return browser.submit(form, { prompt: 'login', login: subject, password: 'x' });
}

const problemOf = async ({ muster }: World, browser: Browser) =>
  ((await (await browser.request(`${muster}/admin/api/sign-in`)).json()) as { problem: string }).problem;

describe('a login by OpenID Connect', () => {
  let all: World;
  let browser: Browser;
  beforeAll(async () => {
    all = await world();
  });
  afterAll(async () => {
    await all.provider.stop();
    await all.client.service.stop();
  });
  beforeEach(async () => {
    browser = new Browser();
    await all.provider.setPeople({ 'id-1': SUE, 'id-2': { ...SUE, preferred_username: 'ben', groups: ['/others'] } });
  });

  it('gives a session with what the groups may do, and shows the page that was wanted', async () => {
    const page = await logIn(all, browser, 'id-1');
    expect(page.url).toBe(`${all.muster}/admin/hosts`);
    expect(await sessionOf(all, browser)).toMatchObject({ user: 'sue', roles: ['objects'], accounts: ['crm'] });
  });

  it('asks by authorisation code, with PKCE, state and nonce', async () => {
    const away = await browser.request(`${all.muster}/admin/sign-in/company`);
    const { searchParams } = new URL(away.headers.get('location') ?? '');
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: 'muster',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      redirect_uri: `${all.muster}/admin/sign-in/company/return`,
      response_type: 'code',
      scope: 'openid profile email',
      state: expect.stringMatching(/^[\w-]{43}$/),
    });
  });

  it('is refused without a group that is mapped', async () => {
    const page = await logIn(all, browser, 'id-2');
    expect(page.url).toBe(`${all.muster}/admin`);
    expect(await problemOf(all, browser)).toMatch(/none of your groups/);
    expect(await sessionOf(all, browser)).toBeNull();
  });

  it('is refused for an answer that another browser asked for, or that comes twice', async () => {
    const { muster } = all;
    const form = await browser.follow(`${muster}/admin/sign-in/company`);
    const [, action = ''] = /<form[^>]*action="([^"]*)"/.exec(form.text) ?? [];
    const filled = new URLSearchParams({ prompt: 'login', login: 'id-1', password: 'x' }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    let at = new URL(action, form.url).href;
    let answer = await browser.request(at, { method: 'POST', body: filled, headers });
    for (let steps = 0; steps < 10 && !at.startsWith(muster); steps++) {
      at = new URL(answer.headers.get('location') ?? '', at).href;
      if (!at.startsWith(muster)) answer = await browser.request(at);
    }
    expect(at).toContain(`${muster}/admin/sign-in/company/return?`);
    const thief = new Browser();
    await thief.request(at);
    expect(await sessionOf(all, thief)).toBeNull();
    // With a login of its own under way, the answer is still not the one to it.
    await thief.request(`${muster}/admin/sign-in/company`);
    await thief.request(at);
    expect(await sessionOf(all, thief)).toBeNull();
    expect(await problemOf(all, thief)).toMatch(/state/);
    await browser.request(at);
    expect(await sessionOf(all, browser)).toMatchObject({ user: 'sue' });
    await new Browser().request(at);
  });

  it('is over when the provider takes the group away, at the next login and within the time', async () => {
    await logIn(all, browser, 'id-1');
    await all.provider.setPeople({ 'id-1': { ...SUE, groups: [] } });
    expect(await sessionOf(all, browser)).toMatchObject({ user: 'sue' });
    const again = new Browser();
    await logIn(all, again, 'id-1');
    expect(await sessionOf(all, again)).toBeNull();
    expect(await sessionOf(all, browser)).toBeNull();

    await all.provider.setPeople({ 'id-1': SUE });
    await logIn(all, browser, 'id-1');
    all.client.pass(0.26);
    expect(await sessionOf(all, browser)).toMatchObject({ user: 'sue' });
    await all.provider.setPeople({ 'id-1': { ...SUE, groups: [] } });
    all.client.pass(0.26);
    expect(await sessionOf(all, browser)).toBeNull();
  });

  it('is over for a person whom the provider knows no more', async () => {
    await logIn(all, browser, 'id-1');
    await all.provider.setPeople({});
    all.client.pass(0.26);
    expect(await sessionOf(all, browser)).toBeNull();
  });

  it('is logged out at the provider too, which ends the sessions of other services', async () => {
    await logIn(all, browser, 'id-1');
    const answer = await browser.request(`${all.muster}/admin/api/session`, { method: 'DELETE' });
    const { go_to } = (await answer.json()) as { go_to: string };
    const ask = await browser.follow(go_to);
    expect(new URL(go_to).searchParams.get('post_logout_redirect_uri')).toBe(`${all.muster}/admin`);
    const page = await browser.submit(ask, { logout: 'yes' });
    expect(page.url).toBe(`${all.muster}/admin`);
    // The provider asks for the password again.
    expect((await browser.follow(`${all.muster}/admin/sign-in/company`)).text).toContain('name="password"');
  });

  it('is ended by a message of the provider, and by nobody else', async () => {
    await logIn(all, browser, 'id-1');
    const made_up = await fetch(`${all.muster}/admin/sign-in/company/ended`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ logout_token: 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJpZC0xIn0.' }).toString(),
    });
    expect(made_up.status).toBe(400);
    expect(await sessionOf(all, browser)).not.toBeNull();
    // Logged out at the provider by itself.
    const ask = await browser.follow(`${all.provider.url}/session/end`);
    await browser.submit(ask, { logout: 'yes' });
    expect(await sessionOf(all, browser)).toBeNull();
  });

  it('asks the provider once what it is, for its keys once for each login, and once for whoever sends messages', async () => {
    const before = await all.provider.asked();
    const discovery = '/.well-known/openid-configuration';
    await logIn(all, browser, 'id-1');
    await logIn(all, new Browser(), 'id-1');
    const header = Buffer.from('{"alg":"RS256","kid":"made up"}').toString('base64url');
    const flood = Array.from({ length: 10 }, () =>
      fetch(`${all.muster}/admin/sign-in/company/ended`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: `logout_token=${header}.eyJzdWIiOiJpZC0xIn0.AAAA`,
      }),
    );
    expect(new Set((await Promise.all(flood)).map(({ status }) => status))).toEqual(new Set([400]));
    const after = await all.provider.asked();
    const times = (path: string) => (after[path] ?? 0) - (before[path] ?? 0);
    expect(times(discovery)).toBeLessThanOrEqual(1);
    expect(times('/jwks')).toBeLessThanOrEqual(3);
  });

  it('can be tested, which says what is wrong', async () => {
    const test = () => all.run(testSignInMethod, { method: 'company', groups: ['/ops'] });
    expect(await test()).toMatchObject({
      message: `${all.provider.url} as client muster.`,
      mapping: 'Ops',
      advice: '',
    });
    await all.run(addAccount, {
      name: 'gone',
      type: 'oidc',
      settings: { address: 'http://127.0.0.1:9', username: 'muster' },
    });
    await expect(all.run(testSignInMethod, { method: 'gone' })).rejects.toThrow(/127\.0\.0\.1:9/);
    await all.run(addAccount, {
      name: 'clear',
      type: 'oidc',
      settings: { address: 'http://login.test', username: 'muster' },
    });
    await expect(all.run(testSignInMethod, { method: 'clear' })).rejects.toThrow(/must be reached by https/);
  });
});

it('lasts as long as the access token where the provider gives no other', async () => {
  const all = await world({ WITHOUT_REFRESH: '1' });
  const browser = new Browser();
  await all.provider.setPeople({ 'id-1': SUE });
  await logIn(all, browser, 'id-1');
  all.client.pass(0.26);
  expect(await sessionOf(all, browser)).toMatchObject({ user: 'sue' });
  await all.provider.setPeople({});
  all.client.pass(0.26);
  expect(await sessionOf(all, browser)).toBeNull();
  await all.provider.stop();
  await all.client.service.stop();
});
