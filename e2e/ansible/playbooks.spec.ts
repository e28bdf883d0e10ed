import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { pythonEnvironment, pythonProgram } from '../../test/support/python-environment.ts';
import { RunningService } from '../support/running-service.ts';
import { ROOT, run, Workplace } from '../support/workplace.ts';

/** Playbooks that a real ansible-core runs, with inventories of the built program. */

const PYTHON = pythonProgram('python');

/** A hostname may be a pattern, a label template text or the name of what connects: none means anything to a run. */
const HOSTS = `host,site,note,ansible_connection
web01,berlin,"{{ lookup('pipe', 'touch EXECUTED') }}",of_an_attacker
web*:!db01,berlin,"x"", ""ansible_connection"": ""ssh",
db01,paris,plain,
`;

const PLAYBOOK = `- name: Note who is there
  hosts: all
  gather_facts: false
  connection: local
  tasks:
    - name: Write it down
      ansible.builtin.copy:
        content: |
          {{ ansible_play_hosts_all | join(',') }}
          {{ group_names | join(',') }}
          {{ note | default('none') }}
          {{ given | default('none') }}
        dest: "{{ playbook_dir }}/seen-{{ site }}-{{ ansible_play_hosts_all | length }}.txt"
`;

const SLOW = `- hosts: all
  gather_facts: false
  connection: local
  tasks:
    - ansible.builtin.command: sh -c 'echo $$ > "{{ playbook_dir }}/pid"; exec sleep 300'
`;

const RULES = {
  rules: {
    automation_customvars: [
      {
        name: 'how to reach them',
        enabled: true,
        condition_typ: 'anyway',
        outcomes: [
          { attribute_name: 'ansible_groups', attribute_value: 'site_{{ site }}' },
          { attribute_name: 'ansible_python_interpreter', attribute_value: PYTHON },
        ],
      },
    ],
    automation_playbook_fire: [
      {
        name: 'berlin',
        enabled: true,
        condition_typ: 'all',
        conditions: [{ match_type: 'tag', tag: 'site', tag_match: 'equal', value: 'berlin', value_match: 'equal' }],
        outcomes: [{ playbook: 'note.yml', extra_vars: '{"given": "{{ note }}", "site": "{{ HOSTNAME[:4] }}"}' }],
      },
    ],
  },
};

let place: Workplace;

test.beforeAll(async () => {
  place = await Workplace.create(
    pythonEnvironment({
      SERVICE_PLAYBOOK_DIR: 'playbooks',
      SERVICE_ANSIBLE_PLAYBOOK: pythonProgram('ansible-playbook'),
      SERVICE_INVENTORY_TEMPLATE_TEXT: 'wrap',
    }) as Record<string, string>,
  );
  await mkdir(place.path('playbooks'));
  const manifest = 'playbooks: [{file: note.yml, name: Note}, {file: slow.yml}]';
  await writeFile(place.path('playbooks/playbooks.yml'), manifest);
  await writeFile(place.path('playbooks/note.yml'), PLAYBOOK);
  await writeFile(place.path('playbooks/slow.yml'), SLOW);
  await writeFile(place.path('hosts.csv'), HOSTS);
  await writeFile(place.path('rules.json'), JSON.stringify(RULES));
  await place.done(['account', 'add', 'lab', '--type', 'csv', '--set', 'path=hosts.csv']);
  await place.done(['import', 'lab']);
  await place.done(['rules', 'import', 'rules.json']);
});

test.afterAll(() => place.close());

const seen = async (name: string) => (await readFile(place.path(`playbooks/seen-${name}.txt`), 'utf8')).split('\n');

function nothingExecuted(): void {
  for (const folder of ['', 'playbooks/']) expect(existsSync(place.path(`${folder}EXECUTED`))).toBe(false);
}

test('rules fire playbooks for one host each, and what data says is never executed', async () => {
  const fired = await place.muster(['playbook', 'fire', '--json']);
  const report = JSON.parse(fired.stdout);
  expect(report).toMatchObject({ status: 'done', started: 2, succeeded: 2 });
  expect(await seen('web0-1')).toEqual([
    'web01',
    'site_berlin',
    "{{ lookup('pipe', 'touch EXECUTED') }}",
    "{{ lookup('pipe', 'touch EXECUTED') }}",
    '',
  ]);
  expect((await seen('web*-1')).slice(0, 2)).toEqual(['web*:!db01', 'site_berlin']);
  expect((await seen('web*-1'))[3]).toBe('x", "ansible_connection": "ssh');
  nothingExecuted();
  expect(JSON.parse(await place.done(['playbook', 'fire', '--json']))).toMatchObject({ started: 0 });
  const shown = JSON.parse(await place.done(['playbook', 'show', report.runs[0].id, '--json']));
  expect(shown).toMatchObject({ status: 'succeeded', exit_code: 0, source: 'rule', started_by: 'berlin' });
  expect(shown.output).toContain('PLAY RECAP');
});

