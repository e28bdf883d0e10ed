import type { KindId } from './kinds.ts';

/** Where objects of a kind are in NetBox, and what of them is read. */
export interface KindEndpoint {
  /** Below `/api/`. */
  readonly path: string;
  /** What permissions name: `dcim.device`. */
  readonly model: string;
  readonly fields: string;
}

export const KIND_ENDPOINTS: Readonly<Record<KindId, KindEndpoint>> = {
  custom_field: endpoint('extras/custom-fields/', 'extras.customfield', 'name,type'),
  manufacturer: endpoint('dcim/manufacturers/', 'dcim.manufacturer', 'name'),
  device_type: endpoint('dcim/device-types/', 'dcim.devicetype', 'model,manufacturer'),
  device_role: endpoint('dcim/device-roles/', 'dcim.devicerole', 'name'),
  site: endpoint('dcim/sites/', 'dcim.site', 'name'),
  location: endpoint('dcim/locations/', 'dcim.location', 'name,site'),
  rack: endpoint('dcim/racks/', 'dcim.rack', 'name,site'),
  platform: endpoint('dcim/platforms/', 'dcim.platform', 'name'),
  tenant: endpoint('tenancy/tenants/', 'tenancy.tenant', 'name'),
  cluster_type: endpoint('virtualization/cluster-types/', 'virtualization.clustertype', 'name'),
  vrf: endpoint('ipam/vrfs/', 'ipam.vrf', 'name'),
  contact_group: endpoint('tenancy/contact-groups/', 'tenancy.contactgroup', 'name'),
  cluster: endpoint(
    'virtualization/clusters/',
    'virtualization.cluster',
    'name,type,site,scope_type,scope,status,description,custom_fields',
  ),
  device: endpoint(
    'dcim/devices/',
    'dcim.device',
    'name,device_type,role,platform,serial,tenant,site,location,rack,status,custom_fields,primary_ip4,primary_ip6',
  ),
  vm: endpoint(
    'virtualization/virtual-machines/',
    'virtualization.virtualmachine',
    'name,cluster,role,platform,serial,tenant,site,status,custom_fields,primary_ip4,primary_ip6',
  ),
  interface: endpoint(
    'dcim/interfaces/',
    'dcim.interface',
    'device,name,type,enabled,mac_address,description,speed,duplex,mode,mtu',
  ),
  vm_interface: endpoint(
    'virtualization/interfaces/',
    'virtualization.vminterface',
    'virtual_machine,name,enabled,mac_address,description,mode,mtu',
  ),
  prefix: endpoint('ipam/prefixes/', 'ipam.prefix', 'prefix,vrf,status,description'),
  ip: endpoint(
    'ipam/ip-addresses/',
    'ipam.ipaddress',
    'address,vrf,status,role,description,assigned_object_type,assigned_object_id,assigned_object',
  ),
  // Sides of objects: they are read with them, and written to them.
  device_primary: endpoint('dcim/devices/', 'dcim.device', ''),
  vm_primary: endpoint('virtualization/virtual-machines/', 'virtualization.virtualmachine', ''),
  contact: endpoint(
    'tenancy/contacts/',
    'tenancy.contact',
    'name,title,phone,email,address,description,group,groups,custom_fields',
  ),
};

function endpoint(path: string, model: string, fields: string): KindEndpoint {
  return { path, model, fields: fields === '' ? '' : `id,${fields}` };
}
