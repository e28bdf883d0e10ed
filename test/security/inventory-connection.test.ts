import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { explainHost } from '../../src/app/explain/operations/explain-host.ts';
import { saveHost } from '../../src/app/hosts/operations/save-host.ts';
import { renderInventory } from '../../src/app/inventory/operations/render-inventory.ts';
import { localOperator } from '../../src/app/kernel/caller.ts';
import { runDoctor } from '../../src/app/maintenance/operations/run-doctor.ts';
import { runPlaybook } from '../../src/app/playbooks/operations/run-playbook.ts';
import { importRules } from '../../src/app/rules/operations/import-rules.ts';
import { createToken } from '../../src/app/users/operations/create-token.ts';
import type { OpenedStorage } from '../../src/testing/harness.ts';
import { type HttpService, startHttpService } from '../adapters/http/http-service.ts';
import { createStorage as mongodb } from '../adapters/mongodb/harness.ts';
import { createSqlite } from '../adapters/sqlite/sqlite-harness.ts';
import { OperationsApp } from '../app/operations/operations-app.ts';
import { FakeRunner } from '../app/playbooks/fake-runner.ts';
import { pythonProgram } from '../support/python-environment.ts';
import { runPython } from './support/ansible.ts';
import { callerWith } from './support/callers.ts';

type Variables = Readonly<Record<string, unknown>>;

const PROVIDER = '/api/v1/inventory/automation';
const always = { enabled: true, condition_typ: 'anyway' };
const rule = (name: string, outcomes: readonly object[], more: object = {}) => ({ name, ...always, outcomes, ...more });
const set = (attribute_name: string, attribute_value: unknown, more: object = {}) => ({
  attribute_name,
  attribute_value,
  ...more,
});

/** Every label by which a controller would run something, or reach another machine by other means. */
const STEERING = {
  ansible_connection: 'local',
  ansible_python_interpreter: '/tmp/x',
  ansible_perl_interpreter: '/tmp/x',
  ansible_ssh_common_args: '-o ProxyCommand=x',
  ansible_ssh_executable: '/tmp/x',
  ansible_ssh_host: 'x',
  ansible_become: true,
  ansible_become_exe: '/tmp/x',
  ansible_become_password: 'x',
  ansible_shell_executable: '/tmp/x',
  ansible_winrm_kinit_cmd: '/tmp/x',
  ansible_facts: { python: '/tmp/x' },
  ansible_docker_extra_args: 'x',
  ansible_anything_that_comes_tomorrow: 'x',
  _ansible_ansiballz_debugpy_config: { host: 'x' },
  "delegated_vars['ansible_host']": '-oProxyCommand=x',
  "delegated_vars['ansible_ssh_host']": '-oProxyCommand=x',
};
const PLACES = {
  ansible_host: '192.0.2.1',
  ansible_port: 2222,
  ansible_user: 'deploy',
  ansible_network_os: 'cisco.ios',
};
const NO_PLACES: readonly (readonly [keyof typeof PLACES, unknown])[] = [
  ['ansible_host', '-oProxyCommand=touch X'],
  ['ansible_host', 'a b'],
  ['ansible_host', '$(touch X)'],
  ['ansible_host', 'a\n-oProxyCommand=x'],
  ['ansible_host', ['a']],
  ['ansible_host', ''],
  ['ansible_port', '22 -o ProxyCommand=x'],
  ['ansible_port', 0],
  ['ansible_port', 65_536],
  ['ansible_port', true],
  ['ansible_user', '-oProxyCommand=touch X'],
  ['ansible_user', 'root" -oProxyCommand="x'],
  ['ansible_user', 'a`id`'],
  ['ansible_network_os', '../../x'],
  ['ansible_network_os', 'a.b-c'],
];

/** What stands for Ansible in a document, names as a consumer sees them. */
function steering(variables: Variables): string[] {
  return Object.keys(variables).filter(
    (name) => /ansible_/.test(name) && name !== 'ansible_groups' && !name.includes('__ansible_os'),
  );
}

