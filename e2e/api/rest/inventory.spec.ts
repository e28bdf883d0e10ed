import { expect, test } from '../../support/api.ts';

test('providers are listed, and each gives its inventory and that of one host, as its command does', async ({
  api,
  name,
  service,
}) => {
  await api.save(name(), 'crm', { os: 'linux' });
  await api.post('/rules/automation_projects', { name: name('-project'), enabled: true });
  await api.post('/rules/automation_customvars', {
    name: name(),
    enabled: true,
    project: name('-project'),
    condition_typ: 'anyway',
    conditions: [],
    outcomes: [{ attribute_name: 'of_project', attribute_value: '{{ os }}' }],
  });
  const { providers } = (await api.get('/inventory/automation')).body;
  expect(providers).toEqual(expect.arrayContaining(['automation', 'cmk_sites', name('-project')]));
  const list = await service.place.done(['inventory-providers']);
  expect(list.trim().split('\n')).toEqual(providers);
  for (const provider of ['automation', 'cmk_sites', name('-project')]) {
    const whole = await api.get(`/inventory/automation/${provider}`);
    expect(whole.status).toBe(200);
    expect(whole.body.all.hosts).toEqual(Object.keys(whole.body._meta.hostvars).sort());
    const one = await api.get(`/inventory/automation/${provider}?host=${name()}`);
    if (provider === 'cmk_sites') {
      expect(one.status).toBe(404);
      continue;
    }
    expect(one.body).toEqual(whole.body._meta.hostvars[name()]);
    expect(one.body.of_project).toBe(provider === 'automation' ? undefined : 'linux');
  }
  const project = `/inventory/automation/${name('-project')}`;
  for (const [path, option] of [
    [project, '--list'],
    [`${project}?host=${name()}`, `--host=${name()}`],
  ] as const) {
    const printed = await service.place.done(['inventory', name('-project'), option]);
    expect(printed.trim()).toBe((await api.get(path)).text.trim());
  }
  expect((await api.get('/inventory/automation/unknown')).status).toBe(404);
  expect((await api.get(`/inventory/automation/automation?host=${name('-unknown')}`)).status).toBe(404);
});
