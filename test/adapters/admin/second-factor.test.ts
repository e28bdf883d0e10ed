import { Secret, TOTP } from 'otpauth';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { localOperator } from '../../../src/app/kernel/caller.ts';
import type { Config } from '../../../src/app/kernel/config/schema.ts';
import { issueBreakGlass } from '../../../src/app/logins/second-factor/operations/break-glass.ts';
import { resetSecondFactor } from '../../../src/app/logins/second-factor/operations/reset-second-factor.ts';
import { SoftAuthenticator } from '../../support/soft-authenticator.ts';
import { AdminClient, cookieIn, PASSWORD } from './admin-client.ts';

const SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
const ORIGIN = 'http://localhost';
const SESSION = '/admin/api/session';

let client: AdminClient;
let now: number;
async function start(config: Partial<Config> = {}): Promise<void> {
  now = Date.parse('2026-03-01T12:00:00Z');
  client = await AdminClient.start(config, { clock: { now: () => new Date(now) } });
}
beforeEach(() => start());
afterEach(() => client.service.stop());

function codeOf(secret: string, at = now): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at });
}

async function post(url: string, payload: object) {
  const answer = await client.service.request({ method: 'POST', url, user: null, payload });
  return { status: answer.statusCode, body: answer.json(), answer };
}
const show = (payload: object) => post(SESSION, payload);

/** A user with an authenticator app, as an existing installation exports it. */
async function addOlga(): Promise<void> {
  const pwdhash = await client.service.services.passwords.hash(PASSWORD);
  const olga = { name: 'olga', pwdhash, api_roles: ['objects'], tfa_secret: SECRET };
  const given = { method: 'POST', url: '/api/v1/rules/import', payload: { rules: { users: [olga] } } } as const;
  expect((await client.service.request(given)).statusCode).toBe(201);
}

async function ticketOf(name = 'olga'): Promise<string> {
  const { status, body, answer } = await show({ name, password: PASSWORD });
  expect([status, answer.headers['set-cookie']]).toEqual([200, undefined]);
  return body.second_step.ticket;
}

const operator = () => localOperator({ name: 'op', path: 'test', requestId: 'r' });

async function call(operation: string, cookie: string, input: object = {}) {
  const answer = await client.call(`users/${operation}`, cookie, input);
  return { status: answer.statusCode, body: answer.json() };
}