describe('data does not say how Ansible connects', () => {
  let folder: string;
  let service: HttpService;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'muster-connection-'));
    await writeFile(
      join(folder, 'foreign.mjs'),
      `const hostvars = ${JSON.stringify({ evil: { ...STEERING, ...PLACES } })};
export default { id: 'foreign', apiVersion: 1, register(host) {
  host.inventoryProvider('foreign', () => ({
    full: () => ({ _meta: { hostvars }, all: { hosts: ['evil'], vars: { ansible_connection: 'local' } },
      group: { hosts: ['evil'], vars: { ansible_connection: 'local' } } }),
    host: (hostname) => hostvars[hostname] ?? false,
  }));
} };`,
    );
    service = await startHttpService({ config: { PLUGINS: [join(folder, 'foreign.mjs')] } });
    await service.addUser('author', { api_roles: ['rules'] });
    await save('evil', {
      ...withoutObjects(STEERING),
      ...PLACES,
      names: "['ansible_connection', 'ansible_ssh_executable']",
      one: 'ansible_connection',
    });
    await service.request({
      method: 'POST',
      url: '/api/v1/objects/evil/inventory',
      payload: { key: 'ansible_ssh', inventory: { executable: '/tmp/x' } },
    });
    await post('author', {
      automation_projects: [{ name: 'lab', enabled: true }],
      cmdb_templates: [{ hostname: 't', cmdb_match: 'template:yes', labels: { ansible_connection: 'local' } }],
      custom_attributes: [rule('attributes', [set('ansible_connection', 'local')])],
      automation_rewrite: [
        rule('names', [
          { old_attribute_name: 'names', overwrite_name: 'convert_list', new_attribute_name: '{{ result }}' },
        ]),
        rule('one', [{ old_attribute_name: 'one', overwrite_name: 'jinja', new_attribute_name: '{{ one }}' }]),
        rule('literal', [
          {
            old_attribute_name: 'x',
            overwrite_name: 'string',
            new_attribute_name: 'ansible_ssh_executable',
            overwrite_value: 'string',
            new_value: '/tmp/x',
          },
        ]),
      ],
      automation_customvars: [
        rule('variables', [
          set('ansible_ssh_executable', '/tmp/x'),
          set('motd', "{{ lookup('pipe', 'id') }}", { expression: true }),
        ]),
      ],
      cmk_sites: [
        {
          name: 's',
          enabled: true,
          server_address: 'evil',
          custom_ansible_variables: Object.entries({ ...STEERING, ...PLACES }).map(
            ([variable_name, variable_value]) => ({
              variable_name,
              variable_value,
            }),
          ),
        },
      ],
    });
    await save('templated', { template: 'yes' });
  });
  afterAll(async () => {
    await service.stop();
    await rm(folder, { recursive: true });
  });

  function withoutObjects(labels: Variables): Variables {
    return Object.fromEntries(Object.entries(labels).filter(([, value]) => typeof value !== 'object'));
  }

  async function save(hostname: string, labels: object): Promise<void> {
    const payload = { account: 'crm', labels };
    const { statusCode } = await service.request({ method: 'POST', url: `/api/v1/objects/${hostname}`, payload });
    expect(statusCode).toBe(200);
  }

  async function post(user: string, rules: object): Promise<void> {
    const { body } = await service.request({ method: 'POST', url: '/api/v1/rules/import', payload: { rules }, user });
    expect(JSON.parse(body).details).toEqual([]);
  }

  async function served(provider: string, hostname: string): Promise<{ list: Variables; one: Variables }> {
    const list = JSON.parse((await service.request({ url: `${PROVIDER}/${provider}` })).body);
    const one = JSON.parse((await service.request({ url: `${PROVIDER}/${provider}?host=${hostname}` })).body);
    return { list: list._meta.hostvars[hostname], one };
  }

  it.each(['automation', 'lab', 'cmk_sites', 'foreign'])('in provider %s, as a whole or one host', async (provider) => {
    const { list, one } = await served(provider, 'evil');
    expect(list).toEqual(one);
    expect(list).toMatchObject(PLACES);
    expect(steering(list).sort()).toEqual(Object.keys(PLACES).sort());
    if (provider === 'automation') expect(list.motd).toBe("{ { lookup('pipe', 'id') }}");
    const document = JSON.parse((await service.request({ url: `${PROVIDER}/${provider}` })).body);
    for (const group of Object.values(document)) expect(group).not.toHaveProperty('vars');
  });

  it('nor do host templates that no administrator wrote', async () => {
    expect(steering((await served('lab', 'templated')).list)).toEqual([]);
  });

  it.each(NO_PLACES)('%s is not served as %j', async (name, value) => {
    await save('place', { [name]: Array.isArray(value) ? value : value, mark: 'm' });
    const { list, one } = await served('lab', 'place');
    expect(list).toEqual(one);
    expect(list).toMatchObject({ mark: 'm' });
    expect(steering(list)).toEqual([]);
  });

  it('also under names that become those of Ansible', async () => {
    const identifiers = await startHttpService({ config: { INVENTORY_VARIABLE_NAMES: 'identifier' } });
    try {
      const labels = { 'ansible-connection': 'local', 'ansible ssh.executable': '/tmp/x', 'ansible.host': '192.0.2.1' };
      const payload = { account: 'crm', labels };
      await identifiers.request({ method: 'POST', url: '/api/v1/objects/evil', payload });
      const { body } = await identifiers.request({ url: `${PROVIDER}/automation?host=evil` });
      expect(JSON.parse(body)).toEqual({ SOURCE_ACCOUNT: 'crm', ansible_host: '192.0.2.1', HOSTNAME: 'evil' });
    } finally {
      await identifiers.stop();
    }
  });

  it('while rules go on seeing such attributes', async () => {
    const seeing = await startHttpService();
    try {
      const payload = { account: 'crm', labels: { ansible_os_family: 'Debian' } };
      await seeing.request({ method: 'POST', url: '/api/v1/objects/web', payload });
      const condition = {
        match_type: 'tag',
        tag: 'ansible_os_family',
        tag_match: 'equal',
        value: 'Debian',
        value_match: 'equal',
      };
      const family = rule('family', [set('family', '{{ ansible_os_family }}')], {
        condition_typ: 'all',
        conditions: [condition],
      });
      const rules = { automation_customvars: [family] };
      await seeing.request({ method: 'POST', url: '/api/v1/rules/import', payload: { rules } });
      const { body } = await seeing.request({ url: `${PROVIDER}/automation?host=web` });
      expect(JSON.parse(body)).toEqual({ SOURCE_ACCOUNT: 'crm', HOSTNAME: 'web', family: 'Debian' });
      expect(JSON.stringify(seeing.log)).toContain('ansible_os_family');
    } finally {
      await seeing.stop();
    }
  });
});