test('a playbook runs for the hosts of a search or a group alone, whatever their names are patterns for', async () => {
  const run = ['playbook', 'run', 'note.yml', '--extra-vars', 'site=limited'];
  await place.done([...run, '--search', 'name:"web*:!db01"']);
  expect((await seen('limited-1'))[0]).toBe('web*:!db01');
  await place.done([...run, '--search', 'site:berlin']);
  expect(new Set((await seen('limited-2'))[0]?.split(','))).toEqual(new Set(['web01', 'web*:!db01']));
  await place.done([...run, '--group', 'site_paris']);
  expect((await seen('limited-1')).slice(0, 2)).toEqual(['db01', 'site_paris']);
  expect((await place.muster([...run, '--search', 'site:rome'])).code).toBe(1);
  nothingExecuted();
});

test('a playbook runs for a whole inventory, from any folder and by options of the command line', async () => {
  const database = `sqlite:${place.path('data/muster.db')}`;
  await mkdir(place.path('elsewhere'), { recursive: true });
  const done = await run(
    process.execPath,
    [
      join(ROOT, 'bin', 'muster'),
      '--database-url',
      database,
      'playbook',
      'run',
      'Note',
      '--extra-vars',
      'site=all given="{{ 40 + 2 }}"',
    ],
    {
      cwd: place.path('elsewhere'),
      env: {
        ...place.environment,
        SERVICE_PLAYBOOK_DIR: place.path('playbooks'),
        SERVICE_DATA_DIR: place.path('data'),
      },
    },
  );
  expect(done.stderr).toBe('');
  expect(done.code).toBe(0);
  expect(done.stdout).toContain('PLAY RECAP');
  expect((await seen('all-3'))[0]).toBe('db01,web*:!db01,web01');
  expect((await seen('all-3'))[3]).toBe('42');
});

test('an inventory that fails is a failed run, and a run is cancelled with all that it started', {
  tag: '@thorough',
}, async () => {
  const broken = place.path('broken-playbook');
  // Nothing that the playbook's side sets reaches the program that makes the inventory; it can only lose the file.
  const lost = 'MUSTER_INVENTORY_FILE=/nonexistent/inventory SERVICE_NO_SUCH_KEY=1';
  await writeFile(broken, `#!/bin/sh\n${lost} exec ${pythonProgram('ansible-playbook')} "$@"\n`);
  await chmod(broken, 0o755);
  const failed = await place.muster(['playbook', 'run', 'note.yml'], {
    environment: { SERVICE_ANSIBLE_PLAYBOOK: broken },
  });
  expect(failed.code).toBe(1);
  expect(failed.stdout).toContain('/nonexistent/inventory');
  await writeFile(place.path('playbooks/playbooks.local.yml'), 'playbooks: [{file: slow.yml, inventory: nosuch}]');
  const unknown = await place.muster(['playbook', 'run', 'slow.yml']);
  await rm(place.path('playbooks/playbooks.local.yml'));
  expect(unknown.code).toBe(1);
  expect(unknown.stderr + unknown.stdout).toContain('nosuch');
  const running = place.muster(['playbook', 'run', 'slow.yml', '--host', 'db01']);
  const pidFile = place.path('playbooks/pid');
  await expect.poll(() => existsSync(pidFile), { timeout: 30_000 }).toBe(true);
  const [{ id }] = JSON.parse(await place.done(['playbook', 'runs', '--json']));
  await place.done(['playbook', 'cancel', id]);
  expect((await running).code).toBe(1);
  const pid = Number(await readFile(pidFile, 'utf8'));
  expect(await isRunning(pid)).toBe(false);
  expect(JSON.parse(await place.done(['playbook', 'show', id, '--json']))).toMatchObject({ status: 'cancelled' });
});

