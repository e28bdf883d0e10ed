import { createHmac } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { localOperator } from '../../src/app/kernel/caller.ts';
import type { Config } from '../../src/app/kernel/config/schema.ts';
import { runDoctor } from '../../src/app/maintenance/operations/run-doctor.ts';
import { newToken } from '../../src/app/users/token.ts';
import { setCronPolicy } from '../../src/app/webhooks/operations/set-policy.ts';
import { newWebhookToken } from '../../src/app/webhooks/webhook-token.ts';
import type { RuleDocument } from '../../src/ports/index.ts';
import { AdminClient, cookieIn, PASSWORD } from '../adapters/admin/admin-client.ts';
import { basic, type HttpServiceOptions } from '../adapters/http/http-service.ts';
import { ToolService, basic as toolBasic } from '../adapters/mcp/tool-service.ts';

/** Passwords are tried wherever they are taken, from one address and from many; beside it stand those who have the right one. */

const LIMIT = 6;
let client: AdminClient;
afterEach(() => client?.service.stop());

async function start(config: Partial<Config> = {}, options: HttpServiceOptions = {}): Promise<void> {
  const limits = { RATE_LIMIT_401_PER_MINUTE: LIMIT, TRUSTED_PROXIES: ['127.0.0.1'] };
  client = await AdminClient.start({ ...limits, ...config }, options);
}

/** A request that came over HTTPS from that address. */
const from = (address: string) => ({ 'x-forwarded-for': address, 'x-forwarded-proto': 'https' });

let tries = 0;
const wrong = (user = 'root') => basic(user, `guess ${tries++}`);

async function group(name: string, members: RuleDocument = {}): Promise<void> {
  const payload = {
    name,
    enabled: true,
    webhook_enabled: true,
    jobs: [{ name: 'a', command: 'Maintenance' }],
    ...members,
  };
  const answer = await client.service.request({ method: 'POST', url: '/api/v1/rules/cron_groups', payload });
  expect(answer.statusCode).toBe(201);
}

const trigger = (name: string, headers: Record<string, string>) =>
  client.service.request({ method: 'POST', url: `/api/v1/syncer/cron/trigger/${name}`, user: null, headers });

const read = (headers: Record<string, string>) =>
  client.service.request({ url: '/api/v1/syncer/hosts', user: null, headers });

async function statuses(times: number, attempt: () => Promise<{ statusCode: number }>): Promise<number[]> {
  const seen: number[] = [];
  for (let count = 0; count < times; count++) seen.push((await attempt()).statusCode);
  return seen;
}

const LIMITED = [...Array(LIMIT).fill(401), 429, 429];

