/** A list of NetBox. */
export interface Endpoint {
  /** Below `/api/`. */
  readonly path: string;
  /** The name used in permissions: `dcim.device`. */
  readonly model: string;
  /** For people: `virtual machines`. */
  readonly title: string;
}

/** The lists that accounts read and write, in addition to those that are only referred to. */
export const ENDPOINTS = {
  devices: endpoint('dcim/devices/', 'dcim.device', 'devices'),
  vms: endpoint('virtualization/virtual-machines/', 'virtualization.virtualmachine', 'virtual machines'),
  interfaces: endpoint('dcim/interfaces/', 'dcim.interface', 'interfaces of devices'),
  vm_interfaces: endpoint('virtualization/interfaces/', 'virtualization.vminterface', 'interfaces of virtual machines'),
  ips: endpoint('ipam/ip-addresses/', 'ipam.ipaddress', 'IP addresses'),
  prefixes: endpoint('ipam/prefixes/', 'ipam.prefix', 'prefixes'),
  clusters: endpoint('virtualization/clusters/', 'virtualization.cluster', 'clusters'),
  contacts: endpoint('tenancy/contacts/', 'tenancy.contact', 'contacts'),
  services: endpoint('ipam/services/', 'ipam.service', 'services'),
} as const satisfies Readonly<Record<string, Endpoint>>;

/** The path of NetBox's list of MAC addresses; releases before 4.2 do not have it. */
export const MAC_ADDRESSES = 'dcim/mac-addresses/';

/** The permission to do something with a list's objects, as NetBox calls it: `dcim.add_site`. */
export function permission(action: 'view' | 'add' | 'change', { model }: Pick<Endpoint, 'model'>): string {
  return model.replace('.', `.${action}_`);
}

function endpoint(path: string, model: string, title: string): Endpoint {
  return { path, model, title };
}
