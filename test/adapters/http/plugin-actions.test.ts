import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ROOT } from '../../architecture/source-files.ts';
import { type HttpService, PASSWORD, startHttpService } from './http-service.ts';

const KEY = 'k3y-of-the-register';

let service: HttpService;
beforeEach(async () => {
  service = await startHttpService({
    admin: true,
    remote: true,
    config: {
      PLUGINS: [join(ROOT, 'test/fixtures/plugins/acting.mjs')],
      PLUGIN_OPTIONS: { acting: { key: KEY } },
    },
  });
  await service.addAccount('dc');
  await service.addUser('reader', { api_roles: ['objects'], readonly: true });
  await service.addUser('author', { api_roles: ['rules'] });
  await service.addUser('scoped', { api_roles: ['objects'], restrict_to_accounts: ['dc'] });
});
afterEach(() => service.stop());

const get = (action: string, user = 'root') =>
  service.request({ method: 'GET', url: `/api/v1/plugins/acting/${action}`, user });
const post = (action: string, payload: object = {}, user = 'root') =>
  service.request({ method: 'POST', url: `/api/v1/plugins/acting/${action}`, payload, user });

describe('actions of plugins over HTTP', () => {
  it('take query parameters where they read, and answer as who asks', async () => {
    const answer = await get('echo?name=web02', 'reader');
    expect([answer.statusCode, answer.json()]).toEqual([200, { said: 'reader asks for web02' }]);
  });

  it('take a body where they write, act with the rights of who asks, and are audited with what they did', async () => {
    expect((await post('add', { name: 'web02' })).json()).toEqual({ said: 'added' });
    expect((await service.request({ method: 'GET', url: '/api/v1/objects/web02' })).json().labels).toEqual({
      by: 'acting',
    });
    await service.services.audit.close();
    const audited = (await service.storage.audit.latest({ limit: 100 })).map(({ actor, operation }) => [
      actor,
      operation,
    ]);
    expect(audited).toContainEqual(['root', 'plugin.acting/add']);
    expect(audited).toContainEqual(['root', 'hosts/save-host']);
  });

  it('are refused like every operation: role, read-only, restriction', async () => {
    expect((await get('echo', 'author')).statusCode).toBe(401);
    expect((await post('add', {}, 'reader')).statusCode).toBe(403);
    expect((await get('for-admins', 'reader')).statusCode).toBe(401);
    expect((await get('for-admins')).statusCode).toBe(200);
    expect((await get('across', 'scoped')).statusCode).toBe(403);
    expect((await get('echo', 'scoped')).statusCode).toBe(200);
    // The account is none of this user's.
    expect((await post('add', { name: 'web03' }, 'scoped')).statusCode).toBe(403);
    expect((await service.request({ method: 'GET', url: '/api/v1/objects/web03' })).statusCode).toBe(404);
  });

  it('that read change nothing, whatever they try', async () => {
    const answer = await get('reach');
    expect([answer.statusCode, answer.json().code]).toEqual([403, 'forbidden']);
    expect((await service.request({ method: 'GET', url: '/api/v1/objects/web01' })).statusCode).toBe(404);
  });

  it('that answer nonsense or fail are named, without the secrets of their plugin', async () => {
    expect((await get('wrong')).json().message).toMatch(/plugin acting: action wrong failed: .*not what it promises/);
    const broken = await get('broken');
    expect(broken.json().message).toMatch(/plugin acting: action broken failed: the key .* is refused/);
    expect(broken.body + JSON.stringify(service.log)).not.toContain(KEY);
  });

  it('are where they say, and nowhere else', async () => {
    expect((await get('hidden')).statusCode).toBe(404);
    expect((await get('nosuch')).statusCode).toBe(404);
    const { paths } = (await service.request({ method: 'GET', url: '/openapi.json' })).json();
    expect(paths['/api/v1/plugins/acting/echo'].get.parameters).toMatchObject([{ name: 'name', in: 'query' }]);
    const remote = await service.request({
      method: 'POST',
      url: '/api/operations/plugin.acting/hidden',
      payload: {},
      headers: { 'content-type': 'application/json' },
    });
    expect([remote.statusCode, remote.json()]).toEqual([200, { said: 'root asks for web01' }]);
    const listed = await service.request({ method: 'GET', url: '/api/v1/plugins', user: 'reader' });
    expect(listed.json().actions).toContainEqual({
      plugin: 'acting',
      action: 'echo',
      title: 'echo',
      description: 'Does echo.',
      effect: 'read',
      endpoint: 'GET /api/v1/plugins/acting/echo',
      command: true,
      tool: 'plugin_acting_echo',
    });
    expect(JSON.stringify(listed.json())).not.toMatch(/"add"|for-admins/);
  });

  it('of a plugin that is left out since say so', async () => {
    service.services.plugins.fail('acting', 'it held a thread');
    const answer = await get('echo');
    expect([answer.statusCode, answer.json().code]).toEqual([503, 'unavailable']);
  });
});

describe('pages of plugins', () => {
  const same = { 'sec-fetch-site': 'same-origin', host: 'localhost' };

  async function logIn(name: string): Promise<string> {
    const answer = await service.request({
      method: 'POST',
      url: '/admin/api/session',
      payload: { name, password: PASSWORD },
      headers: same,
      user: null,
    });
    return String(answer.headers['set-cookie']).split(';')[0] ?? '';
  }

  const page = (cookie: string, path = 'acting/board') =>
    service.request({
      method: 'GET',
      url: `/admin/plugin-pages/${path}?theme=dark`,
      headers: { ...same, cookie },
      user: null,
    });

  it('stand in an origin of their own, with a way to their actions and to nothing else', async () => {
    const answer = await page(await logIn('reader'));
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toContain('<title>Board &amp; more</title>');
    expect(answer.body).toContain('<p id="board">here</p>');
    expect(answer.body).toContain('"user":"reader","theme":"dark"');
    const policy = String(answer.headers['content-security-policy']);
    expect(policy).toContain('sandbox allow-scripts allow-forms;');
    expect(policy).not.toContain('allow-same-origin');
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/connect-src|https?:/);
  });

  it('are for who is logged in and has the role', async () => {
    expect((await page('')).statusCode).toBe(401);
    expect((await page(await logIn('author'))).statusCode).toBe(404);
    expect((await page(await logIn('reader'), 'acting/nosuch')).statusCode).toBe(404);
    const session = async (name: string) =>
      (
        await service.request({
          method: 'GET',
          url: '/admin/api/session',
          headers: { ...same, cookie: await logIn(name) },
          user: null,
        })
      ).json().plugin_pages;
    expect(await session('reader')).toEqual([{ plugin: 'acting', page: 'board', title: 'Board & more' }]);
    expect(await session('author')).toEqual([]);
  });
});
