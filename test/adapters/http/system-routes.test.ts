import { afterEach, describe, expect, it } from 'vitest';
import { localOperator } from '../../../src/app/kernel/caller.ts';
import { runDoctor } from '../../../src/app/maintenance/operations/run-doctor.ts';
import type { Finding } from '../../../src/app/maintenance/upkeep-parts.ts';
import { AppError } from '../../../src/ports/index.ts';
import { type HttpService, startHttpService } from './http-service.ts';

const REMOTE = '192.0.2.7';
let service: HttpService;

afterEach(() => service.stop());

describe('health', () => {
  it('is open to all', async () => {
    service = await startHttpService();
    const alive = await service.request({ url: '/healthz', user: null, remoteAddress: REMOTE });
    expect([alive.statusCode, alive.json()]).toEqual([200, { status: 'alive' }]);
    const ready = await service.request({ url: '/readyz', user: null, remoteAddress: REMOTE });
    expect([ready.statusCode, ready.json()]).toEqual([200, { status: 'ready', writable: true, broken_plugins: [] }]);
  });

  it('names broken plugins', async () => {
    service = await startHttpService({ config: { PLUGINS: ['./no-such-plugin'] } });
    const ready = await service.request({ url: '/readyz', user: null });
    expect([ready.statusCode, ready.json().broken_plugins]).toEqual([200, ['./no-such-plugin']]);
  });

  it.each([
    ['is full', () => Promise.reject(new AppError('unavailable', 'The disk of db.internal is full.'))],
    ['is read-only', () => Promise.reject(new AppError('failed', 'db.internal cannot be written'))],
    ['breaks', () => Promise.reject(new Error('db.internal'))],
  ])('says so and answers reads when the storage %s', async (_what, useOnce) => {
    service = await startHttpService({
      storage: (storage) => ({ ...storage, access: { ...storage.access, useOnce } }),
      config: { ALLOW_INSECURE_API_AUTH: true },
    });
    const get = (url: string) => service.request({ url, user: null });
    const ready = await get('/readyz');
    expect([ready.statusCode, ready.json()]).toEqual([200, { status: 'ready', writable: false, broken_plugins: [] }]);
    const writing = await get('/readyz?write=1');
    expect(writing.statusCode).toBe(503);
    expect(writing.json()).toMatchObject({ status: 'unavailable', writable: false, code: 'unavailable' });
    expect(writing.body).not.toContain('db.internal');
    expect((await get('/metrics')).body).toContain('\nmuster_store_writable 0\n');
    const caller = localOperator({ name: 'test', path: 'test', requestId: 'test' });
    const doctor = await service.executor.value(runDoctor, { kind: 'value', value: {} }, caller);
    const storage = (doctor as { findings: Finding[] }).findings.find(({ check }) => check === 'storage');
    expect(storage).toMatchObject({ ok: false, message: expect.stringContaining('not written') });
  });

  it('is asked whether it can be written, too', async () => {
    service = await startHttpService();
    expect((await service.request({ url: '/readyz?write=1', user: null })).statusCode).toBe(200);
    const { body } = await service.request({ url: '/metrics', user: null });
    expect(body).toContain('\nmuster_store_writable 1\n');
    expect(body).toMatch(/\nmuster_build_info\{version="0\.0\.0",node_version="v\d+/);
    for (const name of ['audit_forwarding_oldest_waiting_seconds', 'tokens_ending', 'documents_waiting']) {
      expect(body).toContain(`\nmuster_${name} 0\n`);
    }
  });

  it.each([
    ['says no', () => Promise.resolve({ ok: false, message: 'no route to db.internal' })],
    ['fails', () => Promise.reject(new Error('db.internal'))],
  ])('is 503 when the storage %s', async (_what, health) => {
    service = await startHttpService({ storage: (storage) => ({ ...storage, health }) });
    const ready = await service.request({ url: '/readyz', user: null });
    expect(ready.statusCode).toBe(503);
    expect(ready.headers['retry-after']).toBeDefined();
    expect(ready.json()).toMatchObject({ status: 'unavailable', code: 'unavailable', message: expect.any(String) });
    expect(ready.body).not.toContain('db.internal');
  });
});

describe('metrics', () => {
  it('are for this machine and for users with the role', async () => {
    service = await startHttpService({ config: { ALLOW_INSECURE_API_AUTH: true } });
    await service.addUser('watcher', { api_roles: ['metrics'] });
    await service.addUser('other', { api_roles: ['objects'] });
    const read = (user: string | null, remoteAddress = REMOTE) =>
      service.request({ url: '/metrics', user, remoteAddress });
    expect((await read(null, '127.0.0.1')).statusCode).toBe(200);
    expect((await read(null)).statusCode).toBe(401);
    expect((await read('other')).statusCode).toBe(401);
    expect((await read('watcher')).statusCode).toBe(200);
  });

  it('count by route and status, never by path', async () => {
    service = await startHttpService();
    await service.request({ url: '/api/v1/objects/some-host' });
    await service.request({ url: '/some/unknown/path', user: null });
    const { body, headers } = await service.request({ url: '/metrics', user: null });
    expect(headers['content-type']).toMatch(/^text\/plain/);
    expect(body).toContain('_count{method="GET",route="/api/v1/objects/:hostname",status="404"} 1');
    expect(body).toContain('_count{method="GET",route="unknown",status="404"} 1');
    expect(body).not.toContain('some-host');
  });
});

describe('the page of the REST interface', () => {
  it('is one page without scripts or foreign parts', async () => {
    service = await startHttpService({ config: { CMDB_MODE: true } });
    const { body, headers, statusCode } = await service.request({
      url: '/docs/openapi',
      user: null,
      remoteAddress: REMOTE,
    });
    expect(statusCode).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-[^']+';/);
    expect(body).not.toMatch(/<script|<link|<img|src=|\son\w+=|style="/);
    for (const path of ['/api/v1/objects/{hostname}', '/api/v1/objects/{hostname}/relations', '/api/v1/rules/import']) {
      expect(body).toContain(`<code>${path}</code>`);
    }
  });
});
