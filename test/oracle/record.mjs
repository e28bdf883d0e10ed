// Asks the filled oracle everything that tests of ours compare with, and writes the answers down.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { SetupError, step } from '../../scripts/report.mjs';
import { keep } from './oracle.mjs';
import { requests } from './requests.mjs';

export const password = 'Oracle-pass-1';

function write(folder, name, value) {
  writeFileSync(join(folder, name), `${JSON.stringify(value, null, 1)}\n`);
}

function writePacked(folder, name, text) {
  writeFileSync(join(folder, `${name}.gz`), gzipSync(text, { level: 9 }));
}

/** What the machine decides and not the oracle: how long something took, and the numbers of processes. */
function settled(text) {
  return text
    .replace(/("name": ?"duration",\s*"message": ?)"[^"]*"/g, '$1"0.5"')
    .replace(/\(PID: \d+\)/g, '(PID: 4711)');
}

/** Tokens cost it less than passwords. */
const tokenOf = (user) => `cmdb_pat_oracle-throw-away-token-of-${user}`;

async function ask(server, { user, method = 'GET', path, body, headers = {} }) {
  const response = await fetch(`${server.url}/api/v1${path}`, {
    method,
    headers: {
      ...(user ? { authorization: `Bearer ${tokenOf(user)}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = settled(await response.text());
  let answer;
  try {
    answer = JSON.parse(text);
  } catch {
    answer = text.slice(0, 300);
  }
  return { user, method, path, ...(body === undefined ? {} : { body }), status: response.status, answer };
}

function linesOf(path) {
  const byType = {};
  let type;
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    if (line === '') continue;
    const document = JSON.parse(line);
    const names = Object.keys(document);
    if (names.length === 1 && names[0] === 'rule_type') {
      type = document.rule_type;
      byType[type] = [];
    } else byType[type].push(document);
  }
  return byType;
}

const flags = ['--include-hosts', '--include-accounts', '--include-users', '--include-passwords'];
const query = 'include_hosts=1&include_accounts=1&include_users=1&include_passwords=1';

/** The export by its command. The one over REST must hold the same. */
async function recordExport(oracle, server, folder) {
  // A token notes when it was used last, which would be in the one export and not in the other.
  const headers = { authorization: `Basic ${Buffer.from(`olga:${password}`).toString('base64')}` };
  await oracle.command('rules', 'export_all_rules', 'export.jsonl', ...flags);
  keep(oracle, 'export.jsonl', join(folder, 'export.jsonl'));
  const byCommand = linesOf(join(folder, 'export.jsonl'));
  const { answer } = await ask(server, { path: `/rules/export?${query}`, headers });
  if (JSON.stringify(answer.rules) !== JSON.stringify(byCommand)) {
    throw new SetupError('The exports by command and over REST differ.');
  }
  const plain = await ask(server, { path: '/rules/export', headers });
  const types = await ask(server, { path: '/rules/types', headers });
  write(folder, 'export-facts.json', {
    exported_at: answer.exported_at,
    counts: Object.fromEntries(Object.entries(byCommand).map(([type, documents]) => [type, documents.length])),
    without_flags: Object.keys(plain.answer.rules),
    rule_types: types.answer.rule_types,
  });
}

async function recordInventories(oracle, server, folder, providers) {
  mkdirSync(folder, { recursive: true });
  for (const provider of providers) {
    await oracle.forget();
    const { answer, status } = await ask(server, { user: 'olga', path: `/ansible/inventory/${provider}` });
    if (status !== 200) throw new SetupError(`The inventory of ${provider}: ${status} ${JSON.stringify(answer)}`);
    write(folder, `${provider}.json`, answer);
  }
}

const hostsAsked = [
  'mwdebug2001.codfw.wmnet',
  'mwdebug2002.codfw.wmnet',
  'complete.example.net',
  'archived-0.example.net',
  'planned.example.net',
  'list-one.example.net',
  'application one',
  'nobody.example.net',
];

async function recordSingleHosts(oracle, server, folder, providers) {
  const answers = [];
  for (const provider of [...providers, 'Default', 'sleeping', 'nosuch']) {
    await oracle.forget();
    for (const host of hostsAsked) {
      const path = `/ansible/inventory/${provider}?host=${encodeURIComponent(host)}`;
      answers.push(await ask(server, { user: 'olga', path }));
    }
  }
  write(folder, 'single-hosts.json', answers);
}

async function recordHosts(server, folder) {
  const answers = [];
  for (const host of [...hostsAsked, 'pair-a.example.net', 'dmi01-akron-rtr01', 'tpl-web']) {
    answers.push(await ask(server, { user: 'olga', path: `/objects/${encodeURIComponent(host)}` }));
  }
  for (const path of ['/objects/all', '/objects/all?start=0&limit=3', '/objects/all?start=500&limit=10']) {
    const asked = await ask(server, { user: 'olga', path });
    if (path === '/objects/all') asked.answer.results = asked.answer.results.map(({ hostname }) => hostname);
    answers.push(asked);
  }
  answers.push(await ask(server, { user: 'olga', path: '/objects/complete.example.net/relations' }));
  answers.push(await ask(server, { user: 'olga', path: '/objects/application%20one/relations' }));
  write(folder, 'hosts.json', answers);
}

/** Long answers of many hosts, as the names that they hold. */
function namesOnly(asked) {
  const { answer } = asked;
  if (Array.isArray(answer?.results)) {
    return { ...asked, answer: { ...answer, results: answer.results.map(({ hostname }) => hostname) } };
  }
  if (answer?._meta?.hostvars) {
    return { ...asked, answer: { hosts: answer.all.hosts, hostvars: Object.keys(answer._meta.hostvars) } };
  }
  if (asked.path.startsWith('/rules/export')) {
    const counts = Object.entries(answer.rules ?? {}).map(([type, documents]) => [type, documents.length]);
    return { ...asked, answer: { counts: Object.fromEntries(counts) } };
  }
  if (asked.path.startsWith('/rules/host_objects')) {
    return { ...asked, answer: { hosts: answer.rules?.map(({ hostname }) => hostname) } };
  }
  if (asked.path === '/syncer/logs') return { ...asked, answer: { entries: answer.result?.length > 0 } };
  return asked;
}

const limited = ['olga', 'tess', 'axel', 'bodo', 'lost', 'past', 'rita'];

/** What each user sees and may write. The hosts: one with the template, one with another, one of another account, and so on. */
async function recordScopes(oracle, server, folder) {
  const hosts = [
    'complete.example.net',
    'mw2259.codfw.wmnet',
    'mwdebug2001.codfw.wmnet',
    'archived-0.example.net',
    'dmi01-akron-rtr01',
    'application one',
    'tpl-web',
    'nobody.example.net',
  ];
  const reads = [
    '/objects/all?start=0&limit=1000',
    ...hosts.map((host) => `/objects/${encodeURIComponent(host)}`),
    ...hosts.map((host) => `/objects/${encodeURIComponent(host)}/relations`),
    '/ansible/inventory',
    ...['ansible', 'ages', 'lists', 'cmk_sites'].map((provider) => `/ansible/inventory/${provider}`),
    ...['complete.example.net', 'mwdebug2001.codfw.wmnet', 'list-one.example.net'].map(
      (host) => `/ansible/inventory/lists?host=${host}`,
    ),
    '/syncer/hosts',
    '/syncer/logs',
    '/syncer/eda',
    '/rules/host_objects',
    '/rules/export?include_hosts=1',
  ];
  const answers = [];
  for (const path of reads) {
    // What it remembers is the same for all users, and another thing for each inventory.
    if (path.startsWith('/ansible')) await oracle.forget();
    for (const user of limited) answers.push(namesOnly(await ask(server, { user, path })));
  }
  const writes = (user) => [
    ...hosts.map((host) => ({
      method: 'POST',
      path: `/objects/${encodeURIComponent(host)}/inventory`,
      body: { key: 'probe', inventory: { by: user } },
    })),
    ...hosts.slice(0, 5).map((host) => ({
      method: 'POST',
      path: `/objects/${host}`,
      body: { account: 'csv', labels: { site: 'codfw', cluster: 'jobrunner', by: user } },
    })),
    {
      method: 'POST',
      path: `/objects/new-of-${user}.example.net`,
      body: { account: 'csv', labels: { site: 'codfw' } },
    },
    { method: 'GET', path: `/objects/new-of-${user}.example.net` },
    { method: 'POST', path: '/objects/other.example.net', body: { account: 'json', labels: {} } },
    {
      method: 'POST',
      path: '/objects/bulk',
      body: { account: 'csv', objects: hosts.slice(0, 5).map((hostname) => ({ hostname, labels: { bulk: user } })) },
    },
    {
      method: 'POST',
      path: '/objects/bulk/inventory',
      body: { inventories: hosts.map((hostname) => ({ hostname, key: 'bulk', inventory: { by: user } })) },
    },
    ...['mwdebug2001.codfw.wmnet', 'mw2259.codfw.wmnet', 'application one'].map((target) => ({
      method: 'POST',
      path: '/objects/complete.example.net/relations',
      body: { type: 'connects_to', target, source: user },
    })),
    { method: 'DELETE', path: '/objects/mwdebug2002.codfw.wmnet' },
    { method: 'DELETE', path: `/objects/new-of-${user}.example.net` },
  ];
  for (const user of limited.toReversed()) {
    for (const request of writes(user)) answers.push(namesOnly(await ask(server, { user, ...request })));
  }
  for (const account of ['imports only', 'inventories only', 'off', 'no such account', 'with everything']) {
    const body = { account, labels: { a: 'b' } };
    answers.push(await ask(server, { user: 'olga', method: 'POST', path: '/objects/restricted.example.net', body }));
  }
  write(folder, 'scopes.json', answers);
}

async function recordLogins(server, folder) {
  const basic = (text) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });
  const token = tokenOf('toni');
  const ways = {
    'name and password': basic(`olga:${password}`),
    'e-mail and password': basic(`olga@example.net:${password}`),
    'wrong password': basic('olga:wrong'),
    'unknown user': basic(`nobody:${password}`),
    'disabled user': basic(`dora:${password}`),
    'second factor': basic(`tina:${password}`),
    'no password of his own': basic('from-ldap:'),
    'x-login-user': { 'x-login-user': `olga:${password}` },
    'x-login-user, e-mail': { 'x-login-user': `olga@example.net:${password}` },
    'x-login-user without a colon': { 'x-login-user': 'olga' },
    'bearer token': { authorization: `Bearer ${token}` },
    'token without the word': { authorization: token },
    'x-login-token': { 'x-login-token': token },
    'expired token': { authorization: 'Bearer cmdb_pat_oracle-expired-token-of-toni' },
    'unknown token': { authorization: 'Bearer cmdb_pat_unknown' },
    'token of another kind': { authorization: 'Bearer something' },
    nothing: {},
  };
  const answers = [];
  for (const [way, headers] of Object.entries(ways)) {
    const { status, answer } = await ask(server, { path: '/rules/types', headers });
    answers.push({ way, headers, status, ...(status === 200 ? {} : { answer }) });
  }
  for (const role of ['all', 'ansible', 'mcp', 'objects', 'rules', 'syncer', 'metrics']) {
    for (const path of ['/objects/all?limit=1', '/rules/types', '/syncer/hosts', '/ansible/inventory']) {
      const { status } = await ask(server, { user: `only-${role}`, path });
      answers.push({ role, path, status });
      // Only refusals count towards its limit of 30 a minute: 17 of them come from here, and 9 from above.
    }
  }
  write(folder, 'logins.json', answers);
}

/** Runs what a cron job would, and asks for the log as a monitoring check does. */
async function recordLog(oracle, server, folder) {
  for (const words of [
    ['cron', 'run_jobs'],
    ['csv', 'import_hosts', 'csv'],
    ['csv', 'inventorize_hosts', 'imports only'],
    ['json', 'import_hosts', 'json'],
    ['sys', 'mark_stale', 'csv'],
    ['sys', 'maintenance', '365'],
    ['rules', 'create_rules'],
    ['ansible', 'update_cache'],
    ['checkmk', 'export_hosts', 'off'],
  ]) {
    await oracle.run('command.py', words, { mayFail: true });
  }
  const logs = await ask(server, { user: 'olga', path: '/syncer/logs' });
  const sources = [...new Set(logs.answer.result.map(({ source }) => source))].sort();
  const answers = [logs];
  for (const source of [...sources, 'csv_import', 'cmk_host_sync', 'nosuch']) {
    answers.push(await ask(server, { user: 'olga', path: `/syncer/services/${encodeURIComponent(source)}` }));
  }
  answers.push(await ask(server, { user: 'olga', path: '/syncer/cron/' }));
  answers.push(await ask(server, { user: 'olga', path: '/syncer/hosts' }));
  write(folder, 'syncer.json', answers);
}

const providers = ['ansible', 'ages', 'lists', 'bare', 'strict', 'cmk_sites'];

export async function recordEverything(oracle, folder, { later }) {
  mkdirSync(folder, { recursive: true });
  // Two hosts that were rendered before, as in every installation: their documents hold a cache.
  for (const host of ['mwdebug2001.codfw.wmnet', 'complete.example.net']) {
    await oracle.command('ansible', 'inventory', 'ansible', `--host=${host}`);
  }
  const server = await oracle.serve();
  await step('Exporting', () => recordExport(oracle, server, folder));
  await step('Asking for inventories', async () => {
    await recordInventories(oracle, server, join(folder, 'inventories'), providers);
    await recordSingleHosts(oracle, server, folder, providers);
    await oracle.forget();
    const { output } = await oracle.command('ansible', 'inventory', 'lists', '--list');
    const byCommand = JSON.stringify(JSON.parse(output.slice(output.indexOf('{"_meta"'))));
    const byRest = JSON.stringify(JSON.parse(readFileSync(join(folder, 'inventories/lists.json'), 'utf8')));
    if (byCommand !== byRest) throw new SetupError('The inventories by command and over REST differ.');
    const other = await oracle.serve({ at: later });
    await recordInventories(oracle, other, join(folder, 'inventories-three-days-later'), ['ages']);
    await other.stop();
  });
  await step('Asking for hosts', () => recordHosts(server, folder));
  await step('Logging in', () => recordLogins(server, folder));
  await step('Asking as users with a scope', () => recordScopes(oracle, server, folder));
  await step('Running jobs and reading the log', () => recordLog(oracle, server, folder));
  await server.stop();
}

/** What its own tests and documentation ask for, sent to a fresh installation in this order. */
export async function recordRequests(oracle, folder) {
  mkdirSync(folder, { recursive: true });
  const server = await oracle.serve();
  await step('Asking what its tests and documentation ask', async () => {
    const answers = [];
    for (const { from, method, path, headers, body } of requests) {
      if (path.includes('/inventory/')) await oracle.forget();
      const { status, answer } = await ask(server, { method, path, headers, body });
      const sent = { from, method, path, headers, ...(body === undefined ? {} : { body }) };
      answers.push(brief({ ...sent, status, answer }));
    }
    write(folder, 'requests.json', answers);
  });
  await server.stop();
}

/** A host of a CSV file with an empty cell, after its own import. */
export async function recordGaps(oracle, folder) {
  const csv = 'host,site,owner\ngap.example.net,codfw,\n';
  writeFileSync(join(oracle.home, 'child.csv'), csv);
  await oracle.command('csv', 'import_hosts', 'child of csv');
  const server = await oracle.serve();
  const { answer } = await ask(server, { user: 'olga', path: '/objects/gap.example.net' });
  write(folder, 'empty-cell.json', { account: 'child of csv', csv, host: answer });
  await server.stop();
}

/** The newest entry of a log is enough to see its form. */
function brief(asked) {
  const { answer, path } = asked;
  if (path !== '/syncer/logs') return namesOnly(asked);
  return answer.result === undefined ? asked : { ...asked, answer: { result: answer.result.slice(0, 1) } };
}

const thousandProviders = [
  ...['ansible', 'network', 'ages', 'lists'],
  ...['operators', 'names', 'rewriting', 'showing', 'texts', 'decided'],
];

/** A thousand hosts and two hundred rules: large, and so packed. */
export async function recordThousand(oracle, folder) {
  mkdirSync(folder, { recursive: true });
  await step('Exporting', async () => {
    await oracle.command('rules', 'export_all_rules', 'export.jsonl', ...flags);
    writePacked(folder, 'export.jsonl', readFileSync(join(oracle.home, 'export.jsonl')));
  });
  await step('Asking what would be fired', async () => {
    const { output } = await oracle.run('fires.py', []);
    writePacked(folder, 'fires.json', output.slice(output.lastIndexOf('\n[[') + 1).trim());
  });
  const server = await oracle.serve();
  await step('Asking for inventories', async () => {
    for (const provider of thousandProviders) {
      await oracle.forget();
      const { answer, status } = await ask(server, { user: 'olga', path: `/ansible/inventory/${provider}` });
      if (status !== 200) throw new SetupError(`The inventory of ${provider}: ${status} ${JSON.stringify(answer)}`);
      writePacked(folder, `${provider}.json`, JSON.stringify(answer));
    }
  });
  await server.stop();
}