describe('a user with an authenticator app', () => {
  it('comes in with password and code, and with neither alone', async () => {
    await addOlga();
    const { body } = await show({ name: 'olga', password: PASSWORD });
    expect(body).toEqual({ second_step: { ticket: expect.any(String), ways: ['code'], setup: null } });
    const { ticket } = body.second_step;
    expect((await show({ ticket, code: '000000' })).body).toMatchObject({ code: 'unauthenticated' });
    expect((await show({ name: 'olga', password: 'wrong' })).status).toBe(401);
    const { status, answer } = await show({ ticket, code: codeOf(SECRET) });
    expect(status).toBe(200);
    expect((await client.session(cookieIn(answer))).json()).toMatchObject({ user: 'olga' });
  });

  it('shows each code once, and of the minute around now', async () => {
    await addOlga();
    const ticket = await ticketOf();
    expect((await show({ ticket, code: codeOf(SECRET, now - 60_000) })).status).toBe(401);
    expect((await show({ ticket, code: codeOf(SECRET, now - 30_000) })).status).toBe(200);
    expect((await show({ ticket, code: codeOf(SECRET, now - 30_000) })).body.message).toContain('used already');
    expect((await show({ ticket: await ticketOf(), code: codeOf(SECRET) })).status).toBe(200);
  });

  it('has few tries, whichever way they come', async () => {
    await addOlga();
    const ticket = await ticketOf();
    for (let n = 0; n < 10; n++) expect((await show({ ticket, code: '123456' })).status).toBe(401);
    expect((await show({ ticket, code: codeOf(SECRET) })).status).toBe(429);
    expect((await show({ ticket: await ticketOf(), code: codeOf(SECRET) })).status).toBe(429);
    now += 16 * 60_000;
    expect((await show({ ticket: await ticketOf(), code: codeOf(SECRET) })).status).toBe(200);
  });

  it('begins anew when the login took too long, the password was replaced or the user disabled', async () => {
    await addOlga();
    const late = await ticketOf();
    now += 11 * 60_000;
    expect((await show({ ticket: late, code: codeOf(SECRET) })).body).toMatchObject({ code: 'forbidden' });
    const before = await ticketOf();
    await client.call('users/change-user', await client.cookieOf('root'), {
      name: 'olga',
      password: 'another pass word',
    });
    expect((await show({ ticket: before, code: codeOf(SECRET) })).status).toBe(403);
    expect((await show({ ticket: 'made up', code: codeOf(SECRET) })).status).toBe(403);
  });

  it('opens nothing else with the password: programs send tokens', async () => {
    await addOlga();
    const rest = () => client.service.request({ url: '/api/v1/objects/web1', user: 'olga' });
    const answer = await rest();
    expect([answer.statusCode, answer.json().message]).toEqual([401, expect.stringContaining('create an API token')]);
    const cookie = cookieIn((await show({ ticket: await ticketOf(), code: codeOf(SECRET) })).answer);
    const { body } = await call('create-own-token', cookie, { label: 'script' });
    const headers = { authorization: `Bearer ${body.token}` };
    expect((await client.service.request({ url: '/api/v1/objects/web1', user: null, headers })).statusCode).toBe(404);
    await client.service.stop();
    await start({ ALLOW_API_PASSWORD_ALONE: true });
    await addOlga();
    expect((await rest()).statusCode).toBe(404);
  });

  it('does not come in with a secret that cannot be read, until an administrator resets it', async () => {
    await client.service.addUser('olga', { tfa_secret_crypted: 'sealed under another key' });
    const ticket = await ticketOf();
    expect((await show({ ticket, code: codeOf(SECRET) })).body.message).toContain(
      'muster user reset-second-factor olga',
    );
    await client.service.executor.value(resetSecondFactor, { kind: 'value', value: { name: 'olga' } }, operator());
    expect((await client.logIn('olga')).json()).toMatchObject({ user: 'olga' });
  });
});

describe('an authenticator app that somebody sets up', () => {
  it('counts when a code of it was shown, gives recovery codes, and ends other sessions', async () => {
    await client.service.addUser('olga');
    const [cookie, other] = [await client.cookieOf('olga'), await client.cookieOf('olga')];
    expect((await call('begin-own-authenticator', cookie, { present_password: 'wrong' })).status).toBe(401);
    const { body } = await call('begin-own-authenticator', cookie, { present_password: PASSWORD });
    expect(body.address).toBe(
      `otpauth://totp/Muster:olga?issuer=Muster&secret=${body.secret}&algorithm=SHA1&digits=6&period=30`,
    );
    expect((await client.logIn('olga')).json()).toMatchObject({ user: 'olga' });
    const { ticket } = body;
    expect((await call('confirm-own-authenticator', cookie, { ticket, code: '000000' })).body).toMatchObject({
      details: [{ path: 'code' }],
    });
    const confirmed = await call('confirm-own-authenticator', cookie, { ticket, code: codeOf(body.secret) });
    expect(confirmed.body.recovery_codes).toHaveLength(10);
    expect((await client.session(cookie)).json()).toMatchObject({ user: 'olga' });
    expect((await client.session(other)).json()).toBeNull();
    expect((await call('show-own-second-factor', cookie)).body).toEqual({
      authenticator: true,
      passkeys: [],
      recovery_codes: 10,
      required: true,
      elsewhere: false,
    });
    const stored = JSON.stringify((await client.service.services.users.byName('olga'))?.record.document.value);
    expect(stored).not.toContain(body.secret);
    for (const code of confirmed.body.recovery_codes) expect(stored).not.toContain(code);
    now += 60_000;
    expect((await show({ ticket: await ticketOf(), code: codeOf(body.secret) })).status).toBe(200);
    expect((await call('remove-own-authenticator', cookie, { present_password: PASSWORD })).status).toBe(200);
    expect((await client.logIn('olga')).json()).toMatchObject({ user: 'olga' });
  });

  it('is lost: each recovery code comes in once', async () => {
    await addOlga();
    const cookie = cookieIn((await show({ ticket: await ticketOf(), code: codeOf(SECRET) })).answer);
    const { body } = await call('create-own-recovery-codes', cookie, { present_password: PASSWORD });
    const [first, second] = body.recovery_codes;
    expect(first).toMatch(/^[a-z\d]{4}(-[a-z\d]{4}){3}$/);
    const ticket = await ticketOf();
    expect((await show({ ticket, recovery_code: first.toUpperCase().replaceAll('-', ' ') })).status).toBe(200);
    expect((await show({ ticket, recovery_code: first })).status).toBe(401);
    const both = await Promise.all([show({ ticket, recovery_code: second }), show({ ticket, recovery_code: second })]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 401]);
    expect((await client.session(cookie)).json()).toMatchObject({ user: 'olga' });
    expect((await client.service.services.users.byName('olga'))?.secondFactor.recoveryCodes).toHaveLength(8);
  });

  it('is refused to read-only users, to tokens with a part of the rights and to who logs in elsewhere', async () => {
    await client.service.addUser('reader', { readonly: true });
    const cookie = await client.cookieOf('reader');
    const { body } = await call('begin-own-authenticator', cookie, { present_password: PASSWORD });
    expect(body.code).toBe('read_only');
  });
});