describe('guessing from one address', () => {
  it.each([
    ['REST, Basic', (at: string) => read({ ...from(at), authorization: wrong() })],
    ['REST, x-login-user', (at: string) => read({ ...from(at), 'x-login-user': `root:guess ${tries++}` })],
    ['REST, a token', (at: string) => read({ ...from(at), authorization: `Bearer ${newToken().token}` })],
    [
      'an unknown path',
      (at: string) =>
        client.service.request({ url: '/api/v1/x', user: null, headers: { ...from(at), authorization: wrong() } }),
    ],
    [
      'the metrics',
      (at: string) =>
        client.service.request({ url: '/metrics', user: null, headers: { ...from(at), authorization: wrong() } }),
    ],
    ['the login', (at: string) => client.logIn('root', `guess ${tries++}`, { headers: from(at) })],
    ['the trigger', (at: string) => trigger('nightly', { ...from(at), authorization: wrong() })],
    [
      'the token of a group',
      (at: string) => trigger('nightly', { ...from(at), 'x-webhook-token': newWebhookToken().token }),
    ],
    [
      'the signature of a group',
      (at: string) =>
        trigger('signed', { ...from(at), 'x-timestamp': '1', 'x-signature-sha256': `sha256=${'0'.repeat(64)}` }),
    ],
  ])('is limited at %s, together with all others', async (_where, attempt) => {
    await start();
    await group('nightly');
    await group('signed', { webhook_policy: { secret: 'a signing secret of some length' } });
    expect(await statuses(LIMIT + 2, () => attempt('192.0.2.1'))).toEqual(LIMITED);
    expect((await read({ ...from('192.0.2.1'), authorization: wrong('other') })).statusCode).toBe(429);
    expect((await read({ ...from('192.0.2.1'), authorization: wrong('another') })).statusCode).toBe(429);
    expect((await read({ ...from('192.0.2.1'), authorization: basic('root', PASSWORD) })).statusCode).toBe(429);
    expect((await read({ ...from('192.0.2.2'), authorization: basic('root', PASSWORD) })).statusCode).toBe(200);
  });

  it('tries no password at the trigger of a group that there is not', async () => {
    await start();
    const verify = vi.spyOn(client.service.services.passwords, 'verify');
    for (const authorization of [basic('root', PASSWORD), wrong(), wrong('nobody')]) {
      expect((await trigger('unknown', { ...from('192.0.2.1'), authorization })).statusCode).toBe(404);
    }
    expect(verify).not.toHaveBeenCalled();
    await group('nightly');
    const right = { ...from('192.0.2.1'), authorization: basic('root', PASSWORD) };
    expect((await trigger('nightly', right)).statusCode).toBe(202);
  });

  it('tries no password where the token or the signature of a group decides', async () => {
    await start();
    const { token, hash } = newWebhookToken();
    await group('nightly', { webhook_token_hash: hash });
    const verify = vi.spyOn(client.service.services.passwords, 'verify');
    const guess = { ...from('192.0.2.1'), authorization: wrong(), 'x-webhook-token': token };
    expect((await trigger('nightly', guess)).statusCode).toBe(202);
    expect(verify).not.toHaveBeenCalled();
  });

  it('gets no more tries by sending them all at once', async () => {
    await start();
    const verify = vi.spyOn(client.service.services.passwords, 'verify');
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => read({ ...from('192.0.2.1'), authorization: wrong() })),
    );
    expect(verify.mock.calls.length).toBeLessThanOrEqual(LIMIT + 2);
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toEqual([]);
  });

  it('is one address within a /64', async () => {
    await start();
    let count = 0;
    const seen = await statuses(LIMIT + 2, () => read({ ...from(`2001:db8:1:2::${++count}`), authorization: wrong() }));
    expect(seen).toEqual(LIMITED);
  });

  it('keeps out nobody who was in, from the same address, nor any token', async () => {
    await start();
    const token = newToken();
    await client.service.addUser('robot', { api_tokens: [{ prefix: token.prefix, hash: token.hash, label: 'x' }] });
    await Promise.all(Array.from({ length: 12 }, (_, index) => client.service.addUser(`user${index}`)));
    const nat = from('192.0.2.1');
    const honest = [
      { ...nat, authorization: `Bearer ${token.token}` },
      ...Array.from({ length: 12 }, (_, index) => ({ ...nat, authorization: basic(`user${index}`, PASSWORD) })),
    ];
    const first = await Promise.all(honest.map(read));
    expect(first.map(({ statusCode }) => statusCode)).toEqual(honest.map(() => 200));
    await statuses(LIMIT + 2, () => read({ ...nat, authorization: wrong('user1') }));
    const again = await Promise.all(honest.filter((_, index) => index !== 2).map(read));
    expect(new Set(again.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
  });
});

describe('the present password, for who took over a session', () => {
  const change = (cookie: string, present: string, address: string) =>
    client.call(
      'users/change-own-password',
      cookie,
      { present_password: present, new_password: 'another good password' },
      from(address),
    );

  it('is guessed at no more often than any other, in however many sessions', async () => {
    await start();
    await client.service.addUser('olga');
    const logIn = async () => cookieIn(await client.logIn('olga', PASSWORD, { headers: from('192.0.2.1') }));
    const cookies = [await logIn(), await logIn(), await logIn()];
    let count = 0;
    const guess = () => change(cookies[count++ % 3] ?? '', `guess ${tries++}`, '192.0.2.1');
    expect(await statuses(LIMIT + 2, guess)).toEqual(LIMITED);
    expect((await change(cookies[0] ?? '', PASSWORD, '192.0.2.1')).statusCode).toBe(429);
    expect((await change(cookies[0] ?? '', PASSWORD, '192.0.2.2')).statusCode).toBe(200);
  });
});

