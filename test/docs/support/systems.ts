import { StatefulNetBox, TOKEN } from '../../plugins/netbox/stateful-netbox.ts';

/** A system of the reader's, with what pages say that a file of the folder has. */
export interface ReadersSystem {
  readonly address: string;
  readonly files: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Systems by the addresses that pages give them. */
export const SYSTEMS: Readonly<Record<string, () => Promise<ReadersSystem>>> = {
  'https://netbox.example.org': async () => {
    const netbox = await new StatefulNetBox().start();
    fill(netbox);
    return { address: netbox.address, files: { token: TOKEN }, close: () => netbox.stop() };
  },
};

/** Two devices in two sites, one with an interface and an address, and a virtual machine. */
function fill(netbox: StatefulNetBox): void {
  const times = { last_updated: '2026-11-01T10:00:00Z' };
  const named = (path: string, name: string): number => netbox.put(path, { name, slug: name.toLowerCase() }).id;
  const [berlin, akron] = [named('dcim/sites/', 'Berlin'), named('dcim/sites/', 'Akron')];
  const role = named('dcim/device-roles/', 'Switch');
  const manufacturer = named('dcim/manufacturers/', 'Cisco');
  const type = netbox.put('dcim/device-types/', { model: 'C9200-48P', slug: 'c9200-48p', manufacturer }).id;
  const device = { device_type: type, role, tags: [], ...times };
  const switch1 = netbox.put('dcim/devices/', { name: 'core01', site: berlin, serial: 'FOC1', ...device });
  netbox.put('dcim/devices/', { name: 'core02', site: akron, ...device, status: 'offline' });
  const port = netbox.put('dcim/interfaces/', { device: switch1.id, name: 'Gi1/0/1', type: '1000base-t', ...times });
  const on = { assigned_object_type: 'dcim.interface', assigned_object_id: port.id };
  netbox.put('ipam/ip-addresses/', { address: '10.1.0.7/24', ...on, ...times });
  const cluster = netbox.put('virtualization/clusters/', { name: 'kvm1' }).id;
  netbox.put('virtualization/virtual-machines/', { name: 'vm01', cluster, tags: [], ...times });
}
