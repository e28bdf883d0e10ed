import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Api, basic, expect, PASSWORD, test } from '../../support/api.ts';
import { RunningService } from '../../support/running-service.ts';

const TLS = fileURLToPath(new URL('../../support/tls', import.meta.url));
const READS = [
  '/objects/all',
  '/rules/types',
  '/syncer/hosts',
  '/inventory/automation',
  '/inventory/ansible',
  '/ansible/inventory',
];

test('every path asks for credentials and takes each kind of them', async ({ anonymous, service }) => {
  const token = (await service.place.done(['user', 'token', 'create', 'root', '--label', 'test'])).match(
    /muster_\S+/,
  )?.[0];
  for (const path of READS) {
    const refused = await anonymous.get(path);
    expect([refused.status, refused.headers['www-authenticate']]).toEqual([401, 'Basic realm="muster"']);
    expect((await anonymous.get(path, basic('root', 'wrong'))).status).toBe(401);
    expect((await anonymous.get(path, basic('nobody', PASSWORD))).status).toBe(401);
    expect((await anonymous.get(path, basic('root', PASSWORD))).status).toBe(200);
    expect((await anonymous.get(path, { 'x-login-user': `root:${PASSWORD}` })).status).toBe(200);
    expect((await anonymous.get(path, { authorization: `Bearer ${token}` })).status).toBe(200);
  }
});

test('each base path needs its role', async ({ as }) => {
  const paths: Record<string, [string, string]> = {
    objects: ['/objects/all', '/api/v1/objects'],
    rules: ['/rules/types', '/api/v1/rules'],
    syncer: ['/syncer/hosts', '/api/v1/syncer'],
    automation: ['/inventory/automation', '/api/v1/inventory/automation'],
  };
  for (const user of Object.keys(paths)) {
    const api = await as(user);
    for (const [role, [path, basePath]] of Object.entries(paths)) {
      const answer = await api.get(path);
      expect(answer.status, `${user} reads ${path}`).toBe(user === role ? 200 : 401);
      if (user !== role) expect(answer.body.message).toBe(`User has no api_role granting ${basePath}`);
    }
  }
});

test('a read-only user changes nothing', async ({ api, as, name }) => {
  const reader = await as('reader');
  await api.save(name('-a'), 'crm', { a: 1 });
  await api.save(name('-b'), 'crm');
  const host = `/objects/${name('-a')}`;
  for (const [method, path, body] of [
    ['POST', host, { account: 'crm', labels: {} }],
    ['DELETE', host, undefined],
    ['POST', `${host}/inventory`, { key: 'k', inventory: {} }],
    ['POST', '/objects/bulk', { account: 'crm', objects: [] }],
    ['POST', '/objects/bulk/inventory', { inventories: [] }],
    ['POST', `${host}/relations`, { type: 'runs_on', target: name('-b') }],
    ['DELETE', `${host}/relations`, { type: 'runs_on', target: name('-b') }],
    ['POST', '/rules/custom_attributes', {}],
    ['POST', '/rules/import', {}],
    ['POST', '/rules/autorules', undefined],
  ] as const) {
    const answer = await reader.send(method, path, body);
    expect([answer.status, answer.body.code], `${method} ${path}`).toEqual([403, 'read_only']);
  }
  expect((await reader.get(host)).body.labels).toEqual({ a: 1 });
});

test('a user learns nothing of hosts of other accounts', async ({ api, as, name }) => {
  const scoped = await as('scoped');
  const theirs = name('-theirs');
  await api.save(theirs, 'dcim', { a: 1 });
  await scoped.save(name('-mine'), 'crm');
  const same = async (method: string, path: (host: string) => string, body?: unknown): Promise<number> => {
    const foreign = await scoped.send(method, path(theirs), body);
    const unknown = await scoped.send(method, path(name('-unknown')), body);
    expect(foreign.text.replaceAll('-theirs', '-unknown')).toBe(unknown.text);
    expect(foreign.status).toBe(unknown.status);
    return foreign.status;
  };
  expect(await same('GET', (host) => `/objects/${host}`)).toBe(404);
  expect(await same('DELETE', (host) => `/objects/${host}`)).toBe(404);
  expect(await same('GET', (host) => `/objects/${host}/history`)).toBe(404);
  expect(await same('GET', (host) => `/objects/${host}/explain`)).toBe(404);
  expect(await same('POST', (host) => `/objects/${host}/inventory`, { key: 'k', inventory: {} })).toBe(404);
  expect(await same('GET', (host) => `/inventory/automation/automation?host=${host}`)).toBe(404);
  expect(await same('POST', (host) => `/objects/${host}`, { account: 'dcim', labels: {} })).toBe(403);
  const bulk = { account: 'dcim', objects: [{ hostname: name('-new'), labels: {} }] };
  expect((await scoped.post('/objects/bulk', bulk)).status).toBe(403);
  const conflict = await scoped.post(`/objects/${theirs}`, { account: 'crm', labels: {} });
  expect([conflict.status, conflict.body.status]).toEqual([403, 'account_conflict']);
  const inventories = [theirs, name('-unknown')].map((hostname) => ({ hostname, key: 'k', inventory: {} }));
  expect((await scoped.post('/objects/bulk/inventory', { inventories })).body).toEqual({
    status: 'saved 0',
    'not-found': [theirs, name('-unknown')],
  });
  const list = (await scoped.get('/objects/all?start=0&limit=10000')).text;
  const inventory = (await scoped.get('/inventory/automation/automation')).text;
  for (const text of [list, inventory]) {
    expect(text).toContain(name('-mine'));
    expect(text).not.toContain(theirs);
  }
  expect((await api.get(`/objects/${theirs}`)).body).toMatchObject({ labels: { a: 1 }, inventory: {} });
});

