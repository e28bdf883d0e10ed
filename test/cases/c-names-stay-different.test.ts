import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { reportOfNames } from '../../src/app/inventory/name-report.ts';
import { type RenderOptions, renderInventory } from '../../src/app/inventory/render.ts';
import { nameTrouble } from '../../src/kit/names/ansible-names.ts';
import { type InventoryGroup, type InventoryHost, type JsonObject, StoredJson } from '../../src/ports/index.ts';
import { temporaryFolder } from '../kit/shared/temporary-file.ts';
import { host, write } from '../plugins/files/support.ts';
import { pythonEnvironment, pythonProgram } from '../support/python-environment.ts';

const ignore = (): void => undefined;

function served(hostname: string, groups: readonly string[], variables: JsonObject = {}): InventoryHost {
  return { hostname, groups, variables: StoredJson.ofValue(variables) };
}

function definition(name: string, more: Partial<InventoryGroup> = {}): InventoryGroup {
  return { name, parents: [], children: [], variables: {}, ...more } as InventoryGroup;
}

async function rendered(
  hosts: readonly InventoryHost[],
  options: Partial<RenderOptions> = {},
): Promise<{ document: Record<string, { hosts: string[]; children?: string[]; vars?: object }>; warnings: string }> {
  const warnings: unknown[] = [];
  const logger = {
    debug: ignore,
    info: ignore,
    error: ignore,
    warn: (message: string, fields?: object) => void warnings.push([message, fields]),
    child: () => logger,
  };
  async function* batches(): AsyncGenerator<readonly InventoryHost[]> {
    yield hosts;
  }
  let text = '';
  const mode = {
    templateText: 'break',
    names: 'identifier',
    ansibleLabels: 'safe',
    foreign: true,
    ...options,
  } as const;
  for await (const piece of renderInventory(batches(), { ...mode, logger })) text += piece;
  return { document: JSON.parse(text), warnings: JSON.stringify(warnings) };
}

describe('groups of an inventory whose names become one', () => {
  it('stay apart: the one whose name needs no change is served, or else the one with the most hosts', async () => {
    const { document, warnings } = await rendered([
      served('h1', ['site_東京', 'a-b']),
      served('h2', ['site_大阪', 'a_b']),
      served('h3', ['site_東京', 'a-b']),
      served('h4', ['x.y']),
      served('h5', ['x y']),
    ]);
    expect(document.site___).toEqual({ hosts: ['h1', 'h3'] });
    expect(document.a_b).toEqual({ hosts: ['h2'] });
    expect(document.x_y).toEqual({ hosts: ['h5'] });
    for (const lost of ['site_大阪', 'a-b', 'x.y']) expect(warnings).toContain(`group ${lost}`);
  });

  it('stay apart where template text in them is broken', async () => {
    const { document } = await rendered([served('h1', ['g{{x']), served('h2', ['g{ {x'])], { names: 'keep' });
    expect(document['g{ {x']).toEqual({ hosts: ['h2'] });
  });

  it('share neither definitions nor what patterns of rules say', async () => {
    const { document } = await rendered([served('h1', ['a-b']), served('h2', ['a-c'])], {
      groups: [
        definition('a b', { variables: { of: 'other' } }),
        definition('a b*', { variables: { of: 'others' } }),
        definition('a-*', { variables: { of: 'these' } }),
      ],
    });
    expect(document.a_b).toMatchObject({ hosts: ['h1'], vars: { of: 'these' } });
    expect(document.a_c).toMatchObject({ hosts: ['h2'], vars: { of: 'these' } });
  });

  it('are reported with variables that Ansible refuses or reserves', async () => {
    async function* batches(): AsyncGenerator<readonly InventoryHost[]> {
      yield [served('h1', ['a-b', 'a b'], { 'site.name': 'b', class: 1, hosts: 2, fine: 3 }), served('all', [])];
    }
    const mode = { templateText: 'break', ansibleLabels: 'safe', foreign: true } as const;
    const found = await reportOfNames(batches(), { ...mode, names: 'keep' }, 10);
    expect(found.map(({ name }) => name)).toEqual([
      'host all',
      'variable site.name (1 host)',
      'variable class (1 host)',
      'variable hosts (1 host)',
    ]);
    expect(found[1]?.reason).toContain('INVENTORY_VARIABLE_NAMES=identifier serves site_name');
    const named = await reportOfNames(batches(), { ...mode, names: 'identifier' }, 10);
    expect(named[0]).toMatchObject({ name: 'group a-b', reason: expect.stringContaining('"a b"') });
  });

  it('knows the names that Ansible refuses', () => {
    expect(['site.name', '1a', 'ü', 'None', 'for', 'a-b'].map(nameTrouble)).toEqual(Array(6).fill('refused'));
    expect(['hosts', 'vars', 'environment', 'group_names'].map(nameTrouble)).toEqual(Array(4).fill('reserved'));
    expect(nameTrouble('site_name')).toBeUndefined();
  });
});

async function inventoryOf(options: object, hosts: Parameters<typeof write>[1][number]) {
  const path = join(await temporaryFolder(), 'inventory.yml');
  const result = await write({ path, shape: 'ansible', ...options }, [hosts]);
  const { stdout, stderr } = await promisify(execFile)(pythonProgram('ansible-inventory'), ['-i', path, '--list'], {
    env: pythonEnvironment(),
  });
  return { ...result, inventory: JSON.parse(stdout), stderr };
}

