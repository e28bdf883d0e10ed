import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { SourceItem, SourceRecord } from '../../../src/ports/index.ts';
import { world } from '../../app/import/support.ts';
import { json, type MisbehavingServer, misbehavingServer } from '../../support/misbehaving-server.ts';
import { itemsOf } from '../../support/read-source.ts';
import { openRest, told } from './rest-account.ts';

let server: MisbehavingServer;
let folder: string;
beforeAll(async () => {
  server = await misbehavingServer();
  folder = await mkdtemp(join(tmpdir(), 'muster-presets-'));
});
afterEach(() => {
  server.requests.length = 0;
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

const read = async (fields: Record<string, unknown>) => itemsOf(await openRest(server.origin, fields, { folder }));
const records = (items: readonly SourceItem[]) => items.filter((item): item is SourceRecord => item.kind === 'record');
const edges = (items: readonly SourceItem[]) =>
  records(items).map(({ type, hostname, relations }) => [type, hostname, relations?.map((one) => Object.values(one))]);

const machines = [
  { name: 'esx1', cluster: { name: 'muc-1' } },
  { name: 'web01', runs: 'esx1', groups: [{ name: 'web' }, { name: 'dmz' }], serial: 'J4711' },
];

describe('records of a list', () => {
  it('are of a type, with edges to what their members name', async () => {
    server.at('/machines', json(machines));
    const items = await read({
      path: 'machines',
      hostname_field: 'name',
      record_type: 'machine',
      relation_fields: 'runs_on:runs, member_of:groups[].name, member_of:cluster.name',
    });
    expect(edges(items)).toEqual([
      ['machine', 'esx1', [['member_of', 'muc-1']]],
      [
        'machine',
        'web01',
        [
          ['runs_on', 'esx1'],
          ['member_of', 'web'],
          ['member_of', 'dmz'],
        ],
      ],
    ]);
    expect(records(items)[1]?.labels).toMatchObject({ runs: 'esx1' });
  });

  it('are what the account has where nothing is said', async () => {
    server.at('/machines', json(machines));
    const [first] = records(await read({ path: 'machines', hostname_field: 'name' }));
    expect(first).not.toHaveProperty('type');
    expect(first).not.toHaveProperty('relations');
  });

  it('may stand in elements of another list, and be called after both', async () => {
    const list = [
      { name: 'srv1', os: { apps: [{ app: { name: 'vim' }, path: '/usr' }, { app: { name: null } }] } },
      { name: 'srv2', os: null },
      { name: null, os: { apps: [{ app: { name: 'nano' } }] } },
    ];
    server.at('/devices', json({ data: list }));
    const items = await read({
      path: 'devices',
      data_key: 'data[].os.apps[]',
      outer_fields: 'device:name',
      name_template: '{{ device }}/{{ app.name }}',
      record_filter: 'path=/usr',
      record_type: 'application',
      relation_fields: 'runs_on:device',
    });
    expect(edges(items)).toEqual([['application', 'srv1/vim', [['runs_on', 'srv1']]]]);
    const whole = await read({
      path: 'devices',
      data_key: 'data[].os.apps[]',
      outer_fields: 'device:name',
      name_template: '{{ device }}/{{ path }}',
    });
    expect(told(whole)).toEqual([
      'srv1//usr',
      expect.stringMatching(/^skipped: record 2: name_template gives no name for it: 'path' is undefined/),
      expect.stringMatching(/^skipped: record 3: name_template gives no name for it: 'device' is undefined/),
    ]);
  });

  it.each([
    ['relation_fields', 'runs:esx', /must be types of relations \(depends_on, runs_on/],
    ['relation_fields', 'runs_on', /must be types of relations/],
    ['name_template', '{{ name', /name_template does not compile/],
    ['objects', 'sites', /objects names sites, which the preset does not have; it has none/],
    ['objects', '[{"path": "sites"}]', /objects number 1 is not valid: record_type/],
    ['objects', '{"path"', /must be names of lists, or a JSON list/],
  ])('%s=%s is refused', async (name, value, message) => {
    server.at('/', json([]));
    await expect(read({ [name]: value })).rejects.toThrow(message);
  });
});

describe('further lists of objects', () => {
  const sites = [
    { id: 1, name: 'muc', region: 'eu' },
    { id: 2, name: 'ber', region: 'eu' },
  ];
  const hosts = { path: 'machines', hostname_field: 'name', relation_fields: 'runs_on:runs' };
  const objects = JSON.stringify([
    {
      record_type: 'site',
      path: 'sites',
      key_fields: 'id',
      relation_fields: 'member_of:region',
      join: [{ path: 'contacts', on: 'id', key: 'site', as: 'contact' }],
      map: { labels: { contact: 'contact.mail' } },
    },
    { record_type: 'region', path: 'regions' },
  ]);

  it('are read after the hosts, by requests and joins of their own', async () => {
    server.at('/machines', json(machines));
    server.at('/sites', json(sites));
    server.at('/contacts', json([{ site: 2, mail: 'ber@example.org' }]));
    server.at('/regions', json([{ name: 'eu' }]));
    const items = await read({ ...hosts, objects });
    expect(edges(items)).toEqual([
      ['host', 'esx1', []],
      ['host', 'web01', [['runs_on', 'esx1']]],
      ['site', 'muc', [['member_of', 'eu']]],
      ['site', 'ber', [['member_of', 'eu']]],
      ['region', 'eu', undefined],
    ]);
    expect(records(items)[3]).toMatchObject({ labels: { contact: 'ber@example.org' }, keys: { id: ['2'] } });
  });

  it('are imported as objects, with edges between them, and stay when a list cannot be read', async () => {
    const { storage, run } = await world();
    const options = { delete_host_if_not_found_on_import: true, delete_threshold_percent: 100 };
    const open = () => openRest(server.origin, { ...hosts, objects });
    server.at('/machines', json(machines));
    server.at('/sites', json(sites));
    server.at('/contacts', json([]));
    server.at('/regions', json([{ name: 'eu' }]));
    expect((await run(await open(), { options })).summary).toMatchObject({ created: 5 });
    const [site, host] = await storage.hosts.findEach(['muc', 'web01']);
    expect([site?.objectType, site?.isObject, host?.objectType, host?.isObject]).toEqual(['site', true, 'host', false]);
    expect(await storage.relations.of(['muc'])).toMatchObject([{ type: 'member_of', target: 'eu' }]);

    for (const status of [500, 403]) {
      server.at('/regions', json({}, {}, status));
      const report = await run(await open(), { options });
      expect(report).toMatchObject({ status: 'partial', summary: { archived: 0 } });
      expect(report.gaps).toMatchObject([{ what: 'region' }]);
    }
    server.at('/regions', json([]));
    expect((await run(await open(), { options })).summary).toMatchObject({ archived: 1 });
  });

  it('are offered by presets, and are read where the account names them', async () => {
    await writeFile(
      join(folder, 'mine.yaml'),
      `
title: Mine
description: x
options: { path: machines, hostname_field: name }
objects:
  sites: { record_type: site, path: sites, body: { all: true } }
  regions: { record_type: region, path: regions }
`,
    );
    server.at('/machines', json(machines));
    server.at('/sites', json(sites));
    expect(told(await read({ preset: 'mine' }))).toEqual(['esx1', 'web01']);
    expect(told(await read({ preset: 'mine', objects: 'sites' }))).toEqual(['esx1', 'web01', 'muc', 'ber']);
    expect(server.requests.at(-1)).toMatchObject({ method: 'POST', body: '{"all":true}' });
    await expect(read({ preset: 'mine', objects: 'site' })).rejects.toThrow('it has sites, regions');
  });
});
