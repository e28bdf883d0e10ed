// Requests to the REST interface of the oracle that its own tests and documentation make, over hosts of its world `everything`.
// They are sent in this order, each once; what they write is seen by those after them.

const password = 'Oracle-pass-1';
const basic = (name, secret = password) => ({
  authorization: `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`,
});
const bearer = (user) => ({ authorization: `Bearer cmdb_pat_oracle-throw-away-token-of-${user}` });

/** Hosts of the world: of the account `csv`, of `json`, with the template `tpl-web`. */
const ofCsv = 'mwdebug2001.codfw.wmnet';
const ofJson = 'dmi01-akron-rtr01';
const templated = 'mw2259.codfw.wmnet';

const get = (path, user = 'olga') => ({ path, headers: bearer(user) });
const send = (method, path, body, user = 'olga') => ({ method, path, headers: bearer(user), body });
const post = (path, body, user) => send('POST', path, body, user);
const rule = (name, more = {}) => ({
  name,
  enabled: false,
  condition_typ: 'anyway',
  conditions: [],
  outcomes: [{ attribute_name: 'probe', attribute_value: 'yes' }],
  sort_field: 1,
  last_match: false,
  ...more,
});
const lines = (...documents) => documents.map((document) => JSON.stringify(document)).join('\n');
const text = (path, body, type = 'text/plain') => ({
  method: 'POST',
  path,
  headers: { ...bearer('olga'), 'content-type': type },
  body,
});

