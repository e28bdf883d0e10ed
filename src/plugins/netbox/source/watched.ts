/**
 * Lists of what devices, virtual machines and their parts only refer to. Labels tell of these too, and NetBox does not say of a device that
 * its site has another name now: where one of them changed, everything is read.
 */
export const WATCHED: readonly string[] = [
  'dcim/regions/',
  'dcim/site-groups/',
  'dcim/sites/',
  'dcim/locations/',
  'dcim/racks/',
  'dcim/manufacturers/',
  'dcim/device-types/',
  'dcim/device-roles/',
  'dcim/platforms/',
  'dcim/virtual-chassis/',
  'tenancy/tenant-groups/',
  'tenancy/tenants/',
  'virtualization/cluster-types/',
  'virtualization/cluster-groups/',
  'virtualization/clusters/',
  'ipam/vrfs/',
  'ipam/vlans/',
  'extras/tags/',
  'extras/custom-fields/',
  'extras/config-contexts/',
  'extras/config-templates/',
];
