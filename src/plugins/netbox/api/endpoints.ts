/** A list of NetBox: where it is below `/api/`, and what it takes to see its objects there. */
export interface Endpoint {
  readonly path: string;
  /** The permission as NetBox calls it. */
  readonly view: string;
  /** For people: `virtual machines`. */
  readonly title: string;
}

export const ENDPOINTS = {
  devices: endpoint('dcim/devices/', 'dcim.view_device', 'devices'),
  vms: endpoint('virtualization/virtual-machines/', 'virtualization.view_virtualmachine', 'virtual machines'),
  interfaces: endpoint('dcim/interfaces/', 'dcim.view_interface', 'interfaces of devices'),
  vm_interfaces: endpoint(
    'virtualization/interfaces/',
    'virtualization.view_vminterface',
    'interfaces of virtual machines',
  ),
  ips: endpoint('ipam/ip-addresses/', 'ipam.view_ipaddress', 'IP addresses'),
  prefixes: endpoint('ipam/prefixes/', 'ipam.view_prefix', 'prefixes'),
  clusters: endpoint('virtualization/clusters/', 'virtualization.view_cluster', 'clusters'),
  contacts: endpoint('tenancy/contacts/', 'tenancy.view_contact', 'contacts'),
  services: endpoint('ipam/services/', 'ipam.view_service', 'services'),
} as const satisfies Readonly<Record<string, Endpoint>>;

function endpoint(path: string, view: string, title: string): Endpoint {
  return { path, view, title };
}
