import { afterEach, describe, expect, it } from 'vitest';
import { configSchema } from '../../../src/app/kernel/config/schema.ts';
import { AdminClient, cookieIn } from '../admin/admin-client.ts';
import { signInWorld } from '../admin/sign-in-world.ts';
import { PASSWORD } from './http-service.ts';

const BASE_URL = 'https://h.example/muster/';
const CREDENTIALS = { method: 'POST', user: null, payload: { name: 'root', password: PASSWORD } } as const;

let client: AdminClient;
afterEach(() => client.service.stop());

describe.each([
  ['takes its path away', ''],
  ['passes its path on', '/muster'],
])('below a path of the host, behind a proxy that %s', (_, path) => {
  it('says addresses with that path', async () => {
    client = await AdminClient.start({ BASE_URL });
    const get = (url: string) => client.service.request({ url: `${path}${url}` });
    expect((await get('/')).headers.location).toBe('/muster/admin');
    expect((await get('/openapi.json')).json().servers).toEqual([{ url: 'https://h.example/muster' }]);
    expect((await get('/docs/openapi')).payload).toContain('href="/muster/openapi.json"');
    const put = { url: `${path}/api/v1/objects/bulk`, method: 'POST' } as const;
    const objects = ['web01.example.org', 'web02.example.org'].map((hostname) => ({ hostname, labels: {} }));
    await client.service.addAccount('crm');
    expect((await client.service.request({ ...put, payload: { account: 'crm', objects } })).statusCode).toBe(200);
    const page = (await get('/api/v1/objects/all?start=0&limit=1')).json();
    expect(page._links.next).toBe('/muster/api/v1/objects/all?start=1&limit=1&after=web01.example.org');
    const feed = (await get('/api/v1/changes?since=start')).json();
    expect(feed).toMatchObject({ next: expect.any(String), more: expect.any(Boolean) });
    expect((await get('/api/v1/changes?since=garbage')).statusCode).toBe(400);
    const next = page._links.next.slice('/muster'.length - path.length);
    expect((await client.service.request({ url: next })).json().results).toHaveLength(1);
  });

  it('keeps a session, apart from those of other installations at that host', async () => {
    client = await AdminClient.start({ BASE_URL });
    const answer = await client.service.request({ ...CREDENTIALS, url: `${path}/admin/api/session` });
    expect(answer.statusCode).toBe(200);
    const cookie = cookieIn(answer);
    expect(cookie).toMatch(/^muster_session-muster=/);
    const session = (of: string) =>
      client.service.request({ url: `${path}/admin/api/session`, headers: { cookie: of } });
    expect((await session(cookie)).json()).toMatchObject({ user: 'root' });
    expect((await session(cookie.replace('-muster=', '-other='))).json()).toBeNull();
  });

  it('lets people in by another system, which leads them back to the page that they wanted', async () => {
    const world = await signInWorld({}, { BASE_URL });
    client = world.client;
    world.people.set('1', { subject: '1', name: 'sue', email: 'sue@example.org', groups: ['staff'], password: '' });
    await world.map({ name: 'Staff', groups: ['staff'], api_roles: ['objects'] });
    const get = (url: string, cookie = '') =>
      client.service.request({ url: `${path}${url}`, user: null, headers: { cookie } });
    const away = await get('/admin/sign-in/portal?to=/muster/admin/hosts');
    expect(away.headers.location).toBe(
      'https://portal.test/?back=https://h.example/muster/admin/sign-in/portal/return',
    );
    const back = await get('/admin/sign-in/portal/return?code=1', cookieIn(away));
    expect(back.headers.location).toBe('/muster/admin/hosts');
    const session = [back.headers['set-cookie'] ?? []].flat().find((text) => text.startsWith('muster_session-muster='));
    const out = await client.service.request({
      url: `${path}/admin/api/session`,
      method: 'DELETE',
      user: null,
      headers: { cookie: session?.split(';')[0] },
    });
    expect(out.json()).toMatchObject({ status: 'logged_out' });
  });

  it('leads nobody elsewhere after a login at another system', async () => {
    client = await AdminClient.start({ BASE_URL });
    const answer = await client.service.request({ url: `${path}/admin/sign-in/unknown?to=/muster//evil.example` });
    expect(answer.headers.location).toBe('/muster/admin');
  });
});

it('answers nothing else below a path that only begins alike', async () => {
  client = await AdminClient.start({ BASE_URL });
  expect((await client.service.request({ url: '/musterroll/healthz' })).statusCode).toBe(404);
  expect((await client.service.request({ url: '/muster/muster/healthz' })).statusCode).toBe(404);
  expect((await client.service.request({ url: '/muster?x' })).headers.location).toBe('/muster/admin');
});

it('answers below no path where the address has none', async () => {
  client = await AdminClient.start({ BASE_URL: 'https://h.example' });
  expect((await client.service.request({ url: '/muster/healthz' })).statusCode).toBe(404);
  expect((await client.service.request({ url: '/' })).headers.location).toBe('/admin');
  expect((await client.service.request({ url: '/openapi.json' })).json().servers).toEqual([
    { url: 'https://h.example' },
  ]);
});

describe('the path of an address', () => {
  it.each(['', 'https://h.example', 'https://h.example/', 'https://h.example/it/muster-2/'])(
    'may be that of %j',
    (url) => {
      expect(configSchema.safeParse({ BASE_URL: url }).success).toBe(true);
    },
  );

  it.each(['/admin', '/api/v1', '/docs/', '//evil.example', '/a"b', '/a;b', '/a%2fb'])('must not be %s', (path) => {
    expect(configSchema.safeParse({ BASE_URL: `https://h.example${path}` }).success).toBe(false);
  });
});
