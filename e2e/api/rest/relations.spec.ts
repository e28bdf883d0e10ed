import { type Api, expect, test } from '../../support/api.ts';

async function hosts(api: Api, name: (suffix: string) => string): Promise<[string, string]> {
  await api.save(name('-a'), 'crm');
  await api.save(name('-b'), 'crm');
  return [name('-a'), name('-b')];
}

const LABELS = {
  depends_on: ['Depends on', 'Required by'],
  runs_on: ['Runs on', 'Hosts'],
  member_of: ['Member of', 'Contains'],
  parent_of: ['Parent of', 'Child of'],
  connects_to: ['Connects to', 'Reachable from'],
} as const;

test('an edge of each type shows at both ends, with the words of its direction', async ({ api, name }) => {
  const [a, b] = await hosts(api, name);
  for (const type of Object.keys(LABELS)) {
    const added = await api.post(`/objects/${a}/relations`, { type, target: b });
    expect([added.status, added.body]).toEqual([200, { status: 'added' }]);
  }
  const from = (await api.get(`/objects/${a}/relations`)).body;
  const to = (await api.get(`/objects/${b}/relations`)).body;
  expect([from.hostname, from.inbound, to.outgoing]).toEqual([a, [], []]);
  for (const [type, [outgoing, inbound]] of Object.entries(LABELS)) {
    expect(from.outgoing).toContainEqual({ type, type_label: outgoing, target: b, source: 'manual' });
    expect(to.inbound).toContainEqual({ type, type_label: inbound, target: a, source: 'manual' });
  }
});

test('an edge is added once, keeps its first source and is removed once', async ({ api, name }) => {
  const [a, b] = await hosts(api, name);
  const path = `/objects/${a}/relations`;
  const edge = { type: 'depends_on', target: b };
  expect((await api.post(path, { ...edge, source: 'netbox' })).body).toEqual({ status: 'added' });
  expect((await api.post(path, { ...edge, source: 'other' })).body).toEqual({ status: 'unchanged' });
  expect((await api.get(path)).body.outgoing).toEqual([{ ...edge, type_label: 'Depends on', source: 'netbox' }]);
  expect((await api.delete(path, { type: 'runs_on', target: b })).body).toEqual({ status: 'unchanged' });
  expect((await api.delete(path, { ...edge, source: 'ignored' })).body).toEqual({ status: 'removed' });
  expect((await api.delete(path, edge)).body).toEqual({ status: 'unchanged' });
  expect((await api.get(path)).body.outgoing).toEqual([]);
});

test('what cannot be an edge is refused', async ({ api, name }) => {
  const [a, b] = await hosts(api, name);
  const path = `/objects/${a}/relations`;
  for (const body of [
    { type: 'likes', target: b },
    { type: 'runs_on', target: a },
    { type: 'runs_on' },
    { target: b },
    {},
  ]) {
    expect((await api.post(path, body)).status, JSON.stringify(body)).toBe(400);
  }
  expect((await api.delete(path, { type: 'likes', target: b })).status).toBe(400);
  expect((await api.delete(path, { type: 'runs_on', target: a })).body).toEqual({ status: 'unchanged' });
  const unknown = `/objects/${name('-none')}/relations`;
  expect((await api.get(unknown)).status).toBe(404);
  for (const method of ['POST', 'DELETE']) {
    expect((await api.send(method, unknown, { type: 'runs_on', target: b })).status).toBe(404);
    expect((await api.send(method, path, { type: 'runs_on', target: name('-none') })).status).toBe(404);
  }
});

test('archiving either end hides an edge, a return shows it again', async ({ api, name }) => {
  const [a, b] = await hosts(api, name);
  await api.post(`/objects/${a}/relations`, { type: 'runs_on', target: b });
  await api.delete(`/objects/${b}`);
  expect((await api.get(`/objects/${a}/relations`)).body.outgoing).toEqual([]);
  await api.save(b, 'crm');
  expect((await api.get(`/objects/${a}/relations`)).body.outgoing).toHaveLength(1);
  await api.delete(`/objects/${a}`);
  expect((await api.get(`/objects/${b}/relations`)).body.inbound).toEqual([]);
});

test('edges to hosts out of scope are hidden', async ({ api, as, name }) => {
  const scoped = await as('scoped');
  await api.save(name('-mine'), 'crm');
  await api.save(name('-theirs'), 'dcim');
  await api.post(`/objects/${name('-mine')}/relations`, { type: 'runs_on', target: name('-theirs') });
  await api.post(`/objects/${name('-theirs')}/relations`, { type: 'depends_on', target: name('-mine') });
  expect((await scoped.get(`/objects/${name('-mine')}/relations`)).body).toMatchObject({ outgoing: [], inbound: [] });
  expect((await scoped.get(`/objects/${name('-theirs')}/relations`)).status).toBe(404);
  const edge = { type: 'connects_to', target: name('-theirs') };
  const foreign = await scoped.post(`/objects/${name('-mine')}/relations`, edge);
  const unknown = await scoped.post(`/objects/${name('-mine')}/relations`, { ...edge, target: name('-unknown') });
  expect([foreign.status, unknown.status]).toEqual([404, 404]);
  expect(foreign.text.replaceAll('-theirs', '-unknown')).toBe(unknown.text);
});
