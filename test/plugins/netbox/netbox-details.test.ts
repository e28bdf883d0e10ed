import { afterEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/ports/index.ts';
import { type AnsweringServer, answeringServer } from '../../../src/testing/faulty-server.ts';
import { inEnglish } from '../../support/english-wordings.ts';
import { device, itemsOf, netboxSource, recordsOf, TOKEN } from './netbox-account.ts';
import { netboxAnswer } from './simulated-netbox.ts';

const servers: AnsweringServer[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

const SW1 = { id: 1, name: 'sw1' };
const SW2 = { id: 2, name: 'sw2' };
const VM1 = { id: 1, name: 'vm1' };

function port(id: number, of: JsonObject, name: string, more: JsonObject = {}): JsonObject {
  return {
    id,
    device: of,
    name,
    type: { value: '1000base-t', label: '1GE' },
    enabled: true,
    mtu: null,
    tags: [],
    ...more,
  };
}

function address(id: number, text: string, assigned: JsonObject): JsonObject {
  return { id, address: text, vrf: null, status: { value: 'active', label: 'Active' }, ...assigned };
}

const DATA = {
  'dcim/devices/': [device(1, 'sw1'), device(2, 'sw2')],
  'virtualization/virtual-machines/': [{ ...VM1, tags: [], custom_fields: {} }],
  'dcim/interfaces/': [
    port(10, SW1, 'Gi1/0/1', {
      mac_address: '00:00:5E:00:53:01',
      connected_endpoints: [{ id: 11, name: 'Gi1/0/2', device: SW2 }],
      tagged_vlans: [{ id: 1, vid: 12, name: 'office' }],
    }),
    port(11, SW2, 'Gi1/0/2', { connected_endpoints: [{ id: 10, name: 'Gi1/0/1', device: SW1 }] }),
  ],
  'virtualization/interfaces/': [{ id: 10, virtual_machine: VM1, name: 'eth0', enabled: true, tags: [] }],
  'ipam/ip-addresses/': [
    address(1, '10.0.0.1/24', {
      assigned_object_type: 'dcim.interface',
      assigned_object_id: 10,
      assigned_object: { id: 10, name: 'Gi1/0/1', device: SW1 },
    }),
    address(2, '2001:db8::1/64', {
      assigned_object_type: 'virtualization.vminterface',
      assigned_object_id: 10,
      assigned_object: { id: 10, name: 'eth0', virtual_machine: VM1 },
    }),
    address(3, '10.0.0.1/24', { vrf: { id: 4, name: 'lab' }, assigned_object: null }),
  ],
  'ipam/prefixes/': [{ id: 1, prefix: '10.0.0.0/24', vrf: null, status: { value: 'active', label: 'Active' } }],
  'virtualization/clusters/': [{ id: 7, name: 'kvm', type: { id: 1, name: 'KVM', slug: 'kvm' } }],
  'tenancy/contacts/': [{ id: 1, name: 'Nina', email: 'nina@example.org' }],
};
/** As NetBox names the owner of a service since 4.3, and before. */
const SERVICES = {
  '4.7.3': [{ id: 1, name: 'ssh', ports: [22], parent_object_type: 'dcim.device', parent_object_id: 1, parent: SW1 }],
  '4.2.9': [{ id: 1, name: 'ssh', ports: [22], device: SW1, virtual_machine: null }],
};

async function netbox(
  version: keyof typeof SERVICES = '4.7.3',
  hidden: readonly string[] = [],
  more: Readonly<Record<string, readonly JsonObject[]>> = {},
): Promise<string> {
  const data = { ...DATA, 'ipam/services/': SERVICES[version], ...more };
  const simulated = { version, hidden, authorization: `Bearer ${TOKEN}`, data };
  const server = await answeringServer((request) => netboxAnswer(simulated, request));
  servers.push(server);
  return server.address;
}

describe('netbox: what belongs to hosts', () => {
  it.each(['4.7.3', '4.2.9'] as const)(
    'fills sections of hosts, and follows cables, with NetBox %s',
    async (version) => {
      const source = netboxSource(await netbox(version), { sections: 'interfaces,services' });
      const [sw1, sw2, vm1] = recordsOf(await itemsOf(source));
      expect(sw1?.inventory).toEqual({
        netbox: {
          interfaces: [
            {
              netbox_if_id: 10,
              name: 'Gi1/0/1',
              type: '1000base-t',
              enabled: true,
              mac_address: '00:00:5E:00:53:01',
              tagged_vlans: [{ vid: 12, name: 'office' }],
              connected_to: [{ device: 'sw2', interface: 'Gi1/0/2' }],
              ip_addresses: [{ id: 1, address: '10.0.0.1/24', status: 'active' }],
              ipv4_addresses: ['10.0.0.1/24'],
              ipv6_addresses: [],
            },
          ],
          services: [{ id: 1, name: 'ssh', ports: [22] }],
        },
      });
      expect(sw1?.relations).toEqual([{ type: 'connects_to', target: 'sw2' }]);
      expect(sw2?.inventory).toMatchObject({ netbox: { services: [] } });
      expect(vm1?.inventory).toMatchObject({
        netbox: {
          interfaces: [{ name: 'eth0', ipv4_addresses: [], ipv6_addresses: ['2001:db8::1/64'] }],
          services: [],
        },
      });
    },
  );

  it('leaves sections as they are, and says so, where they cannot be read', async () => {
    const source = netboxSource(await netbox('4.7.3', ['ipam/ip-addresses/']), { sections: 'interfaces' });
    const items = await itemsOf(source, 'devices');
    expect(recordsOf(items).map(({ hostname, inventory }) => [hostname, inventory])).toEqual([
      ['sw1', undefined],
      ['sw2', undefined],
    ]);
    expect(inEnglish(items.at(-1))).toMatchObject({ kind: 'gap', what: 'interfaces of devices 1 to 2' });
  });

  it('makes objects of what parts names, related to their hosts', async () => {
    const parts = 'interfaces,vm_interfaces,ips,prefixes,clusters,contacts,services';
    const records = recordsOf(await itemsOf(netboxSource(await netbox(), { parts })));
    expect(records.map(({ hostname, type, relations }) => [type, hostname, relations])).toEqual([
      [
        'interface',
        'sw1:Gi1_0_1',
        [
          { type: 'member_of', target: 'sw1' },
          { type: 'connects_to', target: 'sw2:Gi1_0_2' },
        ],
      ],
      [
        'interface',
        'sw2:Gi1_0_2',
        [
          { type: 'member_of', target: 'sw2' },
          { type: 'connects_to', target: 'sw1:Gi1_0_1' },
        ],
      ],
      ['interface', 'vm1:eth0', [{ type: 'member_of', target: 'vm1' }]],
      ['ip_address', '10.0.0.1', [{ type: 'member_of', target: 'sw1' }]],
      ['ip_address', '2001:db8::1', [{ type: 'member_of', target: 'vm1' }]],
      ['ip_address', '10.0.0.1 lab', []],
      ['network', '10.0.0.0_24', []],
      ['cluster', 'kvm', []],
      ['contact', 'Nina', []],
      ['service', 'sw1:ssh', [{ type: 'runs_on', target: 'sw1' }]],
    ]);
    expect(records[0]?.labels).toMatchObject({
      parent_host: 'sw1',
      ipv4_addresses: ['10.0.0.1/24'],
      'type.value': '1000base-t',
    });
  });

  it('gives interfaces by host to a run that only fills a section', async () => {
    const source = netboxSource(await netbox());
    const context = { signal: new AbortController().signal, progress: () => undefined, inventorizes: true } as const;
    const found: unknown[] = [];
    for await (const batch of source.read({ ...context, part: 'interfaces' })) found.push(...batch);
    expect(found).toMatchObject([
      { hostname: 'sw1', labels: {}, inventory: { interfaces: { 'Gi1/0/1': { ipv4_addresses: ['10.0.0.1/24'] } } } },
      { hostname: 'sw2', labels: {}, inventory: { interfaces: { 'Gi1/0/2': {} } } },
    ]);
  });

  describe('of a virtual chassis whose master stands for it', () => {
    const chassis = { virtual_chassis: { id: 1, name: 'stack', master: SW1 } };
    const SW3 = { id: 3, name: 'sw3' };
    const stack = {
      'dcim/devices/': [device(1, 'sw1', chassis), device(2, 'sw2', chassis), device(3, 'sw3')],
      'dcim/interfaces/': [
        port(10, SW1, 'mgmt0'),
        port(11, SW2, 'mgmt0', { connected_endpoints: [{ id: 13, name: 'eth0', device: SW3 }] }),
        port(12, SW2, 'Gi2/0/1', { connected_endpoints: [{ id: 10, name: 'mgmt0', device: SW1 }] }),
        port(13, SW3, 'eth0', { connected_endpoints: [{ id: 11, name: 'mgmt0', device: SW2 }] }),
      ],
      'ipam/services/': [
        { id: 2, name: 'web', ports: [80], parent_object_type: 'dcim.device', parent_object_id: 2, parent: SW2 },
      ],
    };
    const master = { virtual_chassis: 'master', page_size: 1 };

    it('are those of all its members', async () => {
      const source = netboxSource(await netbox('4.7.3', [], stack), { sections: 'interfaces,services', ...master });
      const [sw1, sw3] = recordsOf(await itemsOf(source, 'devices'));
      expect(sw1?.inventory).toMatchObject({
        netbox: {
          interfaces: [
            { name: 'mgmt0' },
            { name: 'mgmt0', device: 'sw2', connected_to: [{ device: 'sw3', interface: 'eth0' }] },
            { name: 'Gi2/0/1', device: 'sw2' },
          ],
          services: [{ name: 'web' }],
        },
      });
      expect(sw1?.relations).toEqual([{ type: 'connects_to', target: 'sw3' }]);
      expect(sw3?.relations).toEqual([{ type: 'connects_to', target: 'sw1' }]);
    });

    it('are objects of the master under the names of their devices', async () => {
      const source = netboxSource(await netbox('4.7.3', [], stack), { parts: 'interfaces,ips,services', ...master });
      const records = recordsOf(await itemsOf(source));
      expect(records.map(({ hostname, labels, relations }) => [hostname, labels.parent_host, relations?.[0]])).toEqual([
        ['sw1:mgmt0', 'sw1', { type: 'member_of', target: 'sw1' }],
        ['sw2:mgmt0', 'sw1', { type: 'member_of', target: 'sw1' }],
        ['sw2:Gi2_0_1', 'sw1', { type: 'member_of', target: 'sw1' }],
        ['sw3:eth0', 'sw3', { type: 'member_of', target: 'sw3' }],
        ['10.0.0.1', undefined, { type: 'member_of', target: 'sw1' }],
        ['2001:db8::1', undefined, { type: 'member_of', target: 'vm1' }],
        ['10.0.0.1 lab', undefined, undefined],
        ['sw2:web', undefined, { type: 'runs_on', target: 'sw1' }],
      ]);
    });

    it('fill its section under names of their own', async () => {
      const source = netboxSource(await netbox('4.7.3', [], stack), master);
      const context = { signal: new AbortController().signal, progress: () => undefined, inventorizes: true } as const;
      const found: unknown[] = [];
      for await (const batch of source.read({ ...context, part: 'interfaces' })) found.push(...batch);
      expect(found).toMatchObject([
        { hostname: 'sw1', inventory: { interfaces: { mgmt0: {}, 'sw2:mgmt0': { device: 'sw2' }, 'Gi2/0/1': {} } } },
        { hostname: 'sw3', inventory: { interfaces: { eth0: {} } } },
      ]);
    });
  });
});