describe('a second factor that is required', () => {
  it('is set up at the login by who has none', async () => {
    await client.service.stop();
    await start({ REQUIRE_SECOND_FACTOR: 'everybody' });
    await client.service.addUser('olga', { readonly: true });
    const { body } = await show({ name: 'olga', password: PASSWORD });
    const { ticket, ways, setup } = body.second_step;
    expect(ways).toEqual(['code']);
    expect((await show({ ticket, code: codeOf(SECRET) })).status).toBe(401);
    const entered = await show({ ticket, code: codeOf(setup.secret) });
    expect(entered.body).toMatchObject({ user: 'olga', recovery_codes: { length: 10 } });
    now += 60_000;
    // Another login that was under way meanwhile sets up no second one.
    expect((await show({ ticket, code: codeOf(setup.secret) })).status).toBe(409);
    const again = (await show({ name: 'olga', password: PASSWORD })).body.second_step;
    expect(again).toMatchObject({ ways: ['code', 'recovery_code'], setup: null });
    expect((await show({ ticket: again.ticket, code: codeOf(setup.secret) })).status).toBe(200);
  });

  it('may be for administrators alone, whose passwords open no calls then', async () => {
    await client.service.stop();
    await start({ REQUIRE_SECOND_FACTOR: 'administrators' });
    await client.service.addUser('olga', { api_roles: ['objects'] });
    await client.service.addUser('scoped', { api_roles: ['all'], restrict_to_accounts: ['crm'] });
    expect((await client.logIn('olga')).json()).toMatchObject({ user: 'olga' });
    for (const name of ['root', 'scoped']) expect((await client.logIn(name)).json()).toHaveProperty('second_step');
    expect((await client.service.request({ url: '/api/v1/objects/web1', user: 'root' })).statusCode).toBe(401);
    expect((await client.service.request({ url: '/api/v1/objects/web1', user: 'olga' })).statusCode).toBe(404);
  });
});