test('a changed user is known at once', async ({ anonymous, name, service }) => {
  const { place } = service;
  const user = name();
  await place.done(['user', 'add', user, '--role', 'objects', '--password-stdin'], { input: PASSWORD });
  const status = async (password: string) => (await anonymous.get('/objects/all', basic(user, password))).status;
  expect(await status(PASSWORD)).toBe(200);
  await place.done(['user', 'passwd', user, '--password-stdin'], { input: 'another long secret' });
  await expect.poll(() => status(PASSWORD), { timeout: 1000 }).toBe(401);
  expect(await status('another long secret')).toBe(200);
  await place.done(['user', 'disable', user]);
  await expect.poll(() => status('another long secret'), { timeout: 1000 }).toBe(401);
});

test('behind proxies the client and its scheme are counted from the right', async ({ freshPlace }) => {
  const place = await freshPlace({ SERVICE_TRUSTED_PROXIES: '2' });
  const running = await RunningService.start(place);
  const api = await Api.open(running.url, basic('root', PASSWORD));
  const status = async (forwarded: string, scheme: string) =>
    (await api.get('/objects/all', { 'x-forwarded-for': forwarded, 'x-forwarded-proto': scheme })).status;
  expect(await status('198.51.100.4, 10.0.0.2', 'https, http')).toBe(200);
  expect(await status('198.51.100.4, 10.0.0.2', 'http, https')).toBe(401);
  expect(await status('198.51.100.4, 10.0.0.2', 'https')).toBe(401);
  expect(await status('127.0.0.1, 198.51.100.4, 10.0.0.2', 'http, http')).toBe(401);
  expect(await status('198.51.100.4', 'http')).toBe(200);
  await api.close();
  await running.stop();
});

test('refused credentials are limited, and nothing else is', async ({ freshPlace }) => {
  const place = await freshPlace();
  const running = await RunningService.start(place);
  const api = await Api.open(running.url);
  for (let count = 0; count < 40; count++) {
    expect((await api.get('/objects/none', basic('root', PASSWORD))).status).toBe(404);
  }
  const statuses: number[] = [];
  for (let count = 0; count < 32; count++) statuses.push((await api.get('/objects/all', basic('reader', 'no'))).status);
  expect(statuses).toEqual([...Array(30).fill(401), 429, 429]);
  const limited = await api.get('/objects/all');
  expect([limited.status, limited.body.code]).toEqual([429, 'rate_limited']);
  expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
  await api.close();
  await running.stop();
});

test('HTTPS with a certificate of ours', async ({ freshPlace }) => {
  const place = await freshPlace({
    SERVICE_TLS_CERT: join(TLS, 'cert.pem'),
    SERVICE_TLS_KEY: join(TLS, 'key.pem'),
  });
  const running = await RunningService.start(place);
  expect(running.url).toMatch(/^https:/);
  const api = await Api.open(running.url, basic('root', PASSWORD));
  expect((await api.get('/objects/all')).status).toBe(200);
  await api.close();
  expect(await running.stop()).toBe(0);
});

test('relations do not exist without CMDB mode', async ({ freshPlace }) => {
  const place = await freshPlace();
  const running = await RunningService.start(place);
  const api = await Api.open(running.url);
  for (const method of ['GET', 'POST', 'DELETE']) {
    expect((await api.send(method, '/objects/web1/relations')).status).toBe(404);
  }
  await api.close();
  await running.stop();
});