const STORES: readonly (readonly [string, () => Promise<OpenedStorage>])[] = [
  ['MongoDB', mongodb],
  ['SQLite', createSqlite],
];

describe.each(STORES)('%s: what an administrator wrote or confirmed says how Ansible connects', (_store, open) => {
  const author = callerWith('author', { roles: ['rules'] });
  const connection = rule('connection', [set('ansible_connection', 'local')]);
  let opened: OpenedStorage;
  let muster: OperationsApp;
  let runner: FakeRunner;
  let folder: string;
  beforeEach(async () => {
    opened = await open();
    folder = await mkdtemp(join(tmpdir(), 'muster-playbooks-'));
    await writeFile(join(folder, 'playbooks.yml'), 'playbooks: [{file: agent.yml}]');
    await writeFile(join(folder, 'agent.yml'), '');
    runner = new FakeRunner();
    muster = await OperationsApp.over(opened.storage, { PLAYBOOK_DIR: folder }, undefined, runner);
    await muster.addAccounts('crm');
    await muster.run(saveHost, {
      hostname: 'web',
      account: 'crm',
      labels: { ansible_connection: 'ssh', how: 'docker' },
    });
  });
  afterEach(async () => {
    await muster.stop();
    await opened.close();
    await rm(folder, { recursive: true });
  });

  const list = async (provider = 'automation', hostname = 'web'): Promise<Variables> =>
    ((await muster.read(renderInventory, { provider })) as { _meta: { hostvars: Record<string, Variables> } })._meta
      .hostvars[hostname] ?? {};

  const run = () => muster.run(runPlaybook, { playbook: 'agent.yml', host: 'web' });

  async function confirm(type: string, name: string): Promise<void> {
    const record = (await muster.storage.rules.list(type)).find((found) => found.name === name);
    const { id = '', version: expectedVersion = 0 } = record ?? {};
    await muster.storage.rules.confirm({ type, id, expectedVersion, by: 'administrator' });
  }

  it.each<[string, string, object]>([
    ['automation_customvars', 'connection', connection],
    ['custom_attributes', 'connection', connection],
    [
      'automation_rewrite',
      'rename',
      rule('rename', [
        { old_attribute_name: 'how', overwrite_name: 'string', new_attribute_name: 'ansible_connection' },
      ]),
    ],
  ])('%s: stored it waits, confirmed it counts, changed it waits again', async (type, name, document) => {
    const rules = { [type]: [document] };
    await muster.run(importRules, { rules }, author);
    expect(steering(await list())).toEqual([]);
    expect(await run()).toMatchObject({ status: 'failed', message: expect.stringContaining(`${type} ${name} waits`) });
    expect(runner.take()).toEqual([]);
    await confirm(type, name);
    expect(steering(await list())).toEqual(['ansible_connection']);
    expect(await run()).toMatchObject({ status: 'succeeded' });
    expect(runner.take()).toEqual(['web agent.yml']);
    const changed = { [type]: [{ ...document, documentation: 'changed', condition_typ: 'all', conditions: [] }] };
    const [record] = await muster.storage.rules.list(type);
    const withId = { [type]: changed[type]?.map((one) => ({ ...one, _id: { $oid: record?.id } })) };
    await muster.run(importRules, { rules: withId, override: true }, author);
    expect(steering(await list())).toEqual([]);
    expect(await run()).toMatchObject({ status: 'failed' });
  });

  it('also sites, and expressions', async () => {
    const site = {
      name: 'site',
      enabled: true,
      server_address: 'srv',
      custom_ansible_variables: [{ variable_name: 'ansible_connection', variable_value: 'local' }],
    };
    const expression = rule('expression', [set('secret', "{{ lookup('env', 'HOME') }}", { expression: true })]);
    const rules = { cmk_sites: [site], automation_customvars: [expression] };
    await muster.run(importRules, { rules }, author);
    expect(steering(await list('cmk_sites', 'srv'))).toEqual([]);
    expect((await list()).secret).toBe("{ { lookup('env', 'HOME') }}");
    expect(await run()).toMatchObject({ status: 'failed' });
    const onSites = { playbook: 'agent.yml', provider: 'cmk_sites' };
    expect(await muster.run(runPlaybook, onSites)).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('cmk_sites site waits'),
    });
    await confirm('cmk_sites', 'site');
    await confirm('automation_customvars', 'expression');
    expect(await list('cmk_sites', 'srv')).toMatchObject({ ansible_connection: 'local' });
    expect((await list()).secret).toBe("{{ lookup('env', 'HOME') }}");
    expect(await muster.run(runPlaybook, onSites)).toMatchObject({ status: 'succeeded' });
  });

  it('and a host template; a rule that vouches does not vouch for what data put there', async () => {
    const rules = {
      cmdb_templates: [{ hostname: 't', cmdb_match: 'os:windows', labels: { ansible_connection: 'winrm' } }],
      automation_rewrite: [
        rule('from data', [
          { old_attribute_name: 'gone', overwrite_name: 'string', new_attribute_name: 'ansible_connection' },
        ]),
      ],
    };
    await muster.run(importRules, { rules });
    await muster.run(saveHost, { hostname: 'win', account: 'crm', labels: { os: 'windows' } });
    await muster.run(saveHost, {
      hostname: 'evil',
      account: 'crm',
      labels: { os: 'windows', ansible_connection: 'local' },
    });
    await muster.run(saveHost, { hostname: 'named', account: 'crm', labels: { gone: 'network_cli' } });
    expect(await list('automation', 'win')).toMatchObject({ ansible_connection: 'winrm' });
    expect(steering(await list('automation', 'evil'))).toEqual([]);
    expect(await list('automation', 'named')).toMatchObject({ ansible_connection: 'network_cli' });
  });

  it('does not let a label become an option by a rule that takes an address from it', async () => {
    await muster.run(importRules, {
      rules: { automation_customvars: [rule('ip', [set('ansible_host', '{{ ip }}')])] },
    });
    await muster.run(saveHost, { hostname: 'evil', account: 'crm', labels: { ip: '-oProxyCommand=touch X' } });
    await muster.run(saveHost, { hostname: 'good', account: 'crm', labels: { ip: '2001:db8::1' } });
    expect(steering(await list('automation', 'evil'))).toEqual([]);
    expect(await list('automation', 'good')).toMatchObject({ ansible_host: '2001:db8::1' });
  });

  it('the explanation says why, and doctor warns of serve', async () => {
    const { explanation } = await muster.run(explainHost, { hostname: 'web' });
    expect(explanation.attributes).toContainEqual(
      expect.objectContaining({
        name: 'ansible_connection',
        withheld: expect.stringContaining('a rule of an administrator'),
      }),
    );
    expect(explanation.result).not.toHaveProperty('ansible_connection');
    const check = async (app: OperationsApp) =>
      (await app.run(runDoctor, {})).findings.find((finding) => finding.check === 'inventories');
    expect(await check(muster)).toMatchObject({ ok: true });
    const serving = await OperationsApp.over(opened.storage, { INVENTORY_ANSIBLE_LABELS: 'serve' });
    expect(await check(serving)).toMatchObject({
      ok: false,
      message: expect.stringContaining('INVENTORY_ANSIBLE_LABELS'),
    });
    await serving.stop();
  });
});

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PLAYBOOK = `
- hosts: all
  gather_facts: false
  tasks:
    - ansible.builtin.raw: "true"
      when: inventory_hostname != 'own'
    - ansible.builtin.command: touch ADMINISTRATOR
      when: inventory_hostname == 'own'
`;

