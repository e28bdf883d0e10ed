import { expect, test } from '../../support/api.ts';

test('many hosts are saved in one request', async ({ api, name }) => {
  const objects = Array.from({ length: 300 }, (_, index) => ({ hostname: name(`-${index}`), labels: { index } }));
  const answer = await api.post('/objects/bulk', { account: 'crm', objects });
  expect([answer.status, answer.body]).toEqual([200, { status: 'saved 300', 'not-saved': [] }]);
  expect((await api.get(`/objects/${name('-299')}`)).body.labels).toEqual({ index: 299 });
  expect((await api.post('/objects/bulk', { account: 'crm', objects: [] })).body.status).toBe('saved 0');
});

test('a host that cannot be saved does not stop the others', async ({ api, name }) => {
  await api.save(name('-foreign'), 'dcim', { a: 1 });
  const answer = await api.post('/objects/bulk', {
    account: 'crm',
    objects: [
      { hostname: name('-one'), labels: {} },
      { hostname: name('-foreign'), labels: {} },
      { hostname: name('-nested'), labels: { a: { b: 1 } } },
      { hostname: name('-dollar'), labels: { $a: 1 } },
      { hostname: name('/slash'), labels: {} },
      { hostname: name('-two'), labels: {} },
    ],
  });
  expect([answer.status, answer.body]).toEqual([
    200,
    { status: 'saved 2', 'not-saved': [name('-foreign'), name('-nested'), name('-dollar'), name('/slash')] },
  ]);
  expect((await api.get(`/objects/${name('-foreign')}`)).body.labels).toEqual({ a: 1 });
  expect((await api.get(`/objects/${name('-two')}`)).status).toBe(200);
});

test('the last of several items for one host wins', async ({ api, name }) => {
  const objects = [1, 2, 3].map((a) => ({ hostname: name(), labels: { a } }));
  expect((await api.post('/objects/bulk', { account: 'crm', objects })).body.status).toBe('saved 3');
  expect((await api.get(`/objects/${name()}`)).body.labels).toEqual({ a: 3 });
});

test('a malformed item refuses the whole request before anything is written', async ({ api, name }) => {
  const good = { hostname: name(), labels: {} };
  for (const bad of [
    { labels: {} },
    { hostname: 1, labels: {} },
    { hostname: 'x' },
    { hostname: 'x', labels: [] },
    'x',
    null,
  ]) {
    const answer = await api.post('/objects/bulk', { account: 'crm', objects: [good, bad] });
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_input']);
    expect(answer.body.message).toContain('objects.1');
  }
  for (const body of [
    { objects: [good] },
    { account: 'crm' },
    { account: 'none', objects: [good] },
    { account: 'crm', objects: {} },
  ]) {
    expect((await api.post('/objects/bulk', body)).status).toBe(400);
  }
  expect((await api.get(`/objects/${name()}`)).status).toBe(404);
});

test('one inventory section is replaced', async ({ api, name }) => {
  const path = `/objects/${name()}`;
  const write = (key: string, inventory: unknown) => api.post(`${path}/inventory`, { key, inventory });
  expect((await write('hw', {})).status).toBe(404);
  expect((await api.get(path)).status).toBe(404);
  await api.save(name(), 'crm');
  expect((await write('hw', { cpu: { cores: 4 }, 'a.b': [1, { c: null }] })).body).toEqual({ status: 'saved' });
  await write('os', { name: 'linux' });
  await write('hw', { ram: 8 });
  expect((await api.get(path)).body.inventory).toEqual({ hw: { ram: 8 }, os: { name: 'linux' } });
  for (const [key, inventory] of [
    ['$hw', {}],
    ['h.w', {}],
    ['', {}],
    [1, {}],
    ['hw', []],
    ['hw', { $x: 1 }],
    ['hw', { '': 1 }],
  ] as const) {
    expect((await write(key as string, inventory)).status, JSON.stringify([key, inventory])).toBe(400);
  }
  expect((await api.post(`${path}/inventory`, { key: 'hw' })).status).toBe(400);
  expect((await api.get(path)).body.inventory.hw).toEqual({ ram: 8 });
});

test('sections of many hosts are saved, unknown hosts are listed', async ({ api, name }) => {
  await api.save(name('-a'), 'crm');
  const answer = await api.post('/objects/bulk/inventory', {
    inventories: [
      { hostname: name('-a'), key: 'k', inventory: { n: 1 } },
      { hostname: name('-unknown'), key: 'k', inventory: {} },
      { hostname: name('/refused'), key: 'k', inventory: {} },
    ],
  });
  expect([answer.status, answer.body]).toEqual([
    200,
    { status: 'saved 1', 'not-found': [name('-unknown'), name('/refused')] },
  ]);
  expect((await api.get(`/objects/${name('-a')}`)).body.inventory).toEqual({ k: { n: 1 } });
  expect((await api.get(`/objects/${name('-unknown')}`)).status).toBe(404);
});

test('one bad key aborts the whole batch', async ({ api, name }) => {
  await api.save(name(), 'crm');
  const good = { hostname: name(), key: 'k', inventory: { n: 1 } };
  for (const bad of [
    { ...good, key: 'a.b' },
    { ...good, key: '$a' },
    { ...good, inventory: { $a: 1 } },
    { ...good, hostname: 1 },
  ]) {
    const answer = await api.post('/objects/bulk/inventory', { inventories: [good, bad] });
    expect(answer.status).toBe(400);
  }
  expect((await api.get(`/objects/${name()}`)).body.inventory).toEqual({});
});