/** By the class of its tests. */
const ofTests = {
  APIAuthTest: [
    { path: '/syncer/hosts' },
    { path: '/syncer/hosts', headers: { 'x-login-user': 'no-colon' } },
    { path: '/syncer/hosts', headers: basic('nobody') },
    { path: '/syncer/hosts', headers: basic('olga') },
    { path: '/syncer/hosts', headers: { 'x-login-user': `olga:${password}` } },
    { path: '/syncer/hosts', headers: basic('olga', 'wrong') },
    get('/objects/some-host', 'only-syncer'),
    get('/syncer/logs', 'page-host'),
    get('/syncer/hosts', 'only-syncer'),
  ],
  ApiTokenAuthTest: [
    { path: '/syncer/hosts', headers: bearer('olga') },
    { path: '/syncer/hosts', headers: { authorization: 'cmdb_pat_oracle-throw-away-token-of-olga' } },
    { path: '/syncer/hosts', headers: { 'x-login-token': 'cmdb_pat_oracle-throw-away-token-of-olga' } },
    { path: '/syncer/hosts', headers: { authorization: 'Bearer cmdb_pat_bad' } },
    get('/syncer/hosts', 'only-objects'),
    get(`/objects/${ofJson}`, 'axel'),
  ],
  SyncerAPITest: [
    post('/syncer/cron/trigger/nightly', undefined, 'page-host'),
    get('/syncer/logs'),
    get('/syncer/services/API'),
    get('/syncer/services/unknown'),
    get('/syncer/cron/'),
    post('/syncer/cron/', { job_name: 'nightly', run_once_next: true }),
    post('/syncer/cron/', { job_name: 'missing', run_once_next: false }),
    post('/syncer/cron/', { job_name: 'nightly' }),
    get('/syncer/hosts'),
  ],
  SyncerEdaAPITest: [
    get('/syncer/eda?account=eda&min_sends=5&limit=10'),
    get('/syncer/eda'),
    get('/syncer/eda?min_sends=0'),
    get('/syncer/eda', 'only-syncer'),
  ],
  APIReadOnlyUserTest: [
    get('/syncer/hosts', 'rita'),
    post('/objects/web01', { account: 'from_api', labels: { env: 'prod' } }, 'rita'),
    send('DELETE', '/objects/web01', undefined, 'rita'),
    post('/objects/web01', { account: 'from_api', labels: { env: 'prod' } }),
  ],
  ObjectsAPITest: [
    get(`/objects/${templated}`),
    get('/objects/complete.example.net'),
    get('/objects/gone'),
    get('/objects/web01'),
    post('/objects/web01', { account: 'from_api', labels: { env: 'prod', rack: '7' } }),
    post('/objects/web02', { account: 'missing', labels: {} }),
    post('/objects/web02', { account: 'from_api', labels: { '': 'x' } }),
    post('/objects/web02', { account: 'from_api', labels: { '   ': 'x' } }),
    post('/objects/web02', { account: 'from_api', labels: { $bad: 'x' } }),
    post('/objects/web02', { labels: {} }),
    post('/objects/web02', { account: 'from_api' }),
    post('/objects/bulk', { account: 'from_api', objects: [{ hostname: 'a', labels: { $bad: 'x' } }] }),
    post('/objects/bulk', {
      account: 'from_api',
      objects: [
        { hostname: 'a', labels: { env: 'prod' } },
        { hostname: ofJson, labels: { env: 'dev' } },
      ],
    }),
    send('DELETE', '/objects/a'),
    send('DELETE', '/objects/gone'),
    post('/objects/web01/inventory', { key: '', inventory: { cpu: 8 } }),
    post('/objects/web01/inventory', { key: '$bad', inventory: { cpu: 8 } }),
    post('/objects/web01/inventory', { key: 'facts', inventory: { cpu: 8 } }),
    post('/objects/new-host/inventory', { key: 'facts', inventory: { cpu: 8 } }),
    post('/objects/bad%20host/inventory', { key: 'facts', inventory: { cpu: 8 } }),
    post('/objects/bulk/inventory', {
      inventories: [
        { hostname: 'web01', key: 'facts', inventory: { cpu: 1 } },
        { hostname: 'b', key: '$bad', inventory: { cpu: 2 } },
      ],
    }),
    post('/objects/bulk/inventory', { inventories: [{ hostname: 'web01', key: '', inventory: { cpu: 1 } }] }),
    post('/objects/bulk/inventory', {
      inventories: [
        { hostname: 'web01', key: 'facts', inventory: { cpu: 1 } },
        { hostname: templated, key: 'facts', inventory: { cpu: 2 } },
      ],
    }),
    post('/objects/bulk/inventory', {
      inventories: [
        { hostname: 'web01', key: 'facts', inventory: { cpu: 1 } },
        { hostname: 'missing', key: 'facts', inventory: { cpu: 2 } },
      ],
    }),
    get('/objects/all?start=0&limit=2'),
    get('/objects/all?start=x'),
    get('/objects/all?limit=x'),
    get('/objects/all?limit=-1'),
    get('/objects/all?start=-5'),
    get('/objects/all?limit=10001'),
    get('/objects/all?start=0&limit=1000'),
  ],
  ObjectsAPIScopingTest: [
    get(`/objects/${ofCsv}`, 'axel'),
    post(`/objects/${ofCsv}`, { account: 'json', labels: {} }, 'axel'),
    post(`/objects/${ofJson}`, { account: 'csv', labels: {} }, 'axel'),
    send('DELETE', `/objects/${ofJson}`, undefined, 'axel'),
    post(`/objects/${ofJson}/inventory`, { key: 'checkmk', inventory: { a: 1 } }, 'axel'),
    get('/objects/all?start=0&limit=1000', 'axel'),
    get(`/objects/${templated}`, 'tess'),
    get(`/objects/${ofCsv}`, 'tess'),
    get('/objects/site-a.example.net', 'tess'),
    post(`/objects/${ofCsv}`, { account: 'csv', labels: { a: 'b' } }, 'tess'),
    get('/objects/all?start=0&limit=1000', 'tess'),
  ],
  SyncerAPIScopingTest: [get('/syncer/hosts', 'axel'), get('/syncer/hosts', 'tess')],
};

