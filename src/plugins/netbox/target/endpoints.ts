import { ENDPOINTS, type Endpoint } from '../api/endpoints.ts';
import type { KindId } from './kinds.ts';

/** Where objects of a kind are in NetBox, and what of them is read. */
export interface KindEndpoint extends Pick<Endpoint, 'path' | 'model'> {
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