describe('files for Ansible', () => {
  it('keep groups and variables apart that become one, and name them', { timeout: 60_000 }, async () => {
    const { inventory, leftOut, stderr } = await inventoryOf({}, [
      host('h1', { 'site.name': 'n' }, { groups: ['site_東京', 'hosts', 'children', 'vars'] }),
      host('h2', { 'a.b': 1, 'a-b': 2, '1x': 3 }, { groups: ['site_大阪', 'site_a b'] }),
      host('h3', {}, { groups: ['site_a-b', 'site_東京', 'x+y', 'localhost', '_meta'] }),
      host('h4', { 'ansible-connection': 'local', _ansible_x: 1 }, { groups: ['x_y'] }),
    ]);
    expect(inventory.site___.hosts).toEqual(['h1', 'h3']);
    expect(inventory.site_a_b.hosts).toEqual(['h2']);
    expect(inventory.x_y.hosts).toEqual(['h4']);
    expect(['hosts', 'children', 'vars'].map((group) => inventory[group].hosts)).toEqual([['h1'], ['h1'], ['h1']]);
    expect(inventory._meta.hostvars).toMatchObject({ h1: { site_name: 'n' }, h2: { a_b: 2, _1x: 3 } });
    expect(JSON.stringify(inventory._meta.hostvars)).not.toContain('ansible_');
    expect(leftOut?.map(({ name }) => name).sort()).toEqual([
      'group _meta',
      'group localhost',
      'group site_a-b',
      'group site_大阪',
      'group x+y',
      'variable of host h2: a.b',
    ]);
    expect(stderr).not.toContain('nvalid');
  });

  it('keep names of variables where the account says so', async () => {
    const path = join(await temporaryFolder(), 'inventory.yml');
    await write({ path, shape: 'ansible', variable_names: 'keep' }, [[host('h1', { 'site.name': 'n' })]]);
    expect(await readFile(path, 'utf8')).toContain('"site.name"');
  });

  it('leave out hosts that stand for others, and serve the rest', { timeout: 60_000 }, async () => {
    const evil = [
      'all',
      'ungrouped',
      'localhost',
      '127.0.0.1',
      '127.1',
      '0',
      'LOCALHOST',
      '::1',
      'a b',
      '-oX',
      'x\n  y:',
    ];
    const { inventory, failed } = await inventoryOf({}, [...evil.map((name) => host(name)), host('victim')]);
    expect(Object.keys(failed).sort()).toEqual(evil.sort());
    expect(inventory.ungrouped.hosts).toEqual(['victim']);
  });
});

describe('files that machines look names up in', () => {
  const made = async (options: object, hosts: Parameters<typeof write>[1][number]) => {
    const path = join(await temporaryFolder(), 'made');
    const result = await write({ path, address_field: 'ip', ...options }, [hosts]);
    return { ...result, text: await readFile(path, 'utf8') };
  };
  const at = (name: string, ip: string, more: JsonObject = {}) => host(name, { ip, ...more });
  const ZONE = { shape: 'dns_zone', origin: 'example.org', ns: 'ns.example.org', hostmaster: 'h@example.org' };

  it.each([
    ['dns_zone', ZONE],
    ['hosts', { shape: 'hosts' }],
  ])('have one host of a name in %s, and name the other', async (_shape, options) => {
    const { text, failed } = await made(options, [
      at('WEB01', '192.0.2.1'),
      at('Other', '192.0.2.3'),
      at('web01', '192.0.2.2'),
    ]);
    expect(text).toContain('192.0.2.2');
    expect(text).not.toContain('192.0.2.1');
    expect(text).toContain('192.0.2.3');
    expect(failed).toEqual({ WEB01: expect.stringContaining('"web01"') });
  });

  it('take a name without a domain for one of the zone', async () => {
    const { text, failed } = await made(ZONE, [at('web01', '192.0.2.1'), at('web01.example.org', '192.0.2.2')]);
    expect(text).not.toContain('192.0.2.2');
    expect(Object.keys(failed)).toEqual(['web01.example.org']);
  });

  it.each(['hosts', 'ssh_config'])('give a short name to one host in %s', async (shape) => {
    const { text, leftOut } = await made({ shape, short_names: true }, [
      at('db.a.example.org', '192.0.2.1'),
      at('db.b.example.org', '192.0.2.2'),
      at('localhost.example.org', '192.0.2.3'),
    ]);
    expect(text.match(/ db$/gm)).toHaveLength(1);
    expect(text).not.toMatch(/ localhost$/m);
    expect(leftOut).toMatchObject([{ name: 'short name of db.b.example.org' }]);
  });

  it.each(['hosts', 'ssh_config', 'dns_zone'])('leave localhost and all out of %s', async (shape) => {
    const options = shape === 'dns_zone' ? ZONE : { shape };
    const evil = ['all', 'localhost', 'localhost.localdomain', 'ip6-loopback', 'a\nb'];
    const { text, failed } = await made(options, [
      ...evil.map((name) => at(name, '192.0.2.66')),
      at('web01', '192.0.2.1'),
    ]);
    expect(text).toContain('192.0.2.1');
    expect(text).not.toContain('192.0.2.66');
    expect(Object.keys(failed)).toEqual(evil);
  });

  it.each([
    ['app.name', 'app-name', 'app_name'],
    ['1st', '_1st', '_1st'],
    ['größe', 'gr.e-e', undefined],
    ['__x', '_x', '_x'],
  ])('have one label of %s and %s in file_sd, and name the other', async (one, other, label) => {
    const options = { shape: 'file_sd', fields: `${one},${other}`, address_field: '' };
    const { text, leftOut } = await made(options, [host('web01', { [one]: 'x', [other]: 'y' })]);
    const [{ labels }] = JSON.parse(text);
    if (label === undefined) return expect(leftOut).toBeUndefined();
    expect(Object.keys(labels)).toEqual([label, '__meta_muster_hostname']);
    expect(leftOut).toHaveLength(1);
  });
});