test('a service fires by its cron group, and takes what it runs along when it stops', {
  tag: '@thorough',
}, async () => {
  const pid = place.path('service-pid');
  const slow = place.path('slow-playbook');
  const script = `#!/bin/sh\n[ "$1" = --version ] && exit\necho "PLAY"\necho $$ > ${pid}\nexec sleep 300\n`;
  await writeFile(slow, script);
  await chmod(slow, 0o755);
  const group = { name: 'fire', enabled: true, interval: '10min', jobs: [{ name: 'fire', command: 'Fire Playbooks' }] };
  const rule = {
    name: 'paris',
    enabled: true,
    condition_typ: 'all',
    conditions: [{ match_type: 'tag', tag: 'site', tag_match: 'equal', value: 'paris', value_match: 'equal' }],
    outcomes: [{ playbook: 'slow.yml' }],
  };
  // Without the rule of the other tests, which may not have fired yet in this folder.
  const berlin = { ...RULES.rules.automation_playbook_fire[0], enabled: false };
  const rules = { automation_playbook_fire: [rule, berlin], cron_groups: [group] };
  await writeFile(place.path('fire.json'), JSON.stringify({ rules }));
  await place.done(['rules', 'import', 'fire.json', '--override']);
  const service = await RunningService.start(place, {
    SERVICE_ANSIBLE_PLAYBOOK: slow,
    SERVICE_CRON_PASS_SECONDS: '1',
  });
  try {
    await expect.poll(() => existsSync(pid), { timeout: 20_000 }).toBe(true);
    const [running] = JSON.parse(await place.done(['playbook', 'runs', '--json']));
    expect(running).toMatchObject({ hostname: 'db01', started_by: 'paris', status: 'running' });
    expect(await service.stop()).toBe(0);
    expect(await isRunning(Number(await readFile(pid, 'utf8')))).toBe(false);
    const ended = JSON.parse(await place.done(['playbook', 'show', running.id, '--json']));
    expect(ended).toMatchObject({ status: 'cancelled', output: 'PLAY\n' });
  } finally {
    await service.stop();
    await place.done(['rules', 'import', 'rules.json', '--override']);
  }
});

/** Where nobody fetches the exit codes of orphans, they stay as zombies. */
async function isRunning(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => 'State:\tZ');
  return !/^State:\s*Z/m.test(status);
}

test.describe('the inventory plugin', () => {
  interface Read {
    readonly _meta: { readonly hostvars: Record<string, Record<string, unknown>> };
    readonly [group: string]: unknown;
  }

  async function read(name: string, config: string, environment: Record<string, string> = {}) {
    const file = place.path(`${name}.muster.yml`);
    await writeFile(file, `plugin: muster\n${config}`);
    return run(pythonProgram('ansible-inventory'), ['-i', file, '--list'], {
      cwd: place.directory,
      env: pythonEnvironment({
        HOME: place.directory,
        ANSIBLE_INVENTORY_PLUGINS: join(ROOT, 'ansible', 'inventory_plugins'),
        ANSIBLE_INVENTORY_ENABLED: 'muster',
        PYTHONDONTWRITEBYTECODE: '1',
        ANSIBLE_INVENTORY_ANY_UNPARSED_IS_FAILED: 'True',
        ...environment,
      }),
    });
  }

  test('reads what the command prints, as data', async () => {
    const listed = await read('local', 'mode: local\n', { SERVICE_INVENTORY_TEMPLATE_TEXT: 'serve' });
    expect(listed.stderr).toBe('');
    const inventory = JSON.parse(listed.stdout) as Read;
    expect(Object.keys(inventory._meta.hostvars).sort()).toEqual(['db01', 'web*:!db01', 'web01']);
    const note = "{{ lookup('pipe', 'touch EXECUTED') }}";
    expect(inventory._meta.hostvars.web01?.note).toEqual({ __ansible_unsafe: note });
    expect(inventory.site_paris).toEqual({ hosts: ['db01'] });
    nothingExecuted();
  });

  test('makes groups and variables, and keeps what it read where it is told to', async () => {
    const constructed = [
      'mode: local',
      'strict: true',
      'keyed_groups: [{key: site, prefix: at}]',
      'groups: {in_paris: site == "paris"}',
      `compose: {label: 'inventory_hostname ~ "/" ~ site', copied: note}`,
      'cache: true',
      'cache_plugin: ansible.builtin.jsonfile',
      `cache_connection: ${place.path('kept')}`,
    ];
    const text = `${constructed.join('\n')}\n`;
    const serving = { SERVICE_INVENTORY_TEMPLATE_TEXT: 'serve' };
    const listed = await read('constructed', text, serving);
    expect(listed.stderr).toBe('');
    const inventory = JSON.parse(listed.stdout) as Read;
    expect([inventory.at_paris, inventory.in_paris]).toEqual([{ hosts: ['db01'] }, { hosts: ['db01'] }]);
    expect(inventory._meta.hostvars.db01?.label).toEqual({ __ansible_unsafe: 'db01/paris' });
    expect(JSON.stringify(inventory._meta.hostvars.web01?.copied)).toContain('lookup');
    nothingExecuted();
    await place.done(['host', 'archive', 'db01']);
    try {
      const kept = await read('constructed', text, serving);
      expect(JSON.parse(kept.stdout)).toEqual(inventory);
    } finally {
      await place.done(['host', 'restore', 'db01']);
    }
  });

  test('asks a service, for all hosts or one', { tag: '@thorough' }, async () => {
    await place.done(['user', 'add', 'robot', '--role', 'automation', '--password-stdin'], {
      input: 'correct horse battery\n',
    });
    const service = await RunningService.start(place);
    try {
      const credentials = { SERVICE_API_USER: 'robot', SERVICE_API_PASSWORD: 'correct horse battery' };
      const config = `mode: http\nurl: ${service.url}\n`;
      const all = await read('http', config, credentials);
      expect(all.stderr).toBe('');
      expect(Object.keys((JSON.parse(all.stdout) as Read)._meta.hostvars)).toHaveLength(3);
      const one = await read('http', `${config}host: db01\n`, credentials);
      expect(JSON.parse(one.stdout)).toMatchObject({
        _meta: { hostvars: { db01: { site: { __ansible_unsafe: 'paris' } } } },
        site_paris: { hosts: ['db01'] },
      });
      const refused = await read('http', config, { ...credentials, SERVICE_API_PASSWORD: 'wrong' });
      expect(refused.code).not.toBe(0);
      expect(refused.stderr).toContain('answered 401');
      expect(refused.stderr).not.toContain('wrong');
    } finally {
      await service.stop();
    }
  });
});

