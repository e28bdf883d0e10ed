import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { parseAccountOptions } from '../../../src/app/accounts/decisions/account-options.ts';
import { type AnsweringServer, answeringServer } from '../../../src/testing/faulty-server.ts';
import { describeSourceContract } from '../../../src/testing/source.contract.ts';
import { inEnglish } from '../../support/english-wordings.ts';
import { device, itemsOf, netboxSource, recordsOf, registered, TOKEN } from './netbox-account.ts';
import { netboxAnswer, type SimulatedNetBox } from './simulated-netbox.ts';

const EXPORT = join(import.meta.dirname, '../../fixtures/cmdbsyncer-4.4.0/everything/export.jsonl');

const servers: AnsweringServer[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function netbox(given: Partial<SimulatedNetBox> = {}): Promise<AnsweringServer> {
  const simulated = { authorization: `Bearer ${TOKEN}`, data: DATA, ...given };
  const server = await answeringServer((request) => netboxAnswer(simulated, request));
  servers.push(server);
  return server;
}

const BERLIN = { id: 9, name: 'Berlin', slug: 'berlin' };
const DATA = {
  'dcim/devices/': [
    device(1, 'sw01', {
      serial: 'FOC1',
      tags: [{ id: 1, name: 'Edge', slug: 'edge' }],
      custom_fields: {
        owner: 'net',
        floor: 3,
        contract: { id: 4, url: 'http://netbox/x/4/', name: 'C-4' },
        empty: null,
      },
      primary_ip4: { id: 5, url: 'http://netbox/ip/5/', family: { value: 4, label: 'IPv4' }, address: '10.0.0.1/24' },
    }),
    device(2, 'sw02', { cluster: { id: 7, name: 'kvm', url: 'http://netbox/c/7/' } }),
    device(3, null, { asset_tag: 'A-3', serial: 'FOC3' }),
    device(4, null),
    device(5, 'sw01', { site: BERLIN }),
  ],
  'virtualization/virtual-machines/': [
    {
      id: 1,
      name: 'vm1',
      status: { value: 'active', label: 'Active' },
      cluster: { id: 7, name: 'kvm' },
      device: { id: 2, name: 'sw02' },
      vcpus: 2,
      tags: [],
      custom_fields: {},
    },
  ],
};

describeSourceContract('netbox', {
  healthy: async () => ({
    source: netboxSource((await netbox()).address),
    hostname: 'sw02',
    keys: { hostname: 'vm1', values: { id: ['vms/1'] } },
    nameless: { id: ['devices/3'], serial: ['FOC3'] },
  }),
  broken: async () => netboxSource((await netbox()).address, {}, 'nbt_wrong.token'),
});

describe('netbox', () => {
  it('makes hosts of devices and virtual machines, with dotted labels and relations', async () => {
    const { address } = await netbox();
    const items = await itemsOf(netboxSource(address));
    expect(recordsOf(items).map(({ hostname, part, type }) => [hostname, part, type])).toEqual([
      ['sw01', 'devices', 'host'],
      ['sw02', 'devices', 'host'],
      ['sw01', 'devices', 'host'],
      ['vm1', 'vms', 'host'],
    ]);
    expect(items[0]).toEqual({
      kind: 'record',
      position: 'device 1',
      hostname: 'sw01',
      type: 'host',
      part: 'devices',
      labels: {
        id: 1,
        name: 'sw01',
        'device_type.id': 6,
        'device_type.manufacturer.id': 3,
        'device_type.manufacturer.name': 'Cisco',
        'device_type.manufacturer.slug': 'cisco',
        'device_type.model': 'C9200-48P',
        'device_type.slug': 'c9200-48p',
        'role.id': 1,
        'role.name': 'Switch',
        'role.slug': 'switch',
        serial: 'FOC1',
        'site.id': 2,
        'site.name': 'Akron',
        'site.slug': 'akron',
        'status.value': 'active',
        'status.label': 'Active',
        'primary_ip4.id': 5,
        'primary_ip4.family.value': 4,
        'primary_ip4.family.label': 'IPv4',
        'primary_ip4.address': '10.0.0.1/24',
        tags: ['Edge'],
        'custom_fields.owner': 'net',
        'custom_fields.floor': 3,
        'custom_fields.contract.id': 4,
        'custom_fields.contract.name': 'C-4',
      },
      keys: { id: ['devices/1'], serial: ['FOC1'] },
      relations: [],
    });
    expect(recordsOf(items).map(({ relations }) => relations)).toEqual([
      [],
      [{ type: 'member_of', target: 'kvm' }],
      [],
      [
        { type: 'runs_on', target: 'sw02' },
        { type: 'member_of', target: 'kvm' },
      ],
    ]);
    expect(items.filter(({ kind }) => kind === 'skipped')).toEqual([
      {
        kind: 'skipped',
        position: 'device 3 (C9200-48P, at Akron, serial FOC3, asset tag A-3)',
        keys: { id: ['devices/3'], serial: ['FOC3'] },
        reason: 'has no name; unnamed_hostname of the account can give it one',
      },
      {
        kind: 'skipped',
        position: 'device 4 (C9200-48P, at Akron)',
        keys: { id: ['devices/4'] },
        reason: 'has no name; unnamed_hostname of the account can give it one',
      },
    ]);
  });

  it('tells a name for each reference where the account wants that', async () => {
    const { address } = await netbox();
    const [first] = recordsOf(
      await itemsOf(netboxSource(address, { references: 'name', relations: false }), 'devices'),
    );
    expect(first?.labels).toEqual({
      id: 1,
      name: 'sw01',
      device_type: 'C9200-48P',
      role: 'Switch',
      serial: 'FOC1',
      site: 'Akron',
      status: 'Active',
      primary_ip4: '10.0.0.1/24',
      tags: ['Edge'],
      'custom_fields.owner': 'net',
      'custom_fields.floor': 3,
      'custom_fields.contract': 'C-4',
    });
    expect(first).not.toHaveProperty('relations');
  });

  it('names devices without a name, and those that share one, by templates', async () => {
    const { address } = await netbox();
    const options = {
      unnamed_hostname: '{{ device_type.slug }}-{{ asset_tag }}',
      duplicate_hostname: '{{ name }}-{{ site.slug }}',
    };
    const items = await itemsOf(netboxSource(address, options));
    expect(recordsOf(items).map(({ hostname }) => hostname)).toEqual([
      'sw01-akron',
      'sw02',
      'c9200-48p-A-3',
      'sw01-berlin',
      'vm1',
    ]);
    const [skipped] = items.filter((item) => item.kind === 'skipped');
    expect(skipped).toMatchObject({ position: expect.stringContaining('device 4') });
    expect(skipped?.reason).toMatch(/^gets no name of unnamed_hostname: .*asset_tag/);
  });

  it.each(['4.7.3', '4.2.9'])(
    'reads pages of NetBox %s in the order of the ids, though others are removed meanwhile',
    async (version) => {
      const all = Array.from({ length: 25 }, (_, index) => device(index + 1, `d${index + 1}`));
      const gone = new Set<number>();
      const simulated = (): SimulatedNetBox => ({
        version,
        authorization: `Bearer ${TOKEN}`,
        data: { 'dcim/devices/': all.filter(({ id }) => !gone.has(Number(id))) },
      });
      const server = await answeringServer((request) => {
        const answer = netboxAnswer(simulated(), request);
        if (request.path.includes('devices')) gone.add(gone.size + 1);
        return answer;
      });
      servers.push(server);
      const items = await itemsOf(netboxSource(server.address), 'devices');
      expect(recordsOf(items).map(({ hostname }) => hostname)).toEqual(all.map(({ name }) => name));
      expect(server.requests.filter(({ path }) => path.includes('devices'))).toHaveLength(3);
    },
  );

  it('asks only for what the filters of the account name', async () => {
    const server = await netbox();
    const options = { import_filter: 'site:berlin,site:hamburg,status:active', part_filters: 'vms=cluster_id:7' };
    const items = await itemsOf(netboxSource(server.address, options));
    expect(recordsOf(items).map(({ hostname, labels }) => [hostname, labels.id])).toEqual([
      ['sw01', 5],
      ['vm1', 1],
    ]);
    const paths = server.requests.map(({ path }) => path);
    expect(paths[1]).toContain('site=berlin&site=hamburg&status=active&exclude=config_context&start=0&limit=10');
    expect(paths[2]).toContain('virtual-machines/?cluster_id=7&');
  });

  it('makes hosts of the masters of virtual chassis alone where the account says so', async () => {
    const chassis = { id: 1, name: 'stack', master: { id: 1, name: 'sw01' } };
    const data = {
      'dcim/devices/': [
        device(1, 'sw01', { virtual_chassis: chassis }),
        device(2, 'sw01-2', { virtual_chassis: chassis }),
      ],
    };
    const { address } = await netbox({ data });
    const all = await itemsOf(netboxSource(address), 'devices');
    expect(recordsOf(all).map(({ hostname, relations }) => [hostname, relations])).toEqual([
      ['sw01', []],
      ['sw01-2', [{ type: 'member_of', target: 'sw01' }]],
    ]);
    const masters = await itemsOf(netboxSource(address, { virtual_chassis: 'master' }), 'devices');
    expect(recordsOf(masters).map(({ hostname }) => hostname)).toEqual(['sw01']);
    expect(masters.at(-1)).toMatchObject({ kind: 'left_out', count: 1 });
  });

  it('logs in with tokens of both kinds, at an address with or without /api', async () => {
    for (const [token, authorization] of [
      [TOKEN, `Bearer ${TOKEN}`],
      ['0123456789abcdef', 'Token 0123456789abcdef'],
    ] as const) {
      const { address } = await netbox({ authorization });
      for (const at of ['', '/', '/api', '/api/']) {
        const source = netboxSource(`${address}${at}`, {}, token);
        expect(await source.check?.({ signal: AbortSignal.timeout(5_000) })).toBe('NetBox 4.7.3 as reader');
      }
    }
  });

  it('says whose token it is by the tokens that an older NetBox shows', async () => {
    const token = { id: 1, user: { id: 3, username: 'nina' } };
    const older = { version: '4.2.9', data: { ...DATA, 'users/tokens/': [token, { ...token, id: 2 }] } };
    const signal = AbortSignal.timeout(5_000);
    expect(await netboxSource((await netbox(older)).address).check?.({ signal })).toBe('NetBox 4.2.9 as nina');
    const { address } = await netbox({ ...older, hidden: ['users/tokens/'] });
    expect(await netboxSource(address).check?.({ signal })).toBe('NetBox 4.2.9 as the owner of the token');
  });

  it('says what a token may not see, and reads the rest', async () => {
    const { address } = await netbox({ hidden: ['virtualization/virtual-machines/'] });
    const source = netboxSource(address);
    await expect(source.check?.({ signal: AbortSignal.timeout(5_000) })).rejects.toThrow(
      'NetBox 4.7.3 lets reader in, and not see all that the account reads: the permissions virtualization.view_virtualmachine are missing',
    );
    const items = await itemsOf(source);
    expect(recordsOf(items)).toHaveLength(3);
    expect(inEnglish(items.at(-1))).toEqual({
      kind: 'gap',
      what: 'virtual machines',
      reason:
        'the user of the token lacks the permission virtualization.view_virtualmachine; give it in NetBox, or leave vms out of parts',
    });
  });

  it('says what a token may not see of what sections are made of', async () => {
    const lists = { 'dcim/interfaces/': [], 'ipam/ip-addresses/': [], 'ipam/services/': [] };
    const { address } = await netbox({ data: { ...DATA, ...lists }, hidden: ['ipam/ip-addresses/', 'ipam/services/'] });
    const check = (sections: string) =>
      netboxSource(address, { parts: 'devices', sections }).check?.({ signal: AbortSignal.timeout(5_000) });
    await expect(check('interfaces')).rejects.toThrow('the permissions ipam.view_ipaddress are missing');
    await expect(check('services')).rejects.toThrow('the permissions ipam.view_service are missing');
    expect(await check('')).toBe('NetBox 4.7.3 as reader');
  });

  it('refuses filters that NetBox would pass over, and answer everything', () => {
    const { source } = registered();
    const parse = (options: Record<string, string>) => parseAccountOptions(source, options);
    expect(() => parse({ import_filter: 'role' })).toThrow('import_filter has "role", which is not key:value');
    expect(() => parse({ import_filter: 'limit:5' })).toThrow('import_filter names limit');
    expect(() => parse({ part_filters: 'racks=site:x' })).toThrow('write part=key:value, with one of the parts');
    expect(() => parse({ parts: 'devices,racks' })).toThrow('must be some of devices, vms, interfaces');
    expect(parse({ import_filter: ' role:router , , name:host:01' }).source).toMatchObject({
      parts: ['devices', 'vms'],
    });
  });

  it('takes the options of accounts of existing installations', () => {
    const line =
      readFileSync(EXPORT, 'utf8')
        .split('\n')
        .find((one) => one.includes('"typ": "netbox"')) ?? '';
    const { custom_fields = [] } = JSON.parse(line) as { custom_fields?: { name: string; value: string }[] };
    const options = Object.fromEntries(custom_fields.map(({ name, value }) => [name, value]));
    expect(options.delete_host_if_not_found_on_import).toBe('object_type:host');
    expect(parseAccountOptions(registered().source, options)).toMatchObject({
      common: { delete_host_if_not_found_on_import: 'object_type:host' },
      source: { import_filter: 'role:router,role:firewall', verify_cert: true },
    });
  });

  it('registers the imports and exports of existing installations, each of its part', async () => {
    const calls: string[] = [];
    const operation = async (name: string, input: unknown) => {
      calls.push(`${name} ${JSON.stringify(input)}`);
      return {};
    };
    for (const job of registered().jobs) {
      await job.run({ account: 'truth', operation, signal: new AbortController().signal, logger: {} as never });
    }
    expect(calls).toEqual([
      'imports/import-account {"account":"truth","part":"devices"}',
      'imports/import-account {"account":"truth","part":"vms"}',
      'imports/import-account {"account":"truth","part":"interfaces","inventorize":true}',
      'imports/import-account {"account":"truth","part":"vm_interfaces","inventorize":true}',
      ...['devices', 'vms', 'clusters', 'interfaces', 'vm_interfaces', 'ips', 'prefixes', 'contacts'].map(
        (part) => `exports/export-account {"account":"truth","part":"${part}"}`,
      ),
    ]);
  });
});
