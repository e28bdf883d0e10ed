import { readdirSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { expect } from '@playwright/test';
import { pythonEnvironment, pythonProgram } from '../../test/support/python-environment.ts';
import { test } from '../support/api.ts';
import { RunningService } from '../support/running-service.ts';
import { MUSTER, ROOT, run, Workplace } from '../support/workplace.ts';

/** What read an existing installation reads this one, unmodified: the inventory plugin of PyPI, and scripts that call its command. */

const PASSWORD = 'correct horse battery staple';

/** By which hosts of the sample are in groups, as the plugin reads a text: one group a host. */
const GROUPS = {
  rule_type: 'automation_customvars',
  rules: [
    {
      name: 'groups of the site',
      enabled: true,
      condition_typ: 'anyway',
      conditions: [],
      outcomes: [
        { attribute_name: 'ansible_groups', attribute_value: 'site_{{ site }}' },
        { attribute_name: 'stage', attribute_value: 'production' },
      ],
    },
  ],
};

interface PluginInventory {
  readonly _meta: { readonly hostvars: Record<string, Record<string, unknown>> };
  readonly [group: string]: unknown;
}

let place: Workplace;

test.beforeAll(async () => {
  place = await Workplace.create();
  const sample = join(ROOT, 'sample', 'wikimedia-nodes.csv');
  await place.done(['account', 'add', 'wikimedia', '--type', 'csv', '--set', `path=${sample}`]);
  await place.done(['import', 'wikimedia']);
  await writeFile(place.path('groups.json'), JSON.stringify(GROUPS));
  await place.done(['rules', 'import', 'groups.json']);
  await place.done(
    ['user', 'add', 'reader', '--role', 'ansible', '--email', 'reader@example.org', '--password-stdin'],
    {
      input: PASSWORD,
    },
  );
  // An existing installation has its command on the path.
  await mkdir(place.path('bin'));
  await symlink(MUSTER, place.path('bin/cmdbsyncer'));
});

test.afterAll(() => place.close());

function pluginFolder(): string {
  const library = join(dirname(dirname(pythonProgram('python'))), 'lib');
  const [python] = readdirSync(library).filter((name) => name.startsWith('python3'));
  return join(library, python ?? '', 'site-packages', 'cmdbsyncer_inventory', 'inventory_plugins');
}

async function readByPlugin(settings: Record<string, string>): Promise<PluginInventory> {
  const lines = Object.entries({ plugin: 'cmdbsyncer_inventory', provider: 'ansible', ...settings });
  await writeFile(place.path('syncer.yml'), lines.map(([name, value]) => `${name}: ${value}\n`).join(''));
  const listed = await run(pythonProgram('ansible-inventory'), ['-i', place.path('syncer.yml'), '--list'], {
    cwd: place.directory,
    env: pythonEnvironment({
      HOME: place.directory,
      PATH: `${place.path('bin')}${delimiter}${process.env.PATH}`,
      ANSIBLE_INVENTORY_PLUGINS: pluginFolder(),
      ANSIBLE_INVENTORY_ENABLED: 'cmdbsyncer_inventory',
    }),
  });
  expect(listed.stderr).not.toMatch(/warning|error/i);
  expect(listed.code).toBe(0);
  return JSON.parse(listed.stdout) as PluginInventory;
}

test('the inventory plugin reads the same by command and over HTTP', { tag: '@thorough' }, async () => {
  const byCommand = await readByPlugin({ mode: 'local' });
  expect(Object.keys(byCommand._meta.hostvars)).toHaveLength(964);
  expect(JSON.stringify(byCommand._meta.hostvars['mw1349.eqiad.wmnet'])).toContain('"production"');
  expect((byCommand.site_eqiad as { hosts: string[] }).hosts).toContain('mw1349.eqiad.wmnet');

  const service = await RunningService.start(place);
  try {
    const login = { username: 'reader@example.org', password: PASSWORD };
    expect(await readByPlugin({ mode: 'http', api_url: service.url, ...login })).toEqual(byCommand);
  } finally {
    await service.stop();
  }
});

test('scripts that call the old command get what they got', async () => {
  const call = async (...args: string[]) =>
    run(place.path('bin/cmdbsyncer'), ['ansible', 'inventory', ...args], {
      cwd: place.directory,
      env: place.environment,
    });
  expect((await call('ansible', '--list')).stdout).toBe(await place.done(['inventory', 'automation', '--list']));
  const host = ['--host', 'mw1349.eqiad.wmnet'];
  expect((await call('ansible', ...host)).stdout).toBe(await place.done(['inventory', 'automation', ...host]));
  expect((await call('cmk_sites', '--list')).code).toBe(0);
});
