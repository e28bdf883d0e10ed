import { createHmac, randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newWebhookToken } from '../../../src/app/webhooks/webhook-token.ts';
import type { RuleDocument } from '../../../src/ports/index.ts';
import { type HttpService, type HttpServiceOptions, startHttpService } from './http-service.ts';

const SECRET = 'a signing secret of some length';
const INSTANCE_KEY = '22'.repeat(32);
const REMOTE = '192.0.2.7';
/** The clock of the tests' service stands still. */
const NOW_SECONDS = Date.parse('2026-03-01T12:00:00Z') / 1000;

let service: HttpService;
const others: HttpService[] = [];

beforeEach(() => start());

afterEach(async () => {
  for (const other of others.splice(0)) await other.stop();
  await service.stop();
});

async function start(options: HttpServiceOptions = {}): Promise<void> {
  if (service !== undefined) await service.stop();
  service = await startHttpService({ ...options, config: { INSTANCE_KEY, ...options.config } });
}

/** Another process of the service on the same store. */
async function another(): Promise<HttpService> {
  const { storage } = service;
  const other = await startHttpService({ storage: () => storage, config: { INSTANCE_KEY } });
  others.push(other);
  return other;
}

async function group(name: string, members: RuleDocument = {}): Promise<void> {
  const jobs = [{ name: 'tidy', command: 'Maintenance' }];
  const answer = await service.request({
    method: 'POST',
    url: '/api/v1/rules/cron_groups?override=1',
    payload: { name, enabled: true, jobs, ...members },
  });
  expect(answer.json()).toMatchObject({ imported: 1, invalid: 0 });
}

async function flag(name: string): Promise<unknown> {
  return (await service.storage.rules.findByName('cron_groups', name))?.document.value.run_once_next ?? false;
}

type Call = Omit<InjectOptions, 'method' | 'url'> & { readonly user?: string; readonly on?: HttpService };

/** Triggers a group, as nobody unless a user is given. */
function trigger(name: string, { user, on = service, ...call }: Call = {}): Promise<LightMyRequestResponse> {
  const url = `/api/v1/syncer/cron/trigger/${encodeURIComponent(name)}`;
  return on.request({ ...call, method: 'POST', url, user: user ?? null });
}

function signatureOf(timestamp: string | number, body: Buffer | string = '', secret = SECRET): string {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
}

function signed(body: Buffer | string = '', timestamp: string | number = NOW_SECONDS): Record<string, string> {
  return { 'x-timestamp': String(timestamp), 'x-signature-sha256': `sha256=${signatureOf(timestamp, body)}` };
}

async function apiLog() {
  return service.storage.logs.latest({ limit: 100, source: 'API' });
}

/** Everything that a service writes down, and its answers. */
async function written(answers: readonly LightMyRequestResponse[]): Promise<string> {
  await service.services.audit.settled();
  return JSON.stringify([
    answers.map(({ headers, body }) => [headers, body]),
    await service.storage.logs.latest({ limit: 1000 }),
    await service.storage.audit.latest({ limit: 1000 }),
    service.log.map(({ message, fields }) => [message, fields, String(fields.error)]),
  ]);
}

describe('GET /api/v1/syncer/cron/', () => {
  it('answers six members a group', async () => {
    await group('nightly', { note: 'x' });
    const answer = await service.request({ url: '/api/v1/syncer/cron/' });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      result: [
        { name: 'nightly', last_start: null, next_run: null, is_running: false, last_message: '', has_error: false },
      ],
    });
  });

  it('needs the role', async () => {
    await service.addUser('rules', { api_roles: ['rules'] });
    for (const method of ['GET', 'POST'] as const) {
      const answer = await service.request({ method, url: '/api/v1/syncer/cron/', user: 'rules' });
      expect([answer.statusCode, answer.json().message]).toEqual([401, 'User has no api_role granting /api/v1/syncer']);
      expect((await service.request({ method, url: '/api/v1/syncer/cron/', user: null })).statusCode).toBe(401);
    }
  });
});

