import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publishedFiles } from '../../../src/app/exports/published-files.ts';
import { type HttpService, startHttpService } from './http-service.ts';

const TEXT = '[\n{"targets":["web1:9100"],"labels":{}}\n]\n';

describe('GET /api/v1/published', () => {
  let service: HttpService;
  beforeAll(async () => {
    service = await startHttpService();
    await service.addAccount('out');
    const account = await service.services.accounts.byName('out');
    const contentType = 'application/json; charset=utf-8';
    await publishedFiles(service.storage.published, account?.id ?? '', { now: () => new Date() }).replace([
      { name: 'targets.json', contentType, text: TEXT },
      { name: 'by-site/a b.json', contentType, text: '[]' },
      { name: '.notes', contentType, text: 'x' },
    ]);
  });
  afterAll(() => service.stop());

  const get = (path: string, more: object = {}) =>
    service.request({ method: 'GET', url: `/api/v1/published/${path}`, ...more });

  it('answers a file with its type and tag, and 304 to whoever has it', async () => {
    const answer = await get('out/targets.json');
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toBe(TEXT);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.headers['cache-control']).toBe('private, no-cache');
    const { etag } = answer.headers;
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
    const again = await get('out/targets.json', { headers: { 'if-none-match': String(etag) } });
    expect([again.statusCode, again.body]).toEqual([304, '']);
    const other = await get('out/targets.json', { headers: { 'if-none-match': '"other"' } });
    expect(other.statusCode).toBe(200);
  });

  it('keeps in the audit log who read a file: the first time, and then how often', async () => {
    for (let n = 0; n < 3; n++) await get('out/targets.json');
    await service.services.audit.settled();
    const kept = await service.storage.audit.latest({ limit: 100, operation: 'exports/read-published' });
    expect(kept).toMatchObject([{ actor: 'root', subject: 'out/targets.json', details: 'may show secrets' }]);
  });

  it('answers HEAD without a body', async () => {
    const answer = await get('out/targets.json', { method: 'HEAD' });
    expect([answer.statusCode, answer.body]).toEqual([200, '']);
    expect(answer.headers.etag).toBe((await get('out/targets.json')).headers.etag);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it('takes names with slashes, written as %2F', async () => {
    expect((await get('out/by-site%2Fa%20b.json')).body).toBe('[]');
    expect((await get('out')).json().files.map((file: { name: string }) => file.name)).toEqual([
      'by-site/a b.json',
      'targets.json',
    ]);
  });

  it('knows no other files and accounts', async () => {
    for (const path of ['out/none', 'out/.notes', 'nowhere/targets.json', 'out/..%2Fout%2Ftargets.json']) {
      expect((await get(path)).statusCode, path).toBe(404);
    }
  });

  it('is for the role automation, and for users who reach all hosts', async () => {
    await service.addUser('prom', { api_roles: ['automation'], readonly: true });
    await service.addUser('other', { api_roles: ['objects'] });
    await service.addUser('scoped', { api_roles: ['automation'], restrict_to_accounts: ['out'] });
    expect((await get('out/targets.json', { user: 'prom' })).statusCode).toBe(200);
    expect((await get('out/targets.json', { user: 'other' })).statusCode).toBe(401);
    expect((await get('out/targets.json', { user: 'scoped' })).statusCode).toBe(403);
    expect((await get('out/targets.json', { user: null })).statusCode).toBe(401);
  });
});
