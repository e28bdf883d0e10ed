import { expect, test } from '../../support/api.ts';

const JSON_LINES = { 'content-type': 'text/plain' };

function rule(name: string, members: object = {}): Record<string, unknown> {
  return {
    name,
    enabled: false,
    condition_typ: 'anyway',
    conditions: [],
    outcomes: [{ attribute_name: 'tested', attribute_value: 'yes' }],
    ...members,
  };
}

function counts(body: { imported: number; duplicate: number; invalid: number }): number[] {
  return [body.imported, body.duplicate, body.invalid];
}

test('rules of a type that was listed come back as they were stored, and go in again unchanged', async ({
  api,
  name,
}) => {
  const { rule_types: types } = (await api.get('/rules/types')).body;
  expect(types).toContain('custom_attributes');
  await api.post('/rules/custom_attributes', rule(name(), { unknown: { 'a.b': [1, null] }, sort_field: 3 }));
  const answer = await api.get('/rules/custom_attributes');
  expect(Object.keys(answer.body)).toEqual(['rule_type', 'rules']);
  expect(answer.body.rule_type).toBe('custom_attributes');
  const stored = answer.body.rules.find((each: { name: string }) => each.name === name());
  expect(stored).toEqual({
    _id: { $oid: expect.stringMatching(/^[0-9a-f]{24}$/) },
    ...rule(name(), { unknown: { 'a.b': [1, null] }, sort_field: 3 }),
  });
  const again = await api.post('/rules/custom_attributes', stored);
  expect([again.status, counts(again.body)]).toEqual([200, [0, 1, 0]]);
  const { body } = await api.get('/rules/custom_attributes');
  expect(body.rules.find((each: { name: string }) => each.name === name())).toEqual(stored);
  expect((await api.get('/rules/unknown')).status).toBe(404);
  expect((await api.post('/rules/unknown', rule(name()))).status).toBe(404);
});

test('one rule or a list is imported, and 201 says that something is new', async ({ api, name }) => {
  const one = await api.post('/rules/custom_attributes', rule(name('-1')));
  expect(one.status).toBe(201);
  expect(one.body).toMatchObject({ rule_type: 'custom_attributes', imported: 1, duplicate: 0, invalid: 0 });
  const list = [rule(name('-1')), rule(name('-2')), { name: name('-3') }];
  const mixed = await api.post('/rules/custom_attributes', list);
  expect([mixed.status, counts(mixed.body)]).toEqual([201, [1, 1, 1]]);
  const none = await api.post('/rules/custom_attributes', list);
  expect([none.status, counts(none.body)]).toEqual([200, [0, 2, 1]]);
});

test('override replaces the rule of the same id or name instead of counting it as a duplicate', async ({
  api,
  name,
}) => {
  const read = async () =>
    (await api.get('/rules/custom_attributes')).body.rules.find((each: { name: string }) => each.name === name());
  await api.post('/rules/custom_attributes', rule(name()));
  const { _id } = await read();
  const posted = await api.post('/rules/custom_attributes?override=1', rule(name(), { sort_field: 1 }));
  expect([posted.status, counts(posted.body)]).toEqual([201, [1, 0, 0]]);
  expect(await read()).toMatchObject({ _id, sort_field: 1 });
  const bundle = { rule_type: 'custom_attributes', rules: [rule(name(), { sort_field: 2 })] };
  expect((await api.post('/rules/import', bundle)).status).toBe(200);
  expect((await read()).sort_field).toBe(1);
  const byQuery = await api.post('/rules/import?override=1', bundle);
  expect([byQuery.status, byQuery.body.total]).toEqual([201, 1]);
  expect((await read()).sort_field).toBe(2);
  const byMember = { override: true, rules: { custom_attributes: [rule(name(), { sort_field: 3 })] } };
  expect((await api.post('/rules/import', byMember)).body.total).toBe(1);
  expect(await read()).toMatchObject({ _id, sort_field: 3 });
});

