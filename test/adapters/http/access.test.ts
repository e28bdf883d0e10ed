import { afterEach, describe, expect, it } from 'vitest';
import { newToken } from '../../../src/app/users/token.ts';
import type { AuditEntry } from '../../../src/ports/index.ts';
import { basic, type HttpService, type HttpServiceOptions, PASSWORD, startHttpService } from './http-service.ts';

const REMOTE = '192.0.2.7';
let service: HttpService;

afterEach(() => service.stop());

async function start(options: HttpServiceOptions = {}): Promise<void> {
  service = await startHttpService(options);
}

async function audit(): Promise<readonly AuditEntry[]> {
  await service.services.audit.settled();
  return service.storage.audit.latest({ limit: 100 });
}

describe('credentials', () => {
  it('are asked for, with the way to give them', async () => {
    await start();
    const answer = await service.request({ url: '/api/v1/objects/web1', user: null });
    expect(answer.statusCode).toBe(401);
    expect(answer.headers['www-authenticate']).toBe('Basic realm="muster"');
    expect(answer.json()).toMatchObject({ code: 'unauthenticated' });
  });

  it.each(['/api/v1/objects/all', '/api/v1/rules/types', '/api/v1/inventory/automation', '/api/v1/syncer/hosts'])(
    'may come in x-login-user at %s',
    async (url) => {
      await start();
      const headers = { 'x-login-user': `root:${PASSWORD}` };
      expect((await service.request({ url, user: null, headers })).statusCode).toBe(200);
    },
  );

  it('may be a token, until it expires', async () => {
    await start();
    const valid = newToken();
    const expired = newToken();
    await service.addUser('robot', {
      api_tokens: [
        { prefix: valid.prefix, hash: valid.hash, label: 'x' },
        { prefix: expired.prefix, hash: expired.hash, label: 'y', expires: '2026-01-01T00:00:00Z' },
      ],
    });
    const read = (token: string) =>
      service.request({ url: '/api/v1/syncer/hosts', user: null, headers: { authorization: `Bearer ${token}` } });
    expect((await read(valid.token)).statusCode).toBe(200);
    expect((await read(expired.token)).statusCode).toBe(401);
    expect((await read('muster_nonsense')).statusCode).toBe(401);
  });

  it('may be the e-mail address of one user alone, and count as guesses at that user', async () => {
    await start({ config: { API_AUTH_FAILURES_PER_MINUTE: 1000 } as never });
    await service.addUser('jo', { email: 'Jo@example.org' });
    await service.addUser('ann', { email: 'team@example.org' });
    await service.addUser('ben', { email: 'team@example.org' });
    await service.addUser('eve@example.org', { email: 'jo2@example.org' });
    await service.addUser('kim', { email: 'eve@example.org', disabled: true });
    const read = (name: string, password = PASSWORD) =>
      service.request({ url: '/api/v1/syncer/hosts', user: null, headers: { authorization: basic(name, password) } });
    expect((await read('jo@example.org')).statusCode).toBe(200);
    expect((await read('jo@example.org', 'wrong')).statusCode).toBe(401);
    // Nobody can tell whose it is.
    expect((await read('team@example.org')).statusCode).toBe(401);
    // A name is stronger than an address.
    expect((await read('eve@example.org')).statusCode).toBe(200);
  });

  it('of a wrong password, an unknown or a disabled user get the same answer', async () => {
    await start();
    await service.addUser('gone', { disabled: true });
    const answers = await Promise.all(
      [basic('root', 'wrong'), basic('nobody', PASSWORD), basic('gone', PASSWORD)].map((authorization) =>
        service.request({ url: '/api/v1/objects/web1', user: null, headers: { authorization } }),
      ),
    );
    expect(answers.map((answer) => answer.statusCode)).toEqual([401, 401, 401]);
    expect(new Set(answers.map((answer) => answer.body)).size).toBe(1);
  });

  it('stop working as soon as the user changes', async () => {
    await start();
    await service.addUser('jo');
    const read = () => service.request({ url: '/api/v1/syncer/hosts', user: 'jo' });
    expect((await read()).statusCode).toBe(200);
    await service.addUser('jo', { disabled: true });
    expect((await read()).statusCode).toBe(401);
  });
});

