import { expect, test } from '../../support/api.ts';

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

test('a host is created, read and updated as a whole', async ({ api, name }) => {
  const path = `/objects/${name()}`;
  expect((await api.get(path)).status).toBe(404);
  const created = await api.post(path, { account: 'crm', labels: { os: 'linux', cpus: 4, tags: ['a', 'b'] } });
  expect([created.status, created.body]).toEqual([200, { status: 'saved' }]);
  const read = await api.get(path);
  expect([read.status, read.body]).toEqual([
    200,
    {
      hostname: name(),
      labels: { os: 'linux', cpus: 4, tags: ['a', 'b'] },
      inventory: {},
      last_seen: expect.stringMatching(ISO),
      last_update: expect.stringMatching(ISO),
    },
  ]);
  await api.save(name(), 'crm', { site: 'north' });
  expect((await api.get(path)).body.labels).toEqual({ site: 'north' });
  await api.save(name(), 'crm', {});
  expect((await api.get(path)).body.labels).toEqual({});
});

test('account and labels are required, and the account must exist and be enabled', async ({ api, name, service }) => {
  const path = `/objects/${name()}`;
  await service.place.done(['account', 'add', name('-off'), '--type', 'api', '--disabled']);
  for (const body of [
    { labels: {} },
    { account: 'crm' },
    { account: 'nobody', labels: {} },
    { account: name('-off'), labels: {} },
    { account: 'crm', labels: { a: { b: 1 } } },
    { account: 'crm', labels: { $a: 1 } },
    { account: 'crm', labels: { '': 1 } },
  ]) {
    expect((await api.post(path, body)).status, JSON.stringify(body)).toBe(400);
  }
  expect((await api.post(path, { account: 'crm', labels: { nested: { b: 1 } } })).body.message).toContain('nested');
  expect((await api.get(path)).status).toBe(404);
});

test('a host of another account is left alone', async ({ api, name }) => {
  const path = `/objects/${name()}`;
  await api.save(name(), 'crm', { a: 1 });
  const before = await api.get(path);
  const refused = await api.post(path, { account: 'dcim', labels: { a: 2 } });
  expect(refused.status).toBe(403);
  expect(refused.body).toMatchObject({ status: 'account_conflict', code: 'account_conflict' });
  expect((await api.get(path)).body).toEqual(before.body);
});

test('there is no PUT', async ({ api, name }) => {
  const answer = await api.send('PUT', `/objects/${name()}`, { account: 'crm', labels: {} });
  expect([answer.status, answer.headers.allow]).toEqual([405, 'DELETE, GET, HEAD, POST']);
});

test('last_seen moves with every label write, last_update only with a change', async ({ api, name }) => {
  const path = `/objects/${name()}`;
  const times = async () => {
    const { last_seen, last_update } = (await api.get(path)).body;
    return { seen: last_seen as string, update: last_update as string };
  };
  const pause = () => new Promise((resolve) => setTimeout(resolve, 1100));
  await api.save(name(), 'crm', { a: 1, b: 2 });
  const first = await times();
  await pause();
  await api.save(name(), 'crm', { b: 2, a: 1 });
  const same = await times();
  expect(same.seen > first.seen).toBe(true);
  expect(same.update).toBe(first.update);
  await pause();
  await api.save(name(), 'crm', { a: '1', b: 2 });
  const changed = await times();
  expect(changed.update > first.update).toBe(true);
  await pause();
  await api.post(`${path}/inventory`, { key: 'k', inventory: { a: 1 } });
  const section = await times();
  expect(section.seen).toBe(changed.seen);
  expect(section.update > changed.update).toBe(true);
  await pause();
  await api.post(`${path}/inventory`, { key: 'k', inventory: { a: 1 } });
  expect(await times()).toEqual(section);
});

test('a deleted host is archived, unknown everywhere, and comes back with the next write of its account', async ({
  api,
  name,
}) => {
  const path = `/objects/${name()}`;
  await api.save(name(), 'crm', { a: 1 });
  await api.post(`${path}/inventory`, { key: 'k', inventory: { kept: true } });
  const deleted = await api.delete(path);
  expect([deleted.status, deleted.body]).toEqual([200, { status: 'deleted' }]);
  expect((await api.get(path)).status).toBe(404);
  expect((await api.delete(path)).status).toBe(404);
  expect((await api.post(`${path}/inventory`, { key: 'k', inventory: {} })).status).toBe(404);
  expect((await api.get(`${path}/relations`)).status).toBe(404);
  expect((await api.get(`/inventory/automation/automation?host=${name()}`)).status).toBe(404);
  const foreign = await api.post(path, { account: 'dcim', labels: {} });
  expect([foreign.status, foreign.body.status]).toEqual([403, 'account_conflict']);
  expect((await api.get(path)).status).toBe(404);
  await api.save(name(), 'crm', { a: 2 });
  expect((await api.get(path)).body).toMatchObject({ labels: { a: 2 }, inventory: { k: { kept: true } } });
});