describe('guessing from many addresses', () => {
  const attack = (times: number, user = 'olga') =>
    Promise.all(
      Array.from({ length: times }, (_, index) =>
        read({ ...from(`10.${index >> 8}.${index & 255}.1`), authorization: wrong(user) }),
      ),
    );

  it.each(['olga', 'nobody'])('is slowed down at %s, written in any way', async (user) => {
    await start();
    await client.service.addUser('olga');
    await attack(2 * LIMIT, user.toUpperCase());
    const verify = vi.spyOn(client.service.services.passwords, 'verify');
    const seen = await statuses(5, () => read({ ...from('198.51.100.1'), authorization: wrong(user) }));
    expect(seen).toEqual([401, 401, 401, 429, 429]);
    expect(verify).toHaveBeenCalledTimes(3);
  });

  it.each([
    ['REST', (headers: Record<string, string>, name: string) => read({ ...headers, authorization: wrong(name) })],
    [
      'the login',
      (headers: Record<string, string>, name: string) => client.logIn(name, `guess ${tries++}`, { headers }),
    ],
    [
      'each in turn',
      (headers: Record<string, string>, name: string) =>
        tries++ % 2 === 0
          ? client.logIn(name, `guess ${tries}`, { headers })
          : read({ ...headers, 'x-login-user': `${name}:guess ${tries}` }),
    ],
  ])('is heard a hundred times an hour at %s, however many addresses are claimed', async (_where, attempt) => {
    await start({ TRUSTED_PROXIES: 1 });
    await client.service.addUser('olga');
    const right = (address: string) => read({ ...from(address), authorization: basic('olga', PASSWORD) });
    expect((await right('203.0.113.7')).statusCode).toBe(200);
    let count = 0;
    const seen = await statuses(400, () => {
      count++;
      return attempt(from(`10.${count >> 8}.${count & 255}.1`), count % 2 === 0 ? 'olga' : 'OLGA');
    });
    expect(seen.filter((status) => status !== 429)).toHaveLength(100);
    expect((await right('198.51.100.77')).statusCode).toBe(429);
    expect((await right('203.0.113.8')).statusCode).toBe(200);
    expect((await read({ ...from('198.51.100.77'), authorization: basic('root', PASSWORD) })).statusCode).toBe(200);
  });

  it('is no other address for each claim where fewer proxies are named than counted', async () => {
    await start({ TRUSTED_PROXIES: 2 });
    let count = 0;
    const seen = await statuses(LIMIT + 2, () => read({ ...from(`10.0.0.${count++}`), authorization: wrong() }));
    // Such a header counts for nothing: over plain HTTP from this machine, all of them come from one address.
    expect(seen).toEqual(LIMITED);
  });

  it('locks nobody out', async () => {
    await start();
    await client.service.addUser('olga');
    const right = (address: string) => read({ ...from(address), authorization: basic('olga', PASSWORD) });
    expect((await right('203.0.113.7')).statusCode).toBe(200);
    await attack(30);
    expect((await right('203.0.113.7')).statusCode).toBe(200);
    expect((await right('198.51.100.77')).statusCode).toBe(200);
    expect((await client.logIn('olga', PASSWORD, { headers: from('192.0.2.200') })).statusCode).toBe(200);
    expect((await client.service.request({ url: '/api/v1/syncer/hosts', user: 'olga' })).statusCode).toBe(200);
  });
});