/** A real ansible-core plays on what the service gives it, over every way to ask. */
describe('a label runs nothing on a controller', () => {
  let folder: string;
  let service: HttpService;
  let url: string;
  let token: string;
  const withPassword = () => ({ SERVICE_API_USER: 'robot', SERVICE_API_PASSWORD: 'correct horse' });
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'muster-controller-'));
    const program = join(folder, 'program');
    await writeFile(program, `#!/bin/sh\ntouch ${join(folder, 'EXECUTED')}\n`);
    await chmod(program, 0o755);
    await writeFile(join(folder, 'play.yml'), PLAYBOOK);
    service = await startHttpService();
    await service.addUser('robot', { api_roles: ['automation'] });
    const place = { ansible_host: '127.0.0.1', ansible_port: 1 };
    const hosts: Record<string, object> = {
      local: { ansible_connection: 'local', ansible_shell_executable: program, ansible_python_interpreter: program },
      executable: { ...place, ansible_ssh_executable: program },
      proxied: { ...place, ansible_ssh_common_args: `-o ProxyCommand=${program}` },
      '-oProxyCommand=true': {},
      own: { site: 'controller', ...place },
    };
    for (const [hostname, labels] of Object.entries(hosts)) {
      const payload = { account: 'crm', labels };
      await service.request({ method: 'POST', url: `/api/v1/objects/${encodeURIComponent(hostname)}`, payload });
    }
    const condition = { match_type: 'host', hostname: 'own', hostname_match: 'equal' };
    const own = rule(
      'own',
      [set('ansible_connection', 'local'), set('ansible_python_interpreter', pythonProgram('python'))],
      {
        condition_typ: 'all',
        conditions: [condition],
      },
    );
    const rules = { automation_customvars: [own] };
    await service.request({ method: 'POST', url: '/api/v1/rules/import', payload: { rules } });
    const { body } = await service.request({ url: `${PROVIDER}/automation` });
    await writeFile(join(folder, 'document.json'), body);
    const script = join(folder, 'inventory');
    await writeFile(script, `#!/bin/sh\ncat ${join(folder, 'document.json')}\n`);
    await chmod(script, 0o755);
    const operator = localOperator({ name: 'operator', path: 'test', requestId: 'test' });
    const value = { name: 'robot', label: 'controller' };
    ({ token } = await service.executor.value(createToken, { kind: 'value', value }, operator));
    url = await service.app.listen({ host: '127.0.0.1', port: 0 });
    await writeFile(join(folder, 'muster.yml'), `plugin: muster\nmode: http\nurl: ${url}\n`);
  }, 60_000);
  afterAll(async () => {
    await service.stop();
    await rm(folder, { recursive: true });
  });

  it.each([
    ['script', () => join(folder, 'inventory')],
    ['rest_inventory', () => join(ROOT, 'ansible', 'rest_inventory')],
    ['plugin over HTTP', () => join(folder, 'muster.yml')],
    ['plugin over HTTP with a token', () => join(folder, 'muster.yml'), () => ({ MUSTER_TOKEN: token })],
    ['rest_inventory with a token', () => join(ROOT, 'ansible', 'rest_inventory'), () => ({ MUSTER_TOKEN: token })],
  ] as const)(
    'by %s',
    async (_way, inventory, credentials: () => Record<string, string> = withPassword) => {
      await rm(join(folder, 'ADMINISTRATOR'), { force: true });
      const { stdout, stderr } = await runPython(pythonProgram('ansible-playbook'), ['-i', inventory(), 'play.yml'], {
        cwd: folder,
        environment: {
          HOME: folder,
          MUSTER_URL: url,
          ...credentials(),
          ANSIBLE_INVENTORY_PLUGINS: join(ROOT, 'ansible', 'inventory_plugins'),
          ANSIBLE_INVENTORY_ENABLED: 'muster,script',
          PYTHONDONTWRITEBYTECODE: '1',
        },
      });
      expect(existsSync(join(folder, 'EXECUTED')), stdout + stderr).toBe(false);
      expect(stdout).toMatch(/^executable .*unreachable=1/m);
      expect(stdout).toMatch(/^own .*ok=1 .*failed=0/m);
      expect(existsSync(join(folder, 'ADMINISTRATOR'))).toBe(true);
    },
    60_000,
  );
});