test('what an operator archived only an operator brings back', async ({ api, name, service }) => {
  const path = `/objects/${name()}`;
  await api.save(name(), 'crm', { a: 1 });
  await service.place.done(['host', 'archive', name()]);
  await expect.poll(async () => (await api.get(path)).status, { timeout: 2000 }).toBe(404);
  const refused = await api.post(path, { account: 'crm', labels: {} });
  expect([refused.status, refused.body]).toEqual([409, expect.objectContaining({ status: 'archived' })]);
  const bulk = await api.post('/objects/bulk', { account: 'crm', objects: [{ hostname: name(), labels: {} }] });
  expect(bulk.body).toEqual({ status: 'saved 0', 'not-saved': [name()] });
  await service.place.done(['host', 'restore', name()]);
  await expect.poll(async () => (await api.get(path)).status, { timeout: 2000 }).toBe(200);
});

test('changes by a command are seen within a second', async ({ api, name, service }) => {
  await api.save(name(), 'crm');
  expect((await api.get(`/objects/${name()}`)).status).toBe(200);
  await service.place.done(['host', 'archive', name()]);
  await expect.poll(async () => (await api.get(`/objects/${name()}`)).status, { timeout: 1000 }).toBe(404);
});

test('labels come back as they went in', async ({ api, name }) => {
  const labels = {
    'app.kubernetes.io/name': 'x',
    'dash-ed': 'y',
    quotes: `"'\\`,
    markup: '<script>{{ 7*7 }}</script>',
    empty: '',
    none: null,
    yes: true,
    float: 1.5,
    list: ['a', 1, null, false],
    emoji: '🙂 日本 ü',
    control: '\u0000\u0007\n\t',
    large: 'x'.repeat(1_000_000),
    constructor: 'c',
    'a where $ is not first': 'z',
  };
  await api.save(name(), 'crm', labels);
  expect((await api.get(`/objects/${name()}`)).body.labels).toEqual(labels);
  const page = await api.post(`/objects/${name('-proto')}`, '{"account":"crm","labels":{"__proto__":"p"}}');
  expect(page.status).toBe(200);
  expect((await api.get(`/objects/${name('-proto')}`)).text).toContain('"labels":{"__proto__":"p"}');
});

test('hostnames are kept as they are, apart from white space around them', async ({ api, name }) => {
  for (const hostname of [
    name('.Upper.example'),
    name(' inner'),
    name('%41'),
    name('\'"\\'),
    name('ü日🙂'),
    name(';a=b&c'),
  ]) {
    await api.save(` ${hostname} `, 'crm');
    const answer = await api.get(`/objects/${encodeURIComponent(hostname)}`);
    expect([answer.status, answer.body.hostname]).toEqual([200, hostname]);
  }
  expect((await api.get(`/objects/${name('.upper.example')}`)).status).toBe(404);
  for (const bad of ['%20', `${name()}%2Fx`, `${name()}%00`, 'x'.repeat(254)]) {
    expect((await api.post(`/objects/${bad}`, { account: 'crm', labels: {} })).status).toBe(400);
  }
});

test('a history tells what changed and by whom', async ({ api, name }) => {
  await api.save(name(), 'crm', { a: 1 });
  await api.save(name(), 'crm', { a: 2 });
  const { changes } = (await api.get(`/objects/${name()}/history`)).body;
  expect(changes[0]).toMatchObject({ by: 'user:root', time: expect.stringMatching(ISO) });
  expect(JSON.stringify(changes[0])).toContain('"before":1,"after":2');
});

test('a host that no import ever saw has neither time', async ({ api, name }) => {
  const document = { hostname: name(), account: 'crm', labels: { a: 1 } };
  expect((await api.post('/rules/host_objects', document)).body.imported).toBe(1);
  const { body } = await api.get(`/objects/${name()}`);
  expect(body).toEqual({ hostname: name(), labels: { a: 1 }, inventory: {}, last_seen: false, last_update: false });
});