test('a bundle comes in three forms, and the counts go by type', async ({ api, name }) => {
  const one = await api.post('/rules/import', { rule_type: 'custom_attributes', rules: [rule(name('-1'))] });
  expect([one.status, one.body.imported, one.body.total]).toEqual([201, { custom_attributes: 1 }, 1]);
  const many = await api.post('/rules/import', {
    rules: {
      custom_attributes: [rule(name('-2')), rule(name('-3'))],
      automation_projects: [{ name: name('-project'), enabled: false }],
    },
  });
  expect([many.body.imported, many.body.total]).toEqual([{ custom_attributes: 2, automation_projects: 1 }, 3]);
  const lines = [
    { rule_type: 'automation_projects' },
    { name: name('-other'), enabled: false },
    { rule_type: 'custom_attributes' },
    rule(name('-4')),
  ];
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('\n');
  const typed = await api.post('/rules/import', text, JSON_LINES);
  expect([typed.status, typed.body.imported, typed.body.total]).toEqual([
    201,
    { automation_projects: 1, custom_attributes: 1 },
    2,
  ]);
  const again = await api.post('/rules/import', text, JSON_LINES);
  expect([again.status, again.body.total]).toEqual([200, 0]);
  const cut = await api.post('/rules/import', text.slice(0, -20), JSON_LINES);
  expect([cut.status, cut.body.details[0].path]).toEqual([400, 'line 7']);
});

test('an export has rules and templates, and hosts, accounts, users and passwords when they are asked for', async ({
  api,
  name,
}) => {
  await api.save(name(), 'crm', { a: 1 });
  await api.post('/rules/cmk_passwords', { name: name(), title: 'a title', password: 'in clear once' });
  await api.post('/rules/cmdb_templates', { hostname: name('-template'), labels: {} });
  await api.post('/rules/custom_attributes', rule(name()));
  const plain = (await api.get('/rules/export')).body;
  expect(Object.keys(plain)).toEqual(['exported_at', 'rules']);
  expect(plain.exported_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  expect(plain.rules.custom_attributes).toContainEqual(expect.objectContaining({ name: name() }));
  expect(plain.rules.cmdb_templates).toContainEqual(expect.objectContaining({ hostname: name('-template') }));
  const switches = {
    include_hosts: ['host_objects', { hostname: name() }],
    include_accounts: ['accounts', { name: 'crm' }],
    include_users: ['users', { name: 'root', pwdhash: expect.stringMatching(/^\$argon2id\$/), api_roles: ['all'] }],
    include_passwords: ['cmk_passwords', { name: name(), password_crypted: expect.stringMatching(/^aes256gcm:/) }],
  } as const;
  for (const [key, [type, document]] of Object.entries(switches)) {
    expect(plain.rules, key).not.toHaveProperty(type);
    const { text, body } = await api.get(`/rules/export?${key}=1`);
    expect(body.rules[type], key).toContainEqual(expect.objectContaining(document));
    expect(text).not.toContain('in clear once');
    for (const [, [other]] of Object.entries(switches)) {
      if (other !== type) expect(body.rules, `${key}: ${other}`).not.toHaveProperty(other);
    }
  }
});

test('autorules have run when they are answered', async ({ api, name }) => {
  // An object of its own, because an autorule makes a rule for each one of its kind, and other tests have thousands of hosts.
  const kind = { is_object: true, object_type: 'application' };
  await api.post('/rules/host_objects', { hostname: name(), ...kind, labels: {} });
  const body = JSON.stringify(rule(`${name('-')}{{ HOSTNAME }}`));
  const autorule = { name: name(), rule_type: 'custom_attributes', rule_body: body, object_filter: 'application' };
  expect((await api.post('/rules/syncer_rule_automation', { ...autorule, enabled: true })).body.imported).toBe(1);
  for (const given of [undefined, { debug: true }]) {
    const answer = await api.post('/rules/autorules', given);
    expect([answer.status, answer.body]).toEqual([200, { status: 'ok' }]);
  }
  const { rules } = (await api.get('/rules/custom_attributes')).body;
  expect(rules.filter((each: { name: string }) => each.name === `${name('-')}${name()}`)).toHaveLength(1);
  await api.post('/rules/syncer_rule_automation?override=1', { ...autorule, enabled: false });
});
