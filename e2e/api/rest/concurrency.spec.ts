import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { Api, basic, expect, PASSWORD, test } from '../../support/api.ts';
import { RunningService } from '../../support/running-service.ts';

test('fifty writers of one host all succeed and the last state is one of theirs', async ({ api, name }) => {
  const path = `/objects/${name()}`;
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, writer) => api.post(path, { account: 'crm', labels: { writer, twice: writer } })),
  );
  expect(answers.map((answer) => answer.status)).toEqual(Array(50).fill(200));
  const { labels } = (await api.get(path)).body;
  expect(labels.writer).toBe(labels.twice);
});

test('of two accounts racing for new hosts each host has one owner', async ({ api, name }) => {
  for (let round = 0; round < 20; round++) {
    const host = name(`-${round}`);
    const answers = await Promise.all(
      ['crm', 'dcim', 'crm', 'dcim'].map((account) => api.post(`/objects/${host}`, { account, labels: { account } })),
    );
    const owner = (await api.get(`/objects/${host}`)).body.labels.account;
    expect(answers.map((answer) => answer.status)).toEqual(
      ['crm', 'dcim', 'crm', 'dcim'].map((account) => (account === owner ? 200 : 403)),
    );
  }
});

test('bulk against bulk loses nothing', async ({ api, name }) => {
  const hosts = Array.from({ length: 200 }, (_, index) => name(`-${index}`));
  const bulk = (account: string, hostnames: string[]) =>
    api.post('/objects/bulk', { account, objects: hostnames.map((hostname) => ({ hostname, labels: { account } })) });
  const [first, second] = await Promise.all([bulk('crm', hosts), bulk('dcim', [...hosts].reverse())]);
  expect([first?.status, second?.status]).toEqual([200, 200]);
  const refused = new Set([...first.body['not-saved'], ...second.body['not-saved']]);
  expect(refused.size).toBe(200);
  for (const host of [hosts[0], hosts[199]]) {
    const owner = (await api.get(`/objects/${host}`)).body.labels.account;
    expect((owner === 'crm' ? second : first).body['not-saved']).toContain(host);
  }
});

test('what was acknowledged survives a killed process', async ({ freshPlace }) => {
  const place = await freshPlace();
  const first = await RunningService.start(place);
  const acknowledged: string[] = [];
  let killed = false;
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    const api = await Api.open(first.url, basic('root', PASSWORD));
    for (let count = 0; !killed; count++) {
      const host = `kill-${writer}-${count}`;
      try {
        if ((await api.post(`/objects/${host}`, { account: 'crm', labels: { count } })).status === 200)
          acknowledged.push(host);
      } catch {
        break;
      }
    }
    await api.close();
  });
  await expect.poll(() => acknowledged.length, { timeout: 30_000 }).toBeGreaterThan(50);
  await first.kill();
  killed = true;
  await Promise.all(writers);
  const second = await RunningService.start(place);
  const api = await Api.open(second.url, basic('root', PASSWORD));
  const stored = new Set<string>();
  let path: string | undefined = '/objects/all?start=0&limit=10000';
  while (path !== undefined) {
    const { body }: { body: { results: { hostname: string }[]; _links: { next?: string } } } = await api.get(path);
    for (const host of body.results) stored.add(host.hostname);
    path = body._links.next;
  }
  expect(acknowledged.filter((host) => !stored.has(host))).toEqual([]);
  await api.close();
  await second.stop();
});

test('requests under way are finished when the service stops', async ({ freshPlace }) => {
  const place = await freshPlace();
  const running = await RunningService.start(place);
  // Not more than a slow machine with a slow store writes in the time that a service gives requests when it stops.
  const objects = Array.from({ length: 500 }, (_, index) => ({ hostname: `stop-${index}`, labels: { index } }));
  const upload = request(`${running.url}/api/v1/objects/bulk`, {
    method: 'POST',
    headers: { ...basic('root', PASSWORD), 'content-type': 'application/json', expect: '100-continue' },
  });
  upload.flushHeaders();
  // The service knows of the request, and wants its body.
  await once(upload, 'continue');
  const stopped = running.stop();
  const answered = once(upload, 'response');
  upload.end(JSON.stringify({ account: 'crm', objects }));
  const [answer] = (await answered) as [IncomingMessage];
  expect(await json(answer)).toEqual({ status: 'saved 500', 'not-saved': [] });
  expect(await stopped).toBe(0);
});
