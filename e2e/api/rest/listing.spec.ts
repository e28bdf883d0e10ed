import { type Api, expect, test } from '../../support/api.ts';

/** User pager sees account pages only, so what other tests write does not show. */
const HOSTS = Array.from({ length: 25 }, (_, index) => `page-${String(index).padStart(2, '0')}`);

async function fill(api: Api): Promise<void> {
  const objects = HOSTS.map((hostname) => ({ hostname, labels: { hostname } }));
  const answer = await api.post('/objects/bulk', { account: 'pages', objects });
  expect(answer.body.status).toBe('saved 25');
}

function names(body: { results: { hostname: string }[] }): string[] {
  return body.results.map((host) => host.hostname);
}

test.describe('the listing', () => {
  test('begins at the second host and shows a hundred unless asked otherwise', async ({ as }) => {
    const api = await as('pager');
    await fill(api);
    const { status, body } = await api.get('/objects/all');
    expect(status).toBe(200);
    expect(body).toMatchObject({ start: 1, limit: 100, size: 25, _links: { prev: expect.any(String) } });
    expect(body._links.next).toBeUndefined();
    expect(names(body)).toEqual(HOSTS.slice(1));
    expect(body.results[0]).toEqual((await api.get('/objects/page-01')).body);
  });

  test('is walked by its links, both ways', async ({ as }) => {
    const api = await as('pager');
    await fill(api);
    const seen: string[] = [];
    let path: string | undefined = '/objects/all?start=0&limit=10';
    let last = '';
    while (path !== undefined) {
      const { body }: { body: { results: { hostname: string }[]; _links: { next?: string; prev?: string } } } =
        await api.get(path);
      if (seen.length === 0) expect(body._links.prev).toBeUndefined();
      seen.push(...names(body));
      last = body._links.prev ?? last;
      path = body._links.next;
    }
    expect(seen).toEqual(HOSTS);
    expect(names((await api.get(last)).body)).toEqual(HOSTS.slice(10, 20));
    expect((await api.get('/objects/all?start=3&limit=10')).body._links.prev).toContain('start=0');
  });

  test('has edges that are pages too', async ({ as }) => {
    const api = await as('pager');
    await fill(api);
    const none = (await api.get('/objects/all?start=0&limit=0')).body;
    expect(none).toMatchObject({ results: [], limit: 0, size: 25 });
    const beyond = (await api.get('/objects/all?start=1000')).body;
    expect(beyond).toMatchObject({ results: [], size: 25 });
    expect(beyond._links.next).toBeUndefined();
    expect((await api.get('/objects/all?limit=10000')).status).toBe(200);
    for (const query of ['limit=10001', 'start=-1', 'limit=-1', 'start=x', 'limit=x', 'start=1.5']) {
      expect((await api.get(`/objects/all?${query}`)).status, query).toBe(400);
    }
  });

  test('has no archived hosts and no objects', async ({ as, service }) => {
    const api = await as('pager');
    await fill(api);
    await api.delete('/objects/page-00');
    const { body } = await api.get('/objects/all?start=0');
    expect([body.size, names(body)]).toEqual([24, HOSTS.slice(1)]);
    const { place } = service;
    await place.muster(['account', 'add', 'things', '--type', 'api', '--object']);
    const root = await as('root');
    await root.save('thing-1', 'things', {});
    const all = (await root.get('/objects/all?start=0&limit=10000')).body;
    expect(names(all)).not.toContain('thing-1');
    expect((await root.get('/syncer/hosts')).body.num_objects).toBe(1);
  });
});