describe('a passkey', () => {
  async function added(): Promise<{ key: SoftAuthenticator; cookie: string }> {
    await client.service.addUser('olga');
    const cookie = await client.cookieOf('olga');
    const given = { present_password: PASSWORD, origin: ORIGIN };
    const { body } = await call('begin-own-passkey', cookie, given);
    const key = new SoftAuthenticator();
    const answer = key.register({ challenge: body.options.challenge, origin: ORIGIN });
    const kept = await call('add-own-passkey', cookie, { ticket: body.ticket, label: 'key', answer });
    expect([kept.status, kept.body.recovery_codes.length]).toEqual([200, 10]);
    return { key, cookie };
  }

  async function question(): Promise<{ ticket: string; challenge: string }> {
    const { body } = await post(`${SESSION}/passkey`, {});
    expect(body.options).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
    return { ticket: body.ticket, challenge: body.options.challenge };
  }

  it('comes in alone, once for each question', async () => {
    const { key } = await added();
    const { ticket, challenge } = await question();
    const passkey = key.show({ challenge, origin: ORIGIN });
    expect((await show({ ticket, passkey })).body).toMatchObject({ user: 'olga' });
    expect((await show({ ticket, passkey })).status).toBe(401);
    expect((await show({ name: 'olga', password: PASSWORD })).body.second_step.ways).toEqual([
      'passkey',
      'recovery_code',
    ]);
  });

  it.each([
    ['another question', { challenge: 'AAAA' }],
    ['another site', { origin: 'http://example.org' }],
    ['another port', { origin: 'http://localhost:81' }],
    ['a device that nobody unlocked', { unlocked: false }],
  ])('does not come in with an answer to %s', async (_, other) => {
    const { key } = await added();
    const { ticket, challenge } = await question();
    const passkey = key.show({ challenge, origin: ORIGIN, ...other });
    expect((await show({ ticket, passkey })).status).toBe(401);
  });

  it('does not come in when it is a copy, nobody knows it, or it was removed', async () => {
    const { key, cookie } = await added();
    const first = await question();
    expect((await show({ ticket: first.ticket, passkey: key.show({ ...first, origin: ORIGIN }) })).status).toBe(200);
    key.counter = 0;
    const second = await question();
    expect((await show({ ticket: second.ticket, passkey: key.show({ ...second, origin: ORIGIN }) })).status).toBe(401);
    const third = await question();
    const stranger = new SoftAuthenticator().show({ ...third, origin: ORIGIN });
    expect((await show({ ticket: third.ticket, passkey: stranger })).status).toBe(401);
    const id = key.id.toString('base64url');
    expect((await call('remove-own-passkey', cookie, { present_password: PASSWORD, id })).status).toBe(200);
    const fourth = await question();
    key.counter = 10;
    expect((await show({ ticket: fourth.ticket, passkey: key.show({ ...fourth, origin: ORIGIN }) })).status).toBe(401);
    expect((await client.logIn('olga')).json()).toMatchObject({ user: 'olga' });
  });

  it('is not kept for an address, which browsers keep none for', async () => {
    await client.service.addUser('olga');
    const given = { present_password: PASSWORD, origin: 'http://127.0.0.1:8080' };
    const { body } = await call('begin-own-passkey', await client.cookieOf('olga'), given);
    expect(body).toMatchObject({ code: 'invalid_input', message: expect.stringContaining('for names only') });
  });
});

describe('a break-glass link', () => {
  async function link(input: object = {}): Promise<string> {
    const given = { name: 'olga', reason: 'the provider is down', ...input };
    const { link: made } = await client.service.executor.value(
      issueBreakGlass,
      { kind: 'value', value: given },
      operator(),
    );
    return decodeURIComponent(made.split('#break-glass=')[1] ?? '');
  }

  it('comes in once without password and second factor, for a short session', async () => {
    await addOlga();
    const break_glass = await link({ minutes: 5 });
    const { status, answer } = await show({ break_glass });
    expect(status).toBe(200);
    expect(String(answer.headers['set-cookie'])).toContain('Max-Age=300;');
    expect((await show({ break_glass })).status).toBe(403);
    now += 6 * 60_000;
    expect((await client.session(cookieIn(answer))).json()).toBeNull();
    const late = await link();
    now += 16 * 60_000;
    expect((await show({ break_glass: late })).status).toBe(403);
  });

  it('stands in the log of the service and the audit log, when it is made and when it is used', async () => {
    await addOlga();
    await show({ break_glass: await link({ minutes: 5 }) });
    const { storage, audit } = client.service.services;
    const entries = await storage.logs.latest({ limit: 10, source: 'logins' });
    expect(entries.map(({ message }) => message).sort()).toEqual([
      'olga logged in by a break-glass link, for 5 minutes',
      'op made a break-glass link for olga: the provider is down',
    ]);
    await audit.settled();
    const [used, made] = await storage.audit.latest({ limit: 2 });
    expect(used).toMatchObject({ actor: 'olga', details: 'by a break-glass link' });
    expect(made).toMatchObject({ operation: 'users/break-glass', subject: 'olga: the provider is down' });
  });

  it('is for the operator alone', async () => {
    const caller = { ...operator(), entrance: 'rest' as const };
    const attempt = client.service.executor.value(
      issueBreakGlass,
      { kind: 'value', value: { name: 'root', reason: 'why not' } },
      caller,
    );
    await expect(attempt).rejects.toMatchObject({ code: 'forbidden' });
  });
});