test.describe('the bundled playbooks', () => {
  const SITES = {
    rules: {
      cmk_site_settings: [
        { name: 'main', server_user: 'root', cmk_version: '2.4.0p1', cmk_edition: 'cre', inital_password: 'x' },
      ],
      cmk_sites: [
        {
          name: 'mysite',
          enabled: true,
          server_address: 'localhost',
          settings_master: 'main',
          custom_ansible_variables: [
            { variable_name: 'ansible_connection', variable_value: 'local' },
            { variable_name: 'ansible_python_interpreter', variable_value: PYTHON },
            { variable_name: 'ansible_become', variable_value: false },
          ],
        },
      ],
    },
  };

  /** Keeps its versions in a file, as the real one keeps them in a folder. */
  const OMD = `#!/bin/sh
case "$*" in
  "versions --bare") cat "$OMD_STATE" ;;
  cleanup) grep used "$OMD_STATE" > "$OMD_STATE.new"; mv "$OMD_STATE.new" "$OMD_STATE" ;;
  *) exit 1 ;;
esac
`;

  test('are correct', { tag: '@thorough' }, async () => {
    const playbooks = ['server_management.yml', 'cleanup_versions.yml'].map((file) => join(ROOT, 'ansible', file));
    const checked = await run(pythonProgram('ansible-playbook'), ['--syntax-check', '-i', 'localhost,', ...playbooks], {
      cwd: place.directory,
      env: pythonEnvironment({ HOME: place.directory }),
    });
    expect(`${checked.code} ${checked.stderr}`).toBe('0 ');
  });

  test('remove what nobody uses, once', { tag: '@thorough' }, async () => {
    // Three runs of Ansible, one after the other.
    test.setTimeout(120_000);
    const state = place.path('versions');
    await writeFile(state, '2.3.0.cre used\n2.2.0.cre\n2.4.0p1.cre used\n');
    await mkdir(place.path('bin'));
    await writeFile(place.path('bin/omd'), OMD);
    await chmod(place.path('bin/omd'), 0o755);
    await writeFile(place.path('sites.json'), JSON.stringify(SITES));
    await place.done(['rules', 'import', 'sites.json']);
    const environment = {
      SERVICE_PLAYBOOK_DIR: '',
      PATH: `${place.path('bin')}:${process.env.PATH}`,
      OMD_STATE: state,
      SERVICE_PLAYBOOK_ENVIRONMENT: 'OMD_STATE',
    };
    const listed = JSON.parse(await place.done(['playbook', 'list', '--json'], { environment }));
    expect(listed).toMatchObject([
      { file: 'cleanup_versions.yml', inventory: 'cmk_sites' },
      { file: 'server_management.yml', inventory: 'cmk_sites' },
    ]);
    const checkOnly = await place.done(['playbook', 'run', 'cleanup_versions.yml', '--check'], { environment });
    expect(checkOnly).toContain('removed: nothing');
    expect(await readFile(state, 'utf8')).toContain('2.2.0');
    const first = await place.done(['playbook', 'run', 'cleanup_versions.yml'], { environment });
    expect(first).toContain('removed: 2.2.0.cre; left: 2.3.0.cre used, 2.4.0p1.cre used');
    expect(first).toMatch(/changed=1 /);
    const second = await place.done(['playbook', 'run', 'cleanup_versions.yml'], { environment });
    expect(second).toContain('removed: nothing');
    expect(second).toMatch(/changed=0 /);
    expect(await readFile(state, 'utf8')).toBe('2.3.0.cre used\n2.4.0p1.cre used\n');
  });
});