describe('POST /api/v1/syncer/cron/', () => {
  const set = (payload: string | object, more: InjectOptions & { user?: string } = {}) =>
    service.request({
      method: 'POST',
      url: '/api/v1/syncer/cron/',
      payload,
      headers: { 'content-type': 'application/json' },
      ...more,
    });

  it('sets and clears the flag', async () => {
    await group('nightly');
    expect((await set({ job_name: 'nightly', run_once_next: true })).json()).toEqual({ status: 'saved' });
    expect(await flag('nightly')).toBe(true);
    expect((await set({ job_name: 'nightly', run_once_next: false })).statusCode).toBe(200);
    expect(await flag('nightly')).toBe(false);
  });

  it('refuses what is no request, unknown groups and readers', async () => {
    await group('nightly');
    await service.addUser('reader', { readonly: true });
    for (const body of [
      '',
      '{',
      '[]',
      '"nightly"',
      '{"job_name":"nightly"}',
      '{"job_name":"nightly","run_once_next":"no"}',
    ]) {
      expect((await set(body)).statusCode, body).toBe(400);
    }
    expect((await set({ job_name: 'other', run_once_next: true })).statusCode).toBe(404);
    expect((await set({ job_name: 'nightly', run_once_next: true }, { user: 'reader' })).statusCode).toBe(403);
    expect(await flag('nightly')).toBe(false);
  });
});

describe('paths and methods', () => {
  it.each([
    ['GET', '/api/v1/syncer/cron', 404, undefined],
    ['POST', '/api/v1/syncer/cron', 404, undefined],
    ['GET', '/api/v1/syncer/cron/trigger', 404, undefined],
    ['POST', '/api/v1/syncer/cron/trigger/', 404, undefined],
    ['POST', '/api/v1/syncer/cron/trigger/a/b', 404, undefined],
    ['DELETE', '/api/v1/syncer/cron/', 405, 'GET, HEAD, POST'],
    ['PUT', '/api/v1/syncer/cron/', 405, 'GET, HEAD, POST'],
    ['GET', '/api/v1/syncer/cron/trigger/nightly', 405, 'POST'],
    ['PUT', '/api/v1/syncer/cron/trigger/nightly', 405, 'POST'],
    ['HEAD', '/api/v1/syncer/cron/', 200, undefined],
  ] as const)('%s %s: %i', async (method, url, status, allow) => {
    await group('nightly');
    const answer = await service.request({ method, url });
    expect(answer.statusCode).toBe(status);
    expect(answer.headers.allow).toBe(allow);
  });

  it('takes names of any letters, percent-encoded', async () => {
    for (const name of ['a b', 'ä/ö', '100%', 'a?b#c', '__proto__', 'trigger']) {
      await group(name, { webhook_enabled: true });
      expect((await trigger(name, { user: 'root' })).json(), name).toMatchObject({ status: 'triggered', group: name });
      expect(await flag(name)).toBe(true);
    }
  });
});