describe('without valid credentials nobody learns', () => {
  it.each([
    ['of unknown paths', 'GET', '/api/v1/nothing/here', undefined],
    ['of other versions', 'GET', '/api/v2', undefined],
    ['of wrong methods', 'PUT', '/api/v1/objects/web1', undefined],
    ['of methods of fixed paths', 'DELETE', '/api/v1/objects/all', undefined],
    ['of malformed paths', 'GET', '/api/v1/objects/%zz', undefined],
    ['of malformed bodies', 'POST', '/api/v1/objects/web1', '{'],
    ['of unknown rule types', 'GET', '/api/v1/rules/nonsense', undefined],
  ])('%s', async (_what, method, url, payload) => {
    await start();
    const headers = payload === undefined ? {} : { 'content-type': 'text/csv' };
    const request = { method: method as 'GET', url, headers, ...(payload === undefined ? {} : { payload }) };
    const refused = await service.request({ ...request, user: null });
    expect(refused.statusCode).toBe(401);
    expect(refused.headers.allow).toBeUndefined();
    const known = await service.request(request);
    expect(known.statusCode).toBeGreaterThanOrEqual(400);
    expect(known.statusCode).not.toBe(401);
  });

  it('and a large body is not even looked at', async () => {
    await start({ config: { MAX_BODY_BYTES: 2000 } });
    const request = { method: 'POST', url: '/api/v1/objects/web1', payload: { labels: 'x'.repeat(5000) } } as const;
    expect((await service.request({ ...request, user: null })).statusCode).toBe(401);
    expect((await service.request(request)).statusCode).toBe(413);
  });
});

describe('the HTTPS gate', () => {
  const read = (options: { remoteAddress?: string; headers?: Record<string, string> } = {}) =>
    service.request({ url: '/api/v1/syncer/hosts', remoteAddress: REMOTE, ...options });

  it('refuses credentials over plain HTTP from other machines', async () => {
    await start();
    const answer = await read();
    expect(answer.statusCode).toBe(401);
    expect(answer.headers['www-authenticate']).toMatch(/^Basic realm=/);
    expect(answer.json()).toMatchObject({ code: 'insecure_transport' });
    expect((await read({ remoteAddress: '127.0.0.1' })).statusCode).toBe(200);
    expect((await read({ remoteAddress: '::1' })).statusCode).toBe(200);
    expect((await read({ remoteAddress: '127.0.0.2' })).statusCode).toBe(401);
  });

  it('comes before the credentials', async () => {
    await start();
    const answer = await service.request({ url: '/api/v1/syncer/hosts', remoteAddress: REMOTE, user: 'nobody' });
    expect(answer.json()).toMatchObject({ code: 'insecure_transport' });
  });

  it('stands open when the configuration says so', async () => {
    await start({ config: { ALLOW_INSECURE_API_AUTH: true } });
    expect((await read()).statusCode).toBe(200);
  });

  it('believes X-Forwarded-Proto of trusted proxies only', async () => {
    const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '198.51.100.4' };
    await start();
    expect((await read({ headers })).statusCode).toBe(401);
    await service.stop();
    await start({ config: { TRUSTED_PROXIES: 1 } });
    expect((await read({ headers })).statusCode).toBe(200);
    expect((await read({ headers: { ...headers, 'x-forwarded-proto': 'http' } })).statusCode).toBe(401);
    expect((await read({ headers: { ...headers, 'x-forwarded-proto': 'https, http' } })).statusCode).toBe(401);
    await service.stop();
    await start({ config: { TRUSTED_PROXIES: 2 } });
    expect((await read({ headers })).statusCode).toBe(401);
    expect((await read({ headers: { 'x-forwarded-proto': 'https, http' } })).statusCode).toBe(200);
  });

  it('takes a client behind a local proxy for what it is', async () => {
    await start({ config: { TRUSTED_PROXIES: 1 } });
    const proxied = (address: string) => read({ remoteAddress: '127.0.0.1', headers: { 'x-forwarded-for': address } });
    expect((await proxied('198.51.100.4')).statusCode).toBe(401);
    expect((await proxied('127.0.0.1, 198.51.100.4')).statusCode).toBe(401);
    expect((await proxied('::1')).statusCode).toBe(200);
  });
});

describe('roles', () => {
  it.each([
    ['objects', '/api/v1/objects/all', '/api/v1/objects'],
    ['rules', '/api/v1/rules/types', '/api/v1/rules'],
    ['syncer', '/api/v1/syncer/hosts', '/api/v1/syncer'],
    ['automation', '/api/v1/inventory/automation', '/api/v1/inventory/automation'],
    ['ansible', '/api/v1/ansible/inventory/ansible', '/api/v1/inventory/automation'],
  ])('%s grants %s', async (role, url, basePath) => {
    await start();
    await service.addUser('has', { api_roles: [role] });
    await service.addUser('lacks', { api_roles: ['mcp'] });
    expect((await service.request({ url, user: 'has' })).statusCode).toBe(200);
    const refused = await service.request({ url, user: 'lacks' });
    expect(refused.statusCode).toBe(401);
    expect(refused.json()).toMatchObject({
      message: `User has no api_role granting ${basePath}`,
      code: 'role_missing',
    });
  });

  it('are checked before the body', async () => {
    await start();
    await service.addUser('lacks', { api_roles: ['rules'] });
    const request = { method: 'POST', url: '/api/v1/objects/web1', payload: '{', user: 'lacks' } as const;
    expect((await service.request(request)).statusCode).toBe(401);
  });

  it('let read-only users read and nothing else', async () => {
    await start();
    await service.addUser('reader', { readonly: true });
    const write = await service.request({ method: 'POST', url: '/api/v1/objects/web1', payload: '{', user: 'reader' });
    expect(write.statusCode).toBe(403);
    expect(write.json()).toMatchObject({ code: 'read_only' });
    expect((await service.request({ url: '/api/v1/objects/all', user: 'reader' })).statusCode).toBe(200);
  });
});

