import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { expect, test } from '@playwright/test';
import { pythonEnvironment, pythonProgram } from '../../test/support/python-environment.ts';
import { RunningService } from '../support/running-service.ts';
import { MUSTER, ROOT, run, Workplace } from '../support/workplace.ts';

/** The collection of the build, as a controller installs it, gives the inventory that the plugin's file in `ansible/` gives. */

const COLLECTION = join(ROOT, 'dist', 'ansible_collections', 'muster_cmdb', 'muster');
const FULL_NAME = 'muster_cmdb.muster.muster';
const PASSWORD = 'correct horse battery';
const CONSTRUCTED = `strict: true
keyed_groups: [{key: site, prefix: at}]
compose: {label: 'inventory_hostname ~ "/" ~ site'}
`;

let place: Workplace;

test.beforeAll(async () => {
  place = await Workplace.create();
  const sample = join(ROOT, 'sample', 'wikimedia-nodes.csv');
  await place.done(['account', 'add', 'wikimedia', '--type', 'csv', '--set', `path=${sample}`]);
  await place.done(['import', 'wikimedia']);
  await place.done(['rules', 'import', join(ROOT, 'sample', 'rules.json')]);
  await place.done(['user', 'add', 'robot', '--role', 'automation', '--password-stdin'], { input: PASSWORD });
  await mkdir(place.path('bin'));
  await symlink(MUSTER, place.path('bin/muster'));
});

test.afterAll(() => place.close());

function ansible(program: string, args: readonly string[], environment: Record<string, string> = {}) {
  return run(pythonProgram(program), args, {
    cwd: place.directory,
    env: pythonEnvironment({
      HOME: place.directory,
      PATH: `${place.path('bin')}${delimiter}${process.env.PATH}`,
      PYTHONDONTWRITEBYTECODE: '1',
      ...environment,
    }),
  });
}

/** As a controller: the plugin is found by its name alone, of the places that are given. */
async function read(plugin: string, settings: string, where: Record<string, string>): Promise<unknown> {
  const file = place.path('lab.muster.yml');
  await writeFile(file, `plugin: ${plugin}\n${settings}${CONSTRUCTED}`);
  const { code, stdout, stderr } = await ansible('ansible-inventory', ['-i', file, '--list'], {
    ANSIBLE_INVENTORY_ANY_UNPARSED_IS_FAILED: 'True',
    SERVICE_API_USER: 'robot',
    SERVICE_API_PASSWORD: PASSWORD,
    ...where,
  });
  expect(`${code} ${stderr}`).toBe('0 ');
  return JSON.parse(stdout);
}

const byFile = (settings: string): Promise<unknown> =>
  read('muster', settings, { ANSIBLE_INVENTORY_PLUGINS: join(ROOT, 'ansible', 'inventory_plugins') });
const byCollection = (settings: string): Promise<unknown> =>
  read(FULL_NAME, settings, { ANSIBLE_COLLECTIONS_PATH: place.path('collections') });

test('the installed collection reads what the file reads', { tag: '@thorough' }, async () => {
  // Five runs of Ansible, one after the other.
  test.setTimeout(120_000);
  const install = ['collection', 'install', COLLECTION, '--collections-path', place.path('collections')];
  const { code, stdout, stderr } = await ansible('ansible-galaxy', install);
  expect(code, stdout + stderr).toBe(0);

  const service = await RunningService.start(place);
  try {
    const settings = `mode: http\nurl: ${service.url}\n`;
    const inventory = await byCollection(settings);
    expect(inventory).toHaveProperty('at_codfw');
    expect(inventory).toEqual(await byFile(settings));
  } finally {
    await service.stop();
  }
  expect(await byCollection('mode: local\n')).toEqual(await byFile('mode: local\n'));
});