describe('the trigger asks in this order', () => {
  const { token, hash } = newWebhookToken();
  const policy = { secret: SECRET, window_seconds: 300, allow_ips: ['127.0.0.1'] };
  const outside: Call = { headers: { 'x-forwarded-for': REMOTE, 'x-forwarded-proto': 'https' } };

  beforeEach(async () => {
    await start({ config: { TRUSTED_PROXIES: 1 } });
    await service.addUser('rules', { api_roles: ['rules'] });
    await service.addUser('reader', { readonly: true });
    await service.addUser('syncer', { api_roles: ['syncer'] });
    await group('ready', { webhook_enabled: true, webhook_token_hash: hash });
    await group('closed', { webhook_token_hash: hash });
    await group('off', { webhook_enabled: true, webhook_token_hash: hash, enabled: false });
    await group('closed and off', { webhook_token_hash: hash, enabled: false });
    await group('tokenless', { webhook_enabled: true });
    await group('signed', { webhook_enabled: true, webhook_token_hash: hash, webhook_policy: policy });
    await group('signed closed', { webhook_policy: policy });
    await group('signed off', { webhook_enabled: true, webhook_policy: policy, enabled: false });
  });

  const withToken: Call = { headers: { 'x-webhook-token': token } };
  const wrongToken: Call = { headers: { 'x-webhook-token': `${token}x` } };

  it.each<[string, string, Call, number]>([
    ['an unknown group, to nobody', 'unknown', {}, 404],
    ['an unknown group, with a token', 'unknown', withToken, 404],
    ['an unknown group, with a signature', 'unknown', { headers: signed() }, 404],
    ['an unknown group, to somebody without the role', 'unknown', { user: 'rules' }, 404],
    ['an unknown group, over plain HTTP', 'unknown', { headers: { 'x-forwarded-for': REMOTE } }, 404],

    ['a policy: the network', 'signed', outside, 403],
    ['a policy: the network, with a good signature', 'signed', { headers: { ...outside.headers, ...signed() } }, 403],
    ['a policy: no signature', 'signed', {}, 401],
    ['a policy: only a token', 'signed', withToken, 401],
    ['a policy: only a user', 'signed', { user: 'root' }, 401],
    ['a policy: a bad signature', 'signed', { headers: signed('x') }, 401],
    ['a policy: no webhook, no signature', 'signed closed', {}, 401],
    ['a policy: no webhook', 'signed closed', { headers: signed() }, 403],
    ['a policy: disabled, no signature', 'signed off', {}, 401],
    ['a policy: disabled', 'signed off', { headers: signed() }, 409],
    ['a policy: all is well', 'signed', { headers: signed() }, 202],
    ['a policy: all is well, whatever the user is', 'signed', { headers: signed(), user: 'rules' }, 202],

    ['a token: no webhook, whatever the token', 'closed', wrongToken, 403],
    ['a token: no webhook', 'closed', withToken, 403],
    ['a token: no webhook, disabled', 'closed and off', withToken, 403],
    ['a token: another one', 'ready', wrongToken, 401],
    ['a token: an empty one', 'ready', { headers: { 'x-webhook-token': '' } }, 401],
    ['a token: another one and a good user', 'ready', { ...wrongToken, user: 'root' }, 401],
    ['a token: none was made', 'tokenless', withToken, 401],
    ['a token: another one, disabled', 'off', wrongToken, 401],
    ['a token: disabled', 'off', withToken, 409],
    ['a token: all is well', 'ready', withToken, 202],
    ['a token: all is well, with a user who may not', 'ready', { ...withToken, user: 'rules' }, 202],
    ['a token: from elsewhere over HTTPS', 'ready', { headers: { ...outside.headers, ...withToken.headers } }, 202],

    ['a user: none', 'ready', {}, 401],
    ['a user: one who is not there', 'ready', { user: 'nobody' }, 401],
    ['a user: without the role', 'ready', { user: 'rules' }, 401],
    ['a user: without the role, no webhook', 'closed', { user: 'rules' }, 401],
    ['a user: who may only read', 'ready', { user: 'reader' }, 403],
    ['a user: no webhook', 'closed', { user: 'syncer' }, 403],
    ['a user: no webhook, disabled', 'closed and off', { user: 'syncer' }, 403],
    ['a user: disabled', 'off', { user: 'syncer' }, 409],
    ['a user: none, disabled', 'off', {}, 401],
    ['a user: all is well', 'ready', { user: 'syncer' }, 202],
    ['a user: who holds all', 'ready', { user: 'root' }, 202],
  ])('%s', async (_what, name, call, status) => {
    const answer = await trigger(name, call);
    expect(answer.statusCode, answer.body).toBe(status);
    expect(answer.headers['x-request-id']).toBeDefined();
    expect(answer.headers['www-authenticate']).toBe(status === 401 ? 'Basic realm="muster"' : undefined);
    expect(await flag(name)).toBe(status === 202);
    if (status === 202) {
      expect(answer.json()).toEqual({ status: 'triggered', group: name, note: expect.any(String) });
    } else {
      expect(answer.json()).toEqual({ message: expect.any(String), code: expect.any(String) });
    }
    const [entry, ...more] = await apiLog();
    expect(more).toEqual([]);
    expect(entry).toMatchObject({ source: 'API', hasError: status !== 202, message: expect.stringContaining(name) });
  });

  it('says of a user without the role what is missing', async () => {
    const answer = await trigger('ready', { user: 'rules' });
    expect(answer.json()).toEqual({ message: 'User has no api_role granting /api/v1/syncer', code: 'role_missing' });
  });

  it('takes neither token nor signature over plain HTTP from elsewhere', async () => {
    const plain = { 'x-forwarded-for': REMOTE };
    for (const [name, headers] of [
      ['ready', { ...plain, ...withToken.headers }],
      ['ready', plain],
      ['signed', { ...plain, ...signed() }],
    ] as const) {
      const answer = await trigger(name, { headers: headers as Record<string, string> });
      expect([answer.statusCode, answer.json().code], name).toEqual([401, 'insecure_transport']);
    }
    expect((await trigger('ready', { user: 'root', headers: plain })).json().code).toBe('insecure_transport');
    expect(await flag('ready')).toBe(false);
  });

  it('writes no secret anywhere', async () => {
    const signature = signed()['x-signature-sha256'] ?? '';
    const answers = await Promise.all([
      trigger('ready', withToken),
      trigger('ready', wrongToken),
      trigger('unknown', withToken),
      trigger('off', withToken),
      trigger('signed', { headers: signed() }),
      trigger('signed', { headers: signed('x') }),
      trigger('signed', withToken),
    ]);
    const text = await written(answers);
    for (const secret of [token, token.slice(12, 40), SECRET, hash, signature.slice(7)])
      expect(text).not.toContain(secret);
  });
});

