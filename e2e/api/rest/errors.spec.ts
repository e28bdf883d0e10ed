import { expect, test } from '../../support/api.ts';

test('every error says what is wrong, in one shape, under a request id', async ({ api, anonymous, name }) => {
  const host = `/objects/${name()}`;
  const cases: [number, Promise<{ status: number; body: unknown; headers: Readonly<Record<string, string>> }>][] = [
    [400, api.post(host, '{')],
    [400, api.post(host, '')],
    [400, api.post(host, '[]')],
    [400, api.post(host, '['.repeat(100_000))],
    [400, api.get('/api/v1/objects/%zz')],
    [401, anonymous.get('/api/v1/unknown')],
    [404, api.get('/api/v1/unknown')],
    [404, api.get('/unknown')],
    [404, api.get(host)],
    [404, api.get('/rules/unknown')],
    [404, api.get('/syncer/services/unknown')],
    [404, api.get('/inventory/automation/unknown')],
    [405, api.send('PATCH', host)],
    [413, api.post(host, 'x'.repeat(9 * 1024 * 1024))],
    [415, api.post(host, '{}', { 'content-type': 'text/csv' })],
  ];
  for (const [status, pending] of cases) {
    const answer = await pending;
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ message: expect.stringMatching(/\w/), code: expect.stringMatching(/^\w+$/) });
    expect(answer.headers['x-request-id']).toMatch(/\S/);
    expect(answer.headers['content-type']).toContain('application/json');
  }
});

test('a large body of a small operation is read without holding up others', async ({ api, name }) => {
  await api.save(name(), 'crm');
  const labels = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`label${index}`, 'x'.repeat(900)]));
  let slowest = 0;
  let done = false;
  const reads = (async () => {
    while (!done) {
      const began = performance.now();
      await api.get(`/objects/${name()}`);
      slowest = Math.max(slowest, performance.now() - began);
    }
  })();
  for (let count = 0; count < 5; count++) await api.save(name('-large'), 'crm', { ...labels, count });
  done = true;
  await reads;
  expect((await api.get(`/objects/${name('-large')}`)).body.labels.label1999).toHaveLength(900);
  expect(slowest).toBeLessThan(1000);
});

test('the service says how it is and what it offers', async ({ anonymous }) => {
  expect((await anonymous.get('/healthz')).body).toEqual({ status: 'alive' });
  expect((await anonymous.get('/readyz')).body).toEqual({ status: 'ready', writable: true, broken_plugins: [] });
  expect((await anonymous.get('/openapi.json')).body.openapi).toBe('3.1.0');
  expect((await anonymous.get('/docs/openapi')).text).toContain('/api/v1/objects/{hostname}');
  const metrics = (await anonymous.get('/metrics')).text;
  expect(metrics).toContain('muster_http_request_duration_seconds_bucket');
  expect(metrics).toContain('muster_nodejs_eventloop_lag_seconds');
  expect(metrics).toContain('muster_process_resident_memory_bytes');
});
