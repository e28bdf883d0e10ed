import type { TargetKind } from '../../../ports/index.ts';
import { ENDPOINTS, type Endpoint } from '../api/endpoints.ts';

const CUSTOM_FIELDS = { custom_fields: { compare: 'members' } } as const;
/** An object of its own, which is made after the interface. */
const MAC_ADDRESS = { mac_address: { later: true } } as const;
const RETIRED = { fields: { status: 'decommissioning' }, back: { status: 'active' } } as const;
/** NetBox takes more, and answers later. */
const BATCH = 100;

const ensured = { ensured: true, batch: BATCH } as const;

/**
 * All kinds, in the order in which they are created. Ensured ones exist for other objects to refer to, no matter who created
 * them.
 */
const KINDS = [
  { id: 'custom_field', title: 'Custom fields', ensured: true, fields: { name: {}, label: {}, object_types: {} } },
  { id: 'manufacturer', title: 'Manufacturers', ...ensured, fields: { name: {} } },
  { id: 'device_type', title: 'Device types', ...ensured, fields: { model: {}, manufacturer: {} } },
  { id: 'device_role', title: 'Roles', ...ensured, fields: { name: {}, vm_role: {} } },
  { id: 'site', title: 'Sites', ...ensured, fields: { name: {} } },
  { id: 'location', title: 'Locations', ...ensured, fields: { name: {}, site: {} } },
  { id: 'rack', title: 'Racks', ...ensured, fields: { name: {}, site: {}, location: {} } },
  { id: 'platform', title: 'Platforms', ...ensured, fields: { name: {}, manufacturer: {} } },
  { id: 'tenant', title: 'Tenants', ...ensured, fields: { name: {} } },
  { id: 'cluster_type', title: 'Types of clusters', ...ensured, fields: { name: {} } },
  { id: 'vrf', title: 'VRFs', ...ensured, fields: { name: {} } },
  { id: 'contact_group', title: 'Groups of contacts', ...ensured, fields: { name: {} } },
  {
    id: 'cluster',
    title: 'Clusters',
    batch: BATCH,
    shared: true,
    fields: { name: {}, type: {}, site: {}, status: {}, description: {}, ...CUSTOM_FIELDS },
  },
  {
    id: 'device',
    title: 'Devices',
    batch: BATCH,
    retired: RETIRED,
    fields: {
      name: {},
      device_type: {},
      role: {},
      platform: {},
      serial: {},
      tenant: {},
      site: {},
      location: {},
      rack: {},
      status: {},
      ...CUSTOM_FIELDS,
    },
  },
  {
    id: 'vm',
    title: 'Virtual machines',
    batch: BATCH,
    retired: RETIRED,
    fields: {
      name: {},
      cluster: {},
      role: {},
      platform: {},
      serial: {},
      tenant: {},
      site: {},
      status: {},
      ...CUSTOM_FIELDS,
    },
  },
  {
    id: 'interface',
    title: 'Interfaces of devices',
    within: 'device',
    batch: BATCH,
    fields: {
      device: {},
      name: {},
      type: {},
      enabled: {},
      ...MAC_ADDRESS,
      description: {},
      speed: {},
      duplex: {},
      mode: {},
      mtu: {},
    },
  },
  {
    id: 'vm_interface',
    title: 'Interfaces of virtual machines',
    within: 'vm',
    batch: BATCH,
    fields: { vm: {}, name: {}, enabled: {}, ...MAC_ADDRESS, description: {}, mode: {}, mtu: {} },
  },
  {
    id: 'prefix',
    title: 'Prefixes',
    batch: BATCH,
    shared: true,
    fields: { prefix: {}, status: {}, description: {} },
  },
  {
    id: 'ip',
    title: 'IP addresses',
    partOf: ['interface', 'vm_interface'],
    batch: BATCH,
    fields: { address: {}, assigned_to: {}, vrf: {}, status: {}, role: {}, description: {} },
  },
  {
    id: 'device_primary',
    title: 'Primary addresses of devices',
    of: 'device',
    batch: BATCH,
    fields: { primary_ip4: {}, primary_ip6: {} },
  },
  {
    id: 'vm_primary',
    title: 'Primary addresses of virtual machines',
    of: 'vm',
    batch: BATCH,
    fields: { primary_ip4: {}, primary_ip6: {} },
  },
  {
    id: 'contact',
    title: 'Contacts',
    batch: BATCH,
    shared: true,
    fields: { name: {}, title: {}, phone: {}, email: {}, address: {}, description: {}, group: {}, ...CUSTOM_FIELDS },
  },
] as const satisfies readonly TargetKind[];

