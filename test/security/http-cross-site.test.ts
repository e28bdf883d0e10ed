import { afterEach, describe, expect, it } from 'vitest';
import type { Config } from '../../src/app/kernel/config/schema.ts';
import { AdminClient, PASSWORD } from '../adapters/admin/admin-client.ts';
import { basic } from '../adapters/http/http-service.ts';
import { ToolService, basic as toolBasic } from '../adapters/mcp/tool-service.ts';

/**
 * A browser sends what it remembers for the service with the requests of any page. These are pages of others, and names of others that
 * lead to this machine; beside each stands who must get through.
 */

let client: AdminClient;
afterEach(() => client?.service.stop());

async function start(config: Partial<Config> = {}): Promise<void> {
  client = await AdminClient.start({ RATE_LIMIT_401_PER_MINUTE: 0, ...config });
}

const FOREIGN: readonly (readonly [string, Record<string, string>])[] = [
  ['a page of another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
  ['a page of a neighbour', { 'sec-fetch-site': 'same-site' }],
  ['a form that is sent as text', { 'sec-fetch-site': 'cross-site', 'content-type': 'text/plain' }],
  ['a browser that says only the origin', { origin: 'https://evil.example' }],
  ['the same machine at another port', { origin: 'http://localhost:3000' }],
  ['the same name without TLS', { origin: 'https://localhost:80' }],
  ['a page without origin', { origin: 'null' }],
  ['an origin that is none', { origin: 'localhost' }],
];

/** Who is no page, or one of ours. */
const OWN: readonly (readonly [string, Record<string, string>])[] = [
  ['curl', { 'user-agent': 'curl/8.5.0', accept: '*/*' }],
  ['a script of Node.js', { 'user-agent': 'node', 'sec-fetch-mode': 'cors', accept: '*/*' }],
  ['a page of ours', { 'sec-fetch-site': 'same-origin', origin: 'http://localhost' }],
  ['a page of ours in an older browser', { origin: 'http://localhost' }],
  ['somebody who entered the address', { 'sec-fetch-site': 'none' }],
];

const BUNDLE = { rules: { automation_projects: [{ name: 'stolen' }] } };

describe('REST', () => {
  const send = (headers: Record<string, string>) =>
    client.service.request({
      method: 'POST',
      url: '/api/v1/rules/import',
      payload: JSON.stringify(BUNDLE),
      headers: { host: 'localhost', 'content-type': 'application/json', ...headers },
    });
  const stored = () => client.service.storage.rules.findByName('automation_projects', 'stolen');

  it.each(FOREIGN)('takes nothing from %s, though the credentials are right', async (_who, headers) => {
    await start();
    const answer = await send(headers);
    expect([answer.statusCode, answer.json().code]).toEqual([403, 'forbidden']);
    expect(await stored()).toBeUndefined();
  });

  it.each(OWN)('takes it from %s', async (_who, headers) => {
    await start();
    expect((await send(headers)).statusCode).toBe(201);
    expect(await stored()).toBeDefined();
  });

  it('knows its pages behind a proxy by BASE_URL', async () => {
    await start({ BASE_URL: 'https://cmdb.example.org/' });
    expect((await send({ origin: 'https://cmdb.example.org' })).statusCode).toBe(201);
    expect((await send({ origin: 'https://other.example.org' })).statusCode).toBe(403);
  });

  it.each([
    ['POST', '/api/v1/objects/web1'],
    ['DELETE', '/api/v1/objects/web1'],
    ['POST', '/api/v1/objects/bulk'],
    ['POST', '/api/v1/syncer/cron/'],
    ['POST', '/api/v1/rules/autorules'],
    ['POST', '/api/v1/rules/automation_projects'],
  ] as const)('refuses %s %s of a foreign page before its body', async (method, url) => {
    await start();
    const answer = await client.service.request({
      method,
      url,
      payload: '{',
      headers: { 'sec-fetch-site': 'cross-site' },
    });
    expect([answer.statusCode, answer.json().code]).toEqual([403, 'forbidden']);
  });

  it('triggers no cron group for a foreign page, and logs that it tried', async () => {
    await start();
    await client.service.request({
      method: 'POST',
      url: '/api/v1/rules/cron_groups',
      payload: { name: 'nightly', enabled: true, webhook_enabled: true, jobs: [{ name: 'a', command: 'Maintenance' }] },
    });
    const trigger = (headers: Record<string, string>) =>
      client.service.request({ method: 'POST', url: '/api/v1/syncer/cron/trigger/nightly', headers });
    expect((await trigger({ 'sec-fetch-site': 'cross-site' })).statusCode).toBe(403);
    expect(await client.service.storage.logs.latest({ limit: 5, source: 'API' })).toMatchObject([{ hasError: true }]);
    expect((await trigger({})).statusCode).toBe(202);
  });

  it.each([
    ['opens an address', { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', accept: 'text/html,*/*;q=0.8' }],
    ['opens it over plain HTTP', { accept: 'text/html,application/xhtml+xml' }],
    ['has a page ask', { 'sec-fetch-site': 'same-origin', accept: '*/*' }],
  ])('makes no browser that %s ask for a password that it then remembers', async (_what, headers) => {
    await start();
    for (const url of ['/api/v1/objects/all', '/api/v1/nothing', '/metrics']) {
      const answer = await client.service.request({
        url,
        user: null,
        headers: { ...headers, 'x-forwarded-for': '192.0.2.1' },
      });
      expect([answer.statusCode, answer.headers['www-authenticate']], url).toEqual([401, undefined]);
    }
  });

  it.each([
    ['curl', { accept: '*/*' }],
    ['Node.js', { accept: '*/*', 'sec-fetch-mode': 'cors' }],
    ['a program', { accept: 'application/json' }],
  ])('tells %s how to log in', async (_who, headers) => {
    await start();
    const answer = await client.service.request({ url: '/api/v1/objects/all', user: null, headers });
    expect(answer.headers['www-authenticate']).toBe('Basic realm="muster"');
  });
});

describe('the admin interface', () => {
  it.each(FOREIGN)('begins no session for %s, and runs nothing', async (_who, foreign) => {
    await start();
    const headers = { host: 'localhost', 'content-type': 'application/json', ...foreign };
    const login = await client.logIn('root', PASSWORD, { headers });
    expect([login.statusCode, login.headers['set-cookie']]).toEqual([403, undefined]);
    const cookie = await client.cookieOf('root');
    expect((await client.call('hosts/host-counters', cookie, {}, headers)).statusCode).toBe(403);
    const out = await client.service.request({
      method: 'DELETE',
      url: '/admin/api/session',
      user: null,
      headers: { ...headers, cookie },
    });
    expect(out.statusCode).toBe(403);
  });

  it.each(OWN.slice(2))('serves %s', async (_who, headers) => {
    await start();
    const cookie = await client.cookieOf('root');
    const answer = await client.call('hosts/host-counters', cookie, {}, { host: 'localhost', ...headers });
    expect(answer.statusCode).toBe(200);
  });
});

describe('a name that somebody points at this machine', () => {
  const open = (url: string, host: string, more: object = {}) =>
    client.service.request({ url, user: null, headers: { host }, ...more });

  it.each(['evil.example', 'localhost.evil.example:8080', '127.0.0.1.evil.example', 'localhost/x'])(
    '%s opens neither pages nor metrics',
    async (host) => {
      await start();
      for (const url of ['/admin', '/admin/hosts', '/metrics', '/admin/api/session']) {
        const answer = await open(url, host);
        expect([answer.statusCode, answer.json().message], url).toEqual([
          403,
          expect.stringMatching(/ALLOWED_HOSTS.*BASE_URL/),
        ]);
      }
      expect((await open('/healthz', host)).statusCode).toBe(200);
      expect((await open('/readyz', host)).statusCode).toBe(200);
    },
  );

  it.each([
    ['localhost:8080', {}],
    ['127.0.0.1:8080', {}],
    ['[::1]:8080', {}],
    ['10.20.30.40', {}],
    ['cmdb.example.org', { BASE_URL: 'https://cmdb.example.org:8443' }],
    ['CMDB.intern:8080', { ALLOWED_HOSTS: ['cmdb.intern'] }],
  ])('%s is ours', async (host, config) => {
    await start(config);
    expect((await open('/metrics', host)).statusCode).toBe(200);
    expect((await open('/admin/api/session', host)).statusCode).toBe(200);
  });

  it('is no matter over TLS, where the certificate names us', async () => {
    await start({ TRUSTED_PROXIES: 1 });
    const headers = { host: 'cmdb.example.org', 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.1' };
    expect((await client.service.request({ url: '/admin/api/session', user: null, headers })).statusCode).toBe(200);
  });
});

describe('metrics', () => {
  const read = (headers: Record<string, string>) => client.service.request({ url: '/metrics', user: null, headers });

  it.each(['x-forwarded-for', 'x-real-ip', 'forwarded', 'via', 'x-forwarded-host'])(
    'are not open to whoever comes through a proxy on this machine (%s)',
    async (name) => {
      await start();
      expect((await read({ [name]: '192.0.2.1' })).statusCode).toBe(401);
      expect((await read({})).statusCode).toBe(200);
      const authorization = basic('root', PASSWORD);
      expect((await read({ [name]: '192.0.2.1', authorization })).statusCode).toBe(200);
    },
  );
});

describe('the tool server', () => {
  it('refuses pages of others at every path, and serves clients', async () => {
    const tools = await ToolService.start();
    try {
      const { app } = tools.network();
      const ask = (headers: Record<string, string>) =>
        app.inject({
          method: 'POST',
          url: '/mcp',
          payload: { jsonrpc: '2.0', id: 1, method: 'ping' },
          headers: {
            host: 'localhost',
            accept: 'application/json, text/event-stream',
            'content-type': 'application/json',
            authorization: toolBasic('root'),
            ...headers,
          },
        });
      for (const site of ['cross-site', 'same-site']) {
        expect((await ask({ 'sec-fetch-site': site })).statusCode).toBe(403);
        expect((await ask({ 'sec-fetch-site': site, origin: 'http://localhost:3000' })).statusCode).toBe(403);
        const stream = { url: '/sse', headers: { host: 'localhost', 'sec-fetch-site': site } };
        expect((await app.inject({ ...stream, method: 'GET' })).statusCode).toBe(403);
      }
      expect((await ask({ origin: 'https://evil.example' })).statusCode).toBe(403);
      for (const headers of [{}, { 'sec-fetch-mode': 'cors' }, { 'sec-fetch-site': 'same-origin' }]) {
        expect((await ask(headers as Record<string, string>)).statusCode).toBe(200);
      }
    } finally {
      await tools.stop();
    }
  });
});
