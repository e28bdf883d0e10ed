import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { pythonEnvironment, pythonProgram } from '../../test/support/python-environment.ts';
import { databaseOf, test } from '../support/api.ts';
import { ROOT, run, Workplace } from '../support/workplace.ts';

/** A real ansible-core reads what the program serves, whatever the store. */

const SCRIPT = join(ROOT, 'ansible', 'inventory');
const HOSTS = 964;

interface AnsibleInventory {
  readonly _meta: { readonly hostvars: Record<string, Record<string, unknown>> };
  readonly all: { readonly children: readonly string[] };
  readonly [group: string]: unknown;
}

let place: Workplace;

/** What alone differs between the stores. */
function environmentOf(databaseServer: string | undefined): Record<string, string> {
  return databaseServer === undefined ? {} : { SERVICE_DATABASE_URL: databaseOf(databaseServer) };
}

test.beforeAll(async ({ databaseServer }) => {
  place = await Workplace.create(environmentOf(databaseServer));
  await addSample(place);
});

async function addSample(place: Workplace): Promise<void> {
  const sample = join(ROOT, 'sample', 'wikimedia-nodes.csv');
  await place.done(['account', 'add', 'wikimedia', '--type', 'csv', '--set', `path=${sample}`]);
  await place.done(['import', 'wikimedia']);
  await place.done(['rules', 'import', join(ROOT, 'sample', 'rules.json')]);
}

test.afterAll(() => place.close());

function ansible(program: string, args: readonly string[], at = place, environment: Record<string, string> = {}) {
  return run(pythonProgram(program), args, {
    cwd: at.directory,
    env: pythonEnvironment({ HOME: at.directory, ...serviceVariables(at), ...environment }),
  });
}

function serviceVariables({ environment }: Workplace): Record<string, string> {
  const { SERVICE_DATABASE_URL: url } = environment;
  return url === undefined ? {} : { SERVICE_DATABASE_URL: url };
}

test('ansible-inventory reads all hosts with their groups and variables', async () => {
  const listed = await ansible('ansible-inventory', ['-i', SCRIPT, '--list']);
  expect(listed.stderr).not.toMatch(/warning|error/i);
  expect(listed.code).toBe(0);
  const read = JSON.parse(listed.stdout) as AnsibleInventory;
  const served = JSON.parse(await place.done(['inventory', 'automation', '--list'])) as AnsibleInventory;
  expect(Object.keys(read._meta.hostvars)).toHaveLength(HOSTS);
  expect(read._meta.hostvars).toEqual(served._meta.hostvars);
  for (const group of served.all.children) {
    expect((read[group] as { hosts: string[] }).hosts.sort()).toEqual(
      (served[group] as { hosts: string[] }).hosts.sort(),
    );
  }
});

test('ansible-inventory draws the groups', async () => {
  const graph = await ansible('ansible-inventory', ['-i', SCRIPT, '--graph']);
  expect(graph.code).toBe(0);
  expect(graph.stdout).toContain('@site_codfw:');
  const hosts = new Set([...graph.stdout.matchAll(/--([a-z0-9.-]+)$/gm)].map(([, name]) => name));
  expect(hosts.size).toBe(HOSTS);
});

test('the answer for one host equals the full one', async () => {
  const served = JSON.parse(await place.done(['inventory', 'automation', '--list'])) as AnsibleInventory;
  for (const hostname of ['mw2259.codfw.wmnet', 'dns4003.wikimedia.org']) {
    const one = JSON.parse(await place.done(['inventory', 'automation', `--host=${hostname}`]));
    expect(one).toEqual(served._meta.hostvars[hostname]);
  }
});

test('the inventory is to the byte what another store gives', async () => {
  const other = await Workplace.create();
  try {
    await addSample(other);
    const list = ['inventory', 'automation', '--list'];
    expect(await place.done(list)).toBe(await other.done(list));
  } finally {
    await other.close();
  }
});

const EVIL = `host,evil\nvictim.example.org,"{{ lookup('pipe', 'touch EXECUTED') }}"\nother.example.org,"{% if 1 %}{# x #}{% endif %}"\n`;

test.describe('template text in a label', () => {
  let victim: Workplace;

  test.beforeAll(async ({ databaseServer }) => {
    victim = await Workplace.create(environmentOf(databaseServer));
    await writeFile(victim.path('evil.csv'), EVIL);
    await victim.done(['account', 'add', 'evil', '--type', 'csv', '--set', 'path=evil.csv']);
    await victim.done(['import', 'evil']);
  });
  test.afterAll(() => victim.close());

  async function evaluate(mode: string): Promise<{ executed: boolean; output: string }> {
    const shown = await ansible(
      'ansible',
      ['victim.example.org', '-i', SCRIPT, '-c', 'local', '-m', 'ansible.builtin.debug', '-a', 'var=evil'],
      victim,
      { SERVICE_INVENTORY_TEMPLATE_TEXT: mode },
    );
    return { executed: existsSync(victim.path('EXECUTED')), output: shown.stdout + shown.stderr };
  }

  test('reaches ansible and runs nothing', async () => {
    const broken = await evaluate('break');
    expect(broken.output).toContain('{ { lookup');
    expect(broken.executed).toBe(false);
    const wrapped = await evaluate('wrap');
    expect(wrapped.output).toContain('{{ lookup');
    expect(wrapped.executed).toBe(false);
  });

  test('would run something if it were served as it is', async () => {
    expect((await evaluate('serve')).executed).toBe(true);
  });
});