describe('account scope', () => {
  it('makes hosts of other accounts unknown', async () => {
    await start();
    await service.addAccount('other');
    await service.addUser('scoped', { restrict_to_accounts: ['crm'] });
    for (const [host, account] of [
      ['mine', 'crm'],
      ['theirs', 'other'],
    ] as const) {
      await service.request({ method: 'POST', url: `/api/v1/objects/${host}`, payload: { account, labels: {} } });
    }
    const as = (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) =>
      service.request({ method, url, user: 'scoped', ...(payload === undefined ? {} : { payload }) });
    const known = await as('GET', '/api/v1/objects/all?start=0');
    expect(known.json().results.map((host: { hostname: string }) => host.hostname)).toEqual(['mine']);
    expect(known.json().size).toBe(1);
    const foreign = await as('GET', '/api/v1/objects/theirs');
    const unknown = await as('GET', '/api/v1/objects/nowhere');
    expect([foreign.statusCode, unknown.statusCode]).toEqual([404, 404]);
    expect(foreign.body.replaceAll('theirs', 'nowhere')).toBe(unknown.body);
    expect((await as('DELETE', '/api/v1/objects/theirs')).statusCode).toBe(404);
    expect((await as('GET', '/api/v1/syncer/hosts')).json().num_hosts).toBe(1);
    const inventory = (await as('GET', '/api/v1/inventory/automation/automation')).json();
    expect(inventory.all.hosts).toEqual(['mine']);
    const write = await as('POST', '/api/v1/objects/new', { account: 'other', labels: {} });
    expect(write.statusCode).toBe(403);
  });
});

describe('the limit of refusals', () => {
  const wrong = { url: '/api/v1/syncer/hosts', user: null, headers: { authorization: basic('root', 'wrong') } };

  it('answers 429 after so many 401, and counts nothing else', async () => {
    await start({ config: { RATE_LIMIT_401_PER_MINUTE: 3 } });
    for (let count = 0; count < 5; count++) {
      expect((await service.request({ url: '/api/v1/objects/unknown' })).statusCode).toBe(404);
    }
    for (let count = 0; count < 3; count++) expect((await service.request(wrong)).statusCode).toBe(401);
    const limited = await service.request(wrong);
    expect(limited.statusCode).toBe(429);
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
    expect(limited.json()).toMatchObject({ code: 'rate_limited' });
    expect((await service.request({ url: '/api/v1/syncer/hosts', user: null })).statusCode).toBe(429);
  });

  it('lets valid users in, whoever guesses from the same address, and no more than a few newcomers who guess as well', async () => {
    await start({ config: { RATE_LIMIT_401_PER_MINUTE: 3 } });
    for (const user of ['new', 'late']) await service.addUser(user);
    const status = async (user: string, more: object = {}) =>
      (await service.request({ url: '/api/v1/syncer/hosts', user, ...more })).statusCode;
    const guess = async (user: string) => {
      const headers = { authorization: basic(user, 'wrong') };
      return (await service.request({ url: '/api/v1/syncer/hosts', user: null, headers })).statusCode;
    };
    expect(await status('root')).toBe(200);
    for (let count = 0; count < 4; count++) await service.request(wrong);
    expect(await status('root')).toBe(200);
    expect(await status('new')).toBe(200);
    expect(await guess('somebody')).toBe(429);
    expect(await status('new')).toBe(200);
    expect(await status('late')).toBe(429);
    expect(await status('late', { remoteAddress: '::1' })).toBe(200);
  });
});

describe('the audit log', () => {
  it('has refusals and writes with who, where from and what came of it', async () => {
    await start();
    await service.addUser('reader', { readonly: true });
    await service.request({ url: '/api/v1/objects/web1', user: null, headers: { authorization: basic('root', 'no') } });
    const refused = await service.request({ method: 'DELETE', url: '/api/v1/objects/web1', user: 'reader' });
    const payload = { account: 'crm', labels: {} };
    await service.request({ method: 'POST', url: '/api/v1/objects/web1', payload, remoteAddress: '::1' });
    expect(await audit()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ actor: 'root', operation: '/api/v1/objects/web1', outcome: 'unauthenticated' }),
        expect.objectContaining({
          actor: 'reader',
          operation: 'hosts/delete-host',
          outcome: 'read_only',
          requestId: refused.headers['x-request-id'],
        }),
        expect.objectContaining({
          actor: 'root',
          operation: 'hosts/save-host',
          subject: 'web1',
          outcome: 'done',
          entrance: 'rest',
          address: '::1',
        }),
      ]),
    );
  });
});