export type KindId = (typeof KINDS)[number]['id'];

/** All kinds, with devices and virtual machines as an account has them that deletes none. */
export const TARGET_KINDS: readonly TargetKind[] = KINDS;

export function isKindId(id: string): id is KindId {
  return KINDS.some((kind) => kind.id === id);
}

/** The kinds of an account. */
export function kindsOf(
  isExported: (kind: KindId) => boolean,
  removed: 'decommission' | 'delete',
): readonly TargetKind[] {
  return KINDS.filter(({ id }) => isExported(id)).map((kind: TargetKind): TargetKind => {
    if (removed === 'decommission' || kind.retired === undefined) return kind;
    const { retired: _retired, ...deleted } = kind;
    return deleted;
  });
}

/** The list of a kind in NetBox, and the fields that are read. */
interface KindEndpoint extends Pick<Endpoint, 'path' | 'model'> {
  readonly fields: string;
}

export const KIND_ENDPOINTS: Readonly<Record<KindId, KindEndpoint>> = {
  custom_field: readOf({ path: 'extras/custom-fields/', model: 'extras.customfield' }, 'name,type'),
  manufacturer: readOf({ path: 'dcim/manufacturers/', model: 'dcim.manufacturer' }, 'name'),
  device_type: readOf({ path: 'dcim/device-types/', model: 'dcim.devicetype' }, 'model,manufacturer'),
  device_role: readOf({ path: 'dcim/device-roles/', model: 'dcim.devicerole' }, 'name'),
  site: readOf({ path: 'dcim/sites/', model: 'dcim.site' }, 'name'),
  location: readOf({ path: 'dcim/locations/', model: 'dcim.location' }, 'name,site'),
  rack: readOf({ path: 'dcim/racks/', model: 'dcim.rack' }, 'name,site'),
  platform: readOf({ path: 'dcim/platforms/', model: 'dcim.platform' }, 'name'),
  tenant: readOf({ path: 'tenancy/tenants/', model: 'tenancy.tenant' }, 'name'),
  cluster_type: readOf({ path: 'virtualization/cluster-types/', model: 'virtualization.clustertype' }, 'name'),
  vrf: readOf({ path: 'ipam/vrfs/', model: 'ipam.vrf' }, 'name'),
  contact_group: readOf({ path: 'tenancy/contact-groups/', model: 'tenancy.contactgroup' }, 'name'),
  cluster: readOf(ENDPOINTS.clusters, 'name,type,site,scope_type,scope,status,description,custom_fields'),
  device: readOf(
    ENDPOINTS.devices,
    'name,device_type,role,platform,serial,tenant,site,location,rack,status,custom_fields,primary_ip4,primary_ip6',
  ),
  vm: readOf(
    ENDPOINTS.vms,
    'name,cluster,role,platform,serial,tenant,site,status,custom_fields,primary_ip4,primary_ip6',
  ),
  interface: readOf(ENDPOINTS.interfaces, 'device,name,type,enabled,mac_address,description,speed,duplex,mode,mtu'),
  vm_interface: readOf(ENDPOINTS.vm_interfaces, 'virtual_machine,name,enabled,mac_address,description,mode,mtu'),
  prefix: readOf(ENDPOINTS.prefixes, 'prefix,vrf,status,description'),
  ip: readOf(
    ENDPOINTS.ips,
    'address,vrf,status,role,description,assigned_object_type,assigned_object_id,assigned_object',
  ),
  // Sides of objects: they are read with them, and written to them.
  device_primary: readOf(ENDPOINTS.devices, ''),
  vm_primary: readOf(ENDPOINTS.vms, ''),
  contact: readOf(ENDPOINTS.contacts, 'name,title,phone,email,address,description,group,groups,custom_fields'),
};

function readOf({ path, model }: Pick<Endpoint, 'path' | 'model'>, fields: string): KindEndpoint {
  return { path, model, fields: fields === '' ? '' : `id,${fields}` };
}