describe('a flood of passwords', () => {
  it('holds up neither who was in nor who comes from elsewhere', async () => {
    await start({ RATE_LIMIT_401_PER_MINUTE: 0 }, { usualHashes: true });
    await client.service.addUser('olga');
    await client.service.addUser('new');
    const known = () => read({ ...from('192.0.2.7'), authorization: basic('olga', PASSWORD) });
    expect((await known()).statusCode).toBe(200);
    const flood = Array.from({ length: 200 }, () => read({ ...from('192.0.2.1'), authorization: wrong() }));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect((await known()).statusCode).toBe(200);
    const newcomer = read({ ...from('192.0.2.8'), authorization: basic('new', PASSWORD) });
    const order: string[] = [];
    await Promise.all([
      newcomer.then(({ statusCode }) => order.push(`newcomer ${statusCode}`)),
      Promise.all(flood).then((answers) => {
        order.push('flood');
        expect(answers.some(({ statusCode }) => statusCode === 503)).toBe(true);
        for (const { statusCode, headers } of answers) {
          expect([401, 503]).toContain(statusCode);
          if (statusCode === 503) expect(headers['retry-after']).toBeDefined();
        }
      }),
    ]);
    expect(order).toEqual(['newcomer 200', 'flood']);
  });

  it('costs one hash when it is the same one again', async () => {
    await start({ RATE_LIMIT_401_PER_MINUTE: 0 });
    const verify = vi.spyOn(client.service.services.passwords, 'verify');
    const authorization = basic('root', 'an old password');
    expect(await statuses(10, () => read({ ...from('192.0.2.1'), authorization }))).toEqual(Array(10).fill(401));
    expect(verify).toHaveBeenCalledTimes(1);
    await client.service.addUser('root', { global_admin: true, email: 'root@example.org' });
    await read({ ...from('192.0.2.1'), authorization });
    expect(verify).toHaveBeenCalledTimes(2);
  });
});

describe('who there is', () => {
  it('is not told by how long a refusal takes: a password is verified for everybody', async () => {
    await start({ RATE_LIMIT_401_PER_MINUTE: 0 });
    await client.service.addUser('gone', { disabled: true });
    await client.service.addUser('foreign', { pwdhash: '' });
    const verify = vi.spyOn(client.service.services.passwords, 'verify');
    const bodies = new Set<string>();
    for (const user of ['root', 'nobody', 'gone', 'foreign']) {
      const answer = await read({ ...from('192.0.2.1'), authorization: wrong(user) });
      bodies.add(`${answer.statusCode} ${answer.body}`);
    }
    expect(verify).toHaveBeenCalledTimes(4);
    expect(bodies.size).toBe(1);
  });
});

describe('what is written down of a flood of refusals', () => {
  const logged = () => client.service.storage.logs.latest({ limit: 5000, source: 'API' });
  const audited = async () => {
    await client.service.services.audit.settled();
    return client.service.storage.audit.latest({ limit: 5000 });
  };

  it('is bounded at the trigger, and has them all', async () => {
    await start({ RATE_LIMIT_401_PER_MINUTE: 0 });
    await group('nightly');
    const before = (await audited()).length;
    for (let count = 0; count < 40; count++) {
      await Promise.all(
        Array.from({ length: 25 }, (_, index) => trigger(`made up ${count}-${index}`, from(`10.${count}.${index}.1`))),
      );
    }
    await statuses(100, () => trigger('nightly', from('10.0.0.1')));
    expect(await logged()).toHaveLength(400);
    await client.service.services.anonymousRefusals.settled();
    const log = await logged();
    expect(log.length).toBeLessThan(440);
    const counts = log.map(({ message }) => Number(/refused (\d+) more times/.exec(message)?.[1] ?? 1));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1100);
    expect(log[0]).toMatchObject({ source: 'API', hasError: true });
    expect(log.some(({ message }) => /^Triggers of cron group nightly were refused/.test(message))).toBe(true);
    expect(log.some(({ message }) => /^Triggers of unknown cron groups were refused/.test(message))).toBe(true);
    expect((await audited()).length - before).toBeLessThan(440);
  });

  it('is bounded everywhere else, and has them all', async () => {
    await start({ RATE_LIMIT_401_PER_MINUTE: 0 });
    await client.service.request({ url: '/api/v1/syncer/hosts' });
    const old = basic('root', 'an old password');
    for (let count = 0; count < 600; count++) {
      const headers = { ...from(`10.${count % 3}.${count % 200}.1`), authorization: old };
      await client.service.request({ url: `/api/v1/objects/made-up-${count}`, user: null, headers });
    }
    await client.service.services.anonymousRefusals.settled();
    const audit = (await audited()).filter(({ outcome }) => outcome === 'unauthenticated');
    expect(audit.length).toBeLessThan(440);
    const counts = audit.map(({ details }) => Number(/^(\d+) more/.exec(details)?.[1] ?? 1));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(600);
  });

  it('is each of them by itself, where they are few', async () => {
    await start();
    await group('nightly');
    await statuses(3, () => trigger('nightly', from('10.0.0.1')));
    await trigger('other', from('10.0.0.1'));
    const log = await logged();
    expect(log.map(({ message }) => message)).toEqual([
      'Trigger of cron group other was refused',
      ...Array(3).fill('Trigger of cron group nightly was refused'),
    ]);
    expect(JSON.stringify(log)).toContain('from 10.0.0.1');
  });
});