describe('signed calls', () => {
  beforeEach(() => group('signed', { webhook_enabled: true, webhook_policy: { secret: SECRET, window_seconds: 60 } }));

  const send = (payload: Buffer | string | undefined, headers: Record<string, string>, on = service) =>
    trigger('signed', { headers, on, ...(payload === undefined ? {} : { payload }) });

  const binary = randomBytes(5000);

  it.each<[string, Buffer | string | undefined, Record<string, string>]>([
    ['no body', undefined, {}],
    ['no body but its length', '', { 'content-length': '0' }],
    ['no body but a type', undefined, { 'content-type': 'application/json' }],
    ['JSON', '{"ref":"main"}', { 'content-type': 'application/json' }],
    ['JSON that is none', '{"ref":', { 'content-type': 'application/json; charset=utf-8' }],
    ['a form', 'a=b&c=d', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['bytes', binary, { 'content-type': 'application/octet-stream' }],
    ['bytes of no type', binary, {}],
    ['a type that is none', 'x', { 'content-type': 'nonsense' }],
    ['an empty type', 'x', { 'content-type': '' }],
    ['a type of more than one', 'x', { 'content-type': 'text/plain, text/html' }],
    ['a multipart body', '--x\r\n\r\n--x--', { 'content-type': 'multipart/form-data; boundary=x' }],
    ['a compressed body, as it came', Buffer.from([31, 139, 8, 0]), { 'content-encoding': 'gzip' }],
    ['white space', ' \r\n', { 'content-type': 'text/plain' }],
    ['zeros', Buffer.alloc(3), {}],
    ['a body that begins like a time', '1.2', {}],
  ])('may carry %s', async (_what, body, headers) => {
    const answer = await send(body, { ...headers, ...signed(body ?? '') });
    expect(answer.statusCode, answer.body).toBe(202);
    const changed = Buffer.concat([Buffer.from(body ?? ''), Buffer.from('x')]);
    const forged = await send(changed, {
      ...headers,
      'content-length': String(changed.length),
      ...signed(body ?? '', NOW_SECONDS - 1),
    });
    expect(forged.statusCode, forged.body).toBe(401);
  });

  it('are good once: on this process, on another one, and after a restart', async () => {
    const headers = signed('body');
    const other = await another();
    expect((await send('body', headers)).statusCode).toBe(202);
    for (const on of [service, other, await another()]) {
      expect((await send('body', headers, on)).statusCode).toBe(401);
      const hex = (headers['x-signature-sha256'] ?? '').slice(7);
      expect(
        (await send('body', { ...headers, 'x-signature-sha256': `sha256=${hex.toUpperCase()}` }, on)).statusCode,
      ).toBe(401);
    }
    expect((await send('body', signed('body', NOW_SECONDS + 1), other)).statusCode).toBe(202);
  });

  it('of the same signature at once are good once over two processes', async () => {
    const other = await another();
    const headers = signed('body');
    const answers = await Promise.all([1, 2, 3].flatMap(() => [send('body', headers), send('body', headers, other)]));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([202, 401, 401, 401, 401, 401]);
  });

  it.each([
    [-61, 401],
    [-60, 202],
    [60, 202],
    [61, 401],
  ])('may be %i seconds off: %i', async (offset, status) => {
    expect((await send('', signed('', NOW_SECONDS + offset))).statusCode).toBe(status);
  });

  it('may be written in upper case', async () => {
    const headers = {
      'x-timestamp': `${NOW_SECONDS}`,
      'x-signature-sha256': `sha256=${signatureOf(NOW_SECONDS).toUpperCase()}`,
    };
    expect((await send('', headers)).statusCode).toBe(202);
  });

  it('that are too large are refused, by the limit that holds for them', async () => {
    const body = Buffer.alloc(64 * 1024);
    expect((await send(body, signed(body))).statusCode).toBe(202);
    const large = Buffer.alloc(body.length + 1);
    const answer = await send(large, signed(large));
    expect([answer.statusCode, answer.json().code]).toEqual([413, 'too_large']);
    expect(answer.json().message).toContain(String(body.length));
  });

  it('are bound by MAX_BODY_BYTES where that is less', async () => {
    await start({ config: { MAX_BODY_BYTES: 2000 } });
    await group('signed', { webhook_enabled: true, webhook_policy: { secret: SECRET } });
    const body = Buffer.alloc(2001);
    const answer = await send(body, signed(body));
    expect(answer.json().message).toContain('2000');
    expect(answer.statusCode).toBe(413);
  });
});

describe('guesses', () => {
  it('are answered 401 up to the limit, then 429; what is right goes on', async () => {
    await start({ config: { RATE_LIMIT_401_PER_MINUTE: 3 } });
    const { token, hash } = newWebhookToken();
    await group('ready', { webhook_enabled: true, webhook_token_hash: hash });
    const guess = () => trigger('ready', { headers: { 'x-webhook-token': 'x' } });
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 5; attempt++) statuses.push((await guess()).statusCode);
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
    expect((await guess()).headers['retry-after']).toBeDefined();
    const right = await trigger('ready', { headers: { 'x-webhook-token': token } });
    expect(right.statusCode).toBe(202);
    expect((await trigger('unknown')).statusCode).toBe(404);
  });

  it('of passwords at the trigger are limited as everywhere, and count once each', async () => {
    await start({ config: { RATE_LIMIT_401_PER_MINUTE: 3 } });
    await group('ready', { webhook_enabled: true });
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 5; attempt++)
      statuses.push((await trigger('ready', { user: 'nobody' })).statusCode);
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
    await service.addUser('nobody');
    expect((await trigger('ready', { user: 'nobody' })).statusCode).toBe(429);
    expect(await flag('ready')).toBe(false);
  });
});

