import { expect, it } from 'vitest';
import { startHttpService } from './http-service.ts';

it('works', async () => {
  const s = await startHttpService();
  const out = [];
  for (const r of [
    { method: 'POST', url: '/api/v1/objects/a%2Fb', payload: { account: 'crm', labels: { os: 'linux' } } },
    { method: 'POST', url: '/api/v1/objects/web1', payload: { account: 'crm', labels: { os: 'linux' } } },
    { method: 'GET', url: '/api/v1/objects/web1' },
    { method: 'HEAD', url: '/api/v1/objects/web1' },
    { method: 'GET', url: '/api/v1/objects/all?start=0' },
    { method: 'HEAD', url: '/api/v1/objects/all?start=0' },
    { method: 'GET', url: '/api/v1/objects/' },
    { method: 'GET', url: '/api/v1/objects/%zz' },
    { method: 'GET', url: '/api/v1/objects/%zz', user: null },
    { method: 'DELETE', url: '/api/v1/objects/all' },
    { method: 'PUT', url: '/api/v1/objects/web1' },
    { method: 'GET', url: '/api/v1/nope', user: null },
    { method: 'GET', url: '/nope', user: null },
    { method: 'GET', url: '/api/v1/inventory/automation' },
    { method: 'GET', url: '/api/v1/inventory/automation/automation' },
    { method: 'GET', url: '/api/v1/rules/types' },
    { method: 'GET', url: '/readyz', user: null },
    { method: 'GET', url: '/metrics', user: null },
    { method: 'GET', url: '/api/v1/objects/web1/relations', user: null },
    { method: 'GET', url: '/api/v1/syncer/hosts' },
    { method: 'GET', url: '/openapi.json' },
  ] as const) {
    const a = await s.request(r as never);
    out.push(`${r.method} ${r.url} -> ${a.statusCode} ${JSON.stringify(a.headers)} ${a.body.slice(0, 300)}`);
  }
  console.log(out.join('\n'));
  console.log(s.log.filter((l) => l.level === 'error'));
  await s.stop();
  expect(1).toBe(1);
});