/** By the page or, of the REST interface, by the group of its own description. */
const ofDocumentation = {
  'internal_restapi/index': [
    { path: '/syncer/logs', headers: basic('olga') },
    { path: '/syncer/logs', headers: { 'x-login-user': `olga:${password}` } },
    { path: '/swagger.json' },
  ],
  'basics/monitoring': [get('/syncer/services/CSV'), get('/syncer/cron')],
  'ansible/inventory_providers': [
    get('/inventory/ansible', 'only-ansible'),
    get('/inventory/ansible/ansible', 'only-ansible'),
    get(`/inventory/ansible/ansible?host=${ofCsv}`, 'only-ansible'),
    get('/ansible/inventory', 'only-ansible'),
    get('/ansible/inventory/strict', 'only-ansible'),
    get('/ansible/inventory/unknown', 'only-ansible'),
    get(`/ansible/inventory/strict?host=${templated}`, 'only-ansible'),
    get('/ansible/inventory/strict?host=gone', 'only-ansible'),
    get('/ansible/inventory/cmk_sites', 'only-ansible'),
  ],
  'basics/cron': [
    {
      method: 'POST',
      path: '/syncer/cron/trigger/missing',
      headers: { 'x-webhook-token': 'throw-away webhook token' },
    },
    {
      method: 'POST',
      path: '/syncer/cron/trigger/with%20everything',
      headers: { 'x-webhook-token': 'throw-away webhook token' },
    },
    { method: 'POST', path: '/syncer/cron/trigger/with%20everything', headers: { 'x-webhook-token': 'wrong' } },
    {
      method: 'POST',
      path: '/syncer/cron/trigger/nightly',
      headers: { 'x-webhook-token': 'throw-away webhook token' },
    },
    { method: 'POST', path: '/syncer/cron/trigger/with%20everything' },
    post('/syncer/cron/trigger/with%20everything', undefined, 'only-syncer'),
    post('/syncer/cron/trigger/nightly', undefined, 'only-syncer'),
    post('/syncer/cron/trigger/all%20of%20CSV', undefined, 'only-syncer'),
  ],
  'cmdb/index': [
    get('/objects/web01/relations'),
    post('/objects/web01/relations', { type: 'depends_on', target: templated }),
    post('/objects/web01/relations', { type: 'depends_on', target: templated }),
    post('/objects/web01/relations', { type: 'likes', target: templated }),
    post('/objects/web01/relations', { type: 'depends_on', target: 'web01' }),
    post('/objects/web01/relations', { type: 'depends_on', target: 'gone' }),
    get(`/objects/${templated}/relations`),
    send('DELETE', '/objects/web01/relations', { type: 'depends_on', target: templated }),
    send('DELETE', '/objects/web01/relations', { type: 'depends_on', target: templated }),
  ],
  rules: [
    get('/rules/types'),
    get('/rules/ansible_projects'),
    get('/rules/nosuch'),
    post('/rules/ansible_customvars', rule('probe one')),
    post('/rules/ansible_customvars', [rule('probe one'), rule('probe two')]),
    post('/rules/ansible_customvars?override=1', rule('probe one', { sort_field: 2 })),
    post('/rules/ansible_customvars', rule('probe three', { sort_field: 'no number' })),
    post('/rules/ansible_customvars', ['no object']),
    post('/rules/nosuch', rule('probe')),
    {
      method: 'POST',
      path: '/rules/ansible_customvars',
      headers: { ...bearer('olga'), 'content-type': 'application/json' },
      body: '{',
    },
    get('/rules/export'),
    get('/rules/export?include_hosts=1&include_accounts=1&include_users=1&include_passwords=1'),
    post('/rules/import', { rule_type: 'ansible_customvars', rules: [rule('probe four')] }),
    post('/rules/import', { rules: { ansible_customvars: [rule('probe five')], ansible_filter: [] } }),
    post('/rules/import', { override: true, rules: { ansible_customvars: [rule('probe five')] } }),
    text('/rules/import', lines({ rule_type: 'ansible_customvars' }, rule('probe six'), rule('probe six'))),
    text('/rules/import', `${lines({ rule_type: 'ansible_customvars' }, rule('probe seven'))}\n{"cut`),
    // What `curl --data-binary @rules.jsonl` sends when it is told nothing else.
    text(
      '/rules/import',
      lines({ rule_type: 'ansible_customvars' }, rule('probe eight')),
      'application/x-www-form-urlencoded',
    ),
    post('/rules/import', { rules: { nosuch: [rule('probe')] } }),
    post('/rules/autorules', {}),
    post('/rules/autorules', { debug: true }),
  ],
};

const from = (source, groups) =>
  Object.entries(groups).flatMap(([group, requests]) =>
    requests.map(({ method = 'GET', path, headers = {}, body }) => ({
      from: `${source} ${group}`,
      method,
      path,
      headers,
      ...(body === undefined ? {} : { body }),
    })),
  );

export const requests = [...from('test', ofTests), ...from('page', ofDocumentation)];