describe('the tool server', () => {
  it('counts together with REST, whatever the path', async () => {
    const tools = await ToolService.start({ RATE_LIMIT_401_PER_MINUTE: LIMIT });
    try {
      const { app } = tools.network();
      const ask = (method: 'GET' | 'POST', url: string, authorization: string) =>
        app.inject({ method, url, headers: { host: 'localhost', authorization } });
      const seen: number[] = [];
      for (const [method, url] of [
        ['GET', '/sse'],
        ['POST', '/messages/x'],
        ['POST', '/mcp'],
        ['GET', '/mcp'],
      ] as const) {
        seen.push(...(await statuses(2, () => ask(method, url, wrong()))));
      }
      expect(seen).toEqual(LIMITED);
      expect((await ask('GET', '/nothing', toolBasic('root'))).statusCode).toBe(429);
    } finally {
      await tools.stop();
    }
  });

  it.each([
    ['POST', '/mcp'],
    ['GET', '/sse'],
  ] as const)(
    'hears a hundred wrong secrets an hour at %s %s, however many addresses are claimed',
    async (method, url) => {
      const tools = await ToolService.start({ RATE_LIMIT_401_PER_MINUTE: LIMIT, TRUSTED_PROXIES: 1 });
      try {
        const { app } = tools.network();
        let count = 0;
        const seen = await statuses(250, () => {
          const headers = { ...from(`10.${++count >> 8}.${count & 255}.1`), host: 'localhost', authorization: wrong() };
          return app.inject({ method, url, headers });
        });
        expect(seen.filter((status) => status !== 429)).toEqual(Array(100).fill(401));
      } finally {
        await tools.stop();
      }
    },
  );
});

describe('a signature', () => {
  const secret = 'a signing secret of some length';
  const signed = (seconds: number) => ({
    'x-timestamp': String(seconds),
    'x-signature-sha256': `sha256=${createHmac('sha256', secret).update(`${seconds}.`).digest('hex')}`,
  });

  it('that was used at one group is used up at every other, and a new one is good', async () => {
    await start();
    await group('nightly', { webhook_policy: { secret } });
    await group('deploy', { webhook_policy: { secret } });
    const now = client.service.services.clock.now().getTime() / 1000;
    expect((await trigger('nightly', signed(now))).statusCode).toBe(202);
    expect((await trigger('deploy', signed(now))).statusCode).toBe(401);
    expect((await trigger('deploy', signed(now + 1))).statusCode).toBe(202);
    expect((await trigger('nightly', signed(now + 1))).statusCode).toBe(401);
  });

  it('has a secret of its own at each group: another one is refused, and the doctor finds those there are', async () => {
    await start();
    const { executor } = client.service;
    const operator = localOperator({ name: 'operator', path: 'test', requestId: 'test' });
    const set = (group_name: string, value: string) =>
      executor.value(setCronPolicy, { kind: 'value', value: { group_name, secret: value } }, operator);
    const doctor = async () =>
      (await executor.value(runDoctor, { kind: 'value', value: {} }, operator)).findings.find(
        ({ check }) => check === 'webhooks',
      );
    await group('nightly');
    await group('deploy');
    await set('nightly', secret);
    await set('nightly', secret);
    await expect(set('deploy', secret)).rejects.toMatchObject({ code: 'conflict' });
    await set('deploy', 'another secret of some length');
    expect(await doctor()).toBeUndefined();
    await group('copied', { webhook_policy: { secret } });
    expect(await doctor()).toMatchObject({
      ok: false,
      message: expect.stringMatching(/nightly.*copied|copied.*nightly/),
    });
  });
});
