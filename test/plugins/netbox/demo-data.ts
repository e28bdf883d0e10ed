import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { slugOf } from '../../../src/plugins/netbox/export/names.ts';
import type { JsonObject, JsonValue } from '../../../src/ports/index.ts';
import type { Found, RealNetBox } from './real-netbox.ts';

const root = process.cwd();
const DEVICES = join(root, 'src/plugins/json/fixtures/netbox-devices.json');
const VMS = join(import.meta.dirname, 'fixtures/netbox-virtual-machines.json');

export const DEMO_CLUSTER_TYPE = 'Public Cloud';

function resultsOf(file: string): readonly JsonObject[] {
  return (JSON.parse(readFileSync(file, 'utf8')) as { results: JsonObject[] }).results;
}

function nameOf(value: JsonValue | undefined): string {
  const { name, model } = (value ?? {}) as { readonly name?: string; readonly model?: string };
  return name ?? model ?? '';
}

const WITHOUT_SLUG: ReadonlySet<string> = new Set(['dcim/racks/', 'virtualization/clusters/']);

/** Things that others refer to, each made once, and found again by their names. */
class References {
  readonly #netbox: RealNetBox;
  readonly #ids = new Map<string, Promise<Found>>();

  constructor(netbox: RealNetBox) {
    this.#netbox = netbox;
  }

  async id(path: string, name: string, more: JsonObject = {}): Promise<number | null> {
    if (name === '') return null;
    const key = JSON.stringify([path, name, more]);
    const known = this.#ids.get(key) ?? this.#made(path, name, more);
    this.#ids.set(key, known);
    return (await known).id;
  }

  #made(path: string, name: string, more: JsonObject): Promise<Found> {
    const called = path === 'dcim/device-types/' ? { model: name } : { name };
    const slug = WITHOUT_SLUG.has(path) ? {} : { slug: slugOf(name) };
    return this.#netbox.make(path, { ...called, ...slug, ...more });
  }
}

/**
 * Puts the demo data of NetBox into one: 72 devices, 22 of them without a name, and 180 virtual machines. What the data has no interfaces
 * of gets one with an address here, the named devices and the virtual machines.
 */
export async function loadDemoData(netbox: RealNetBox): Promise<void> {
  const references = new References(netbox);
  const devices: JsonObject[] = [];
  for (const device of resultsOf(DEVICES)) devices.push(await demoDevice(device, references));
  const machines: JsonObject[] = [];
  const type = await references.id('virtualization/cluster-types/', DEMO_CLUSTER_TYPE);
  for (const { name = null, cluster, role, platform } of resultsOf(VMS)) {
    machines.push({
      name,
      cluster: await references.id('virtualization/clusters/', nameOf(cluster), { type }),
      role: await references.id('dcim/device-roles/', nameOf(role), { color: '9e9e9e' }),
      platform: await references.id('dcim/platforms/', nameOf(platform)),
    });
  }
  const named = (await netbox.makeAll('dcim/devices/', devices)).filter(({ name }) => name !== null);
  await addPorts(netbox, 'device', named);
  await addPorts(netbox, 'virtual_machine', await netbox.makeAll('virtualization/virtual-machines/', machines));
}

async function demoDevice(device: JsonObject, references: References): Promise<JsonObject> {
  const { name = null, site, location, rack, role, device_type, platform, tenant, status } = device;
  const { manufacturer } = device_type as JsonObject;
  const siteId = await references.id('dcim/sites/', nameOf(site));
  const place = { site: siteId };
  const locationId = await references.id('dcim/locations/', nameOf(location), place);
  return {
    name,
    ...place,
    location: locationId,
    rack: await references.id('dcim/racks/', nameOf(rack), { ...place, location: locationId }),
    role: await references.id('dcim/device-roles/', nameOf(role), { color: '9e9e9e' }),
    device_type: await references.id('dcim/device-types/', nameOf(device_type), {
      manufacturer: await references.id('dcim/manufacturers/', nameOf(manufacturer)),
    }),
    platform: await references.id('dcim/platforms/', nameOf(platform)),
    tenant: await references.id('tenancy/tenants/', nameOf(tenant)),
    status: (status as JsonObject).value ?? 'active',
  };
}

/** A port with an address each, which is the primary one. */
async function addPorts(
  netbox: RealNetBox,
  kind: 'device' | 'virtual_machine',
  machines: readonly Found[],
): Promise<void> {
  const isDevice = kind === 'device';
  const ports = await netbox.makeAll(
    isDevice ? 'dcim/interfaces/' : 'virtualization/interfaces/',
    machines.map(({ id }) => ({ [kind]: id, name: 'mgmt', ...(isDevice ? { type: '1000base-t' } : {}) })),
  );
  const addresses = await netbox.makeAll(
    'ipam/ip-addresses/',
    ports.map(({ id }, index) => ({
      address: `10.${isDevice ? 1 : 2}.${Math.floor(index / 250)}.${(index % 250) + 1}/16`,
      assigned_object_type: isDevice ? 'dcim.interface' : 'virtualization.vminterface',
      assigned_object_id: id,
    })),
  );
  const primary = machines.map(({ id }, index) => ({ id, primary_ip4: addresses[index]?.id ?? null }));
  await netbox.changeAll(isDevice ? 'dcim/devices/' : 'virtualization/virtual-machines/', primary);
}