describe('junk', () => {
  const JUNK = [
    '',
    ' ',
    ',',
    'null',
    '-1',
    '1e400',
    '٣',
    '\u00ff\u00fe',
    'sha256=',
    `sha256=${'z'.repeat(64)}`,
    'a'.repeat(7000),
    '[]',
    '%00',
    '"',
    "'; --",
  ];

  it('in any header is refused, never a fault', async () => {
    await start({ config: { RATE_LIMIT_401_PER_MINUTE: 0 } });
    const { hash } = newWebhookToken();
    await group('ready', { webhook_enabled: true, webhook_token_hash: hash });
    await group('signed', { webhook_enabled: true, webhook_policy: { secret: SECRET } });
    const names = [
      'x-webhook-token',
      'x-timestamp',
      'x-signature-sha256',
      'authorization',
      'x-login-user',
      'content-type',
      'content-encoding',
      'x-forwarded-for',
    ];
    for (const name of ['ready', 'signed']) {
      for (const header of names) {
        for (const value of JUNK) {
          const headers = {
            ...(name === 'signed' && !header.startsWith('x-s') ? signed('x', NOW_SECONDS - 1) : {}),
            [header]: value,
          };
          const answer = await trigger(name, { headers, payload: 'body' });
          expect(answer.statusCode, `${header}: ${value} ${answer.body}`).toBe(401);
        }
      }
    }
    expect(service.log.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('on the line is refused: headers twice, bytes that are no text', async () => {
    const { token, hash } = newWebhookToken();
    await group('ready', { webhook_enabled: true, webhook_token_hash: hash });
    await group('signed', { webhook_enabled: true, webhook_policy: { secret: SECRET } });
    await service.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = service.app.server.address() as AddressInfo;
    const statusOf = (name: string, lines: readonly string[]) =>
      new Promise<string>((resolve, reject) => {
        const socket = connect(port, '127.0.0.1');
        let text = '';
        socket.on('data', (chunk) => (text += chunk.toString('latin1')));
        socket.on('end', () => resolve(text.slice(9, 12)));
        socket.on('error', reject);
        const head = [`POST /api/v1/syncer/cron/trigger/${name} HTTP/1.1`, 'Host: x', 'Connection: close', ...lines];
        socket.write(Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'));
      });
    expect(await statusOf('ready', [`X-Webhook-Token: ${token}`])).toBe('202');
    expect(await statusOf('ready', [`X-Webhook-Token: ${token}`, `X-Webhook-Token: ${token}`])).toBe('401');
    expect(await statusOf('ready', ['X-Webhook-Token: \xff\xfe'])).toBe('401');
    const time = `X-Timestamp: ${NOW_SECONDS}`;
    const signature = `X-Signature-SHA256: sha256=${signatureOf(NOW_SECONDS)}`;
    expect(await statusOf('signed', [time, time, signature])).toBe('401');
    expect(await statusOf('signed', [time, signature, signature])).toBe('401');
    expect(await statusOf('signed', [time, signature])).toBe('202');
  });
});
