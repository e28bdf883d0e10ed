/** A rule type of NetBox, about one object of a host, or about one for each element of a list. */
export interface NetBoxRuleRow {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** The names that outcomes may use, and their meanings. */
  readonly actions: Readonly<Record<string, string>>;
  /** Outcomes may be made for each element of a list of the host. */
  readonly list?: { readonly ignore?: string };
}

const CUSTOM_FIELD = 'A custom field: `name:value`.';
const SITE = 'Its site, by name.';
const PLATFORM = 'Its platform, by name.';
const PLATFORM_MANUFACTURER = 'The manufacturer of its platform, for a platform that is made.';
const ROLE = 'Its role, by name.';
const PRIMARY = 'an address that it has on one of its interfaces.';
const TENANT = 'Its tenant, by name.';

const INTERFACE = {
  ipv4_addresses:
    'Its IPv4 addresses, separated by commas. An interface whose rule says addresses, and that has none, is left out.',
  ipv6_addresses: 'Its IPv6 addresses, likewise.',
  name: 'Its name. Without one there is no interface.',
  mac_address: 'Its MAC address.',
  description: 'Its description.',
  type: 'Its type as NetBox calls it (`1000base-t`); one that NetBox does not know is `other`.',
  admin_status: 'Whether it is enabled: `up`, `true`, `1`, `enabled`, `active` are, everything else is not.',
  speed: 'Its speed in kbit/s.',
  duplex: '`half`, `full` or `auto`.',
  mode: '`access`, `tagged` or `tagged-all`.',
  mtu: 'Its MTU.',
  ignore_interface: 'Names of interfaces that are left out, separated by commas.',
} as const;

/** The types that say what hosts are to be in NetBox, with the outcomes of existing installations. */
export const NETBOX_RULES = [
  {
    id: 'netbox_devices',
    title: 'NetBox: devices',
    description: 'Says what device a host is in NetBox. A host that no such rule hits is not one.',
    actions: {
      device_type: 'The model of its type.',
      'device_type.manufacturer': 'The manufacturer of its type.',
      platform: PLATFORM,
      'platform.manufacturer': PLATFORM_MANUFACTURER,
      role: ROLE,
      serial: 'Its serial number.',
      tenant: TENANT,
      site: SITE,
      location: 'Its location within the site, by name.',
      rack: 'Its rack within the site, by name.',
      primary_ip4: `Its primary IPv4 address, ${PRIMARY}`,
      primary_ip6: `Its primary IPv6 address, ${PRIMARY}`,
      custom_field: CUSTOM_FIELD,
      update_optout: 'Outcomes, separated by commas, that are written when the device is made and never again.',
      ignore_host: 'The host is not a device.',
    },
  },
  {
    id: 'netbox_vms',
    title: 'NetBox: virtual machines',
    description: 'Says what virtual machine a host is in NetBox. A host that no such rule hits is not one.',
    actions: {
      cluster: 'Its cluster, by name; it must be there, or a rule of clusters makes it.',
      role: ROLE,
      status: 'Its status (`active`).',
      serial: 'Its serial number.',
      tenant: TENANT,
      platform: PLATFORM,
      'platform.manufacturer': PLATFORM_MANUFACTURER,
      site: SITE,
      primary_ip4: `Its primary IPv4 address, ${PRIMARY}`,
      primary_ip6: `Its primary IPv6 address, ${PRIMARY}`,
      custom_field: CUSTOM_FIELD,
    },
  },
  {
    id: 'netbox_cluster',
    title: 'NetBox: clusters',
    description: 'Says which cluster of virtual machines a host makes in NetBox.',
    actions: {
      name: 'Its name. Without one there is no cluster.',
      type: 'Its type, by name.',
      site: SITE,
      status: 'Its status (`active`).',
      custom_field: CUSTOM_FIELD,
      description: 'Its description.',
    },
  },
  {
    id: 'netbox_ips',
    title: 'NetBox: addresses',
    description: 'Says which IP addresses a host makes in NetBox, and on which interfaces they are.',
    list: { ignore: 'ignore_ip' },
    actions: {
      addresses: 'Addresses with their prefix length (`192.0.2.1/24`), separated by commas, or a list.',
      family: 'Kept and not needed: an address says itself what it is.',
      status: 'Their status (`active`).',
      assigned_object_id: 'The name of the interface that they are on; nothing leaves them out.',
      assigned_object_type:
        '`dcim.interface`: it is one of the device of this name; `virtualization.vminterface`: one of the virtual machine.',
      vrf: 'Their VRF, by name.',
      role: 'Their role (`vip`).',
      description: 'Their description.',
      ignore_ip: 'Addresses that are left out, separated by commas.',
    },
  },
  {
    id: 'netbox_prefixes',
    title: 'NetBox: prefixes',
    description: 'Says which prefixes a host makes in NetBox.',
    list: {},
    actions: {
      prefix: 'Prefixes (`192.0.2.0/24`), separated by commas, or a list.',
      status: 'Their status (`active`).',
      description: 'Their description.',
    },
  },
  {
    id: 'netbox_dcim_interfaces',
    title: 'NetBox: interfaces of devices',
    description: 'Says which interfaces a device has in NetBox.',
    list: { ignore: 'ignore_interface' },
    actions: {
      device: 'The name of the device; nothing is the name of the host.',
      netbox_device_id: 'Kept and not needed: the device is known by its name.',
      ...INTERFACE,
    },
  },
  {
    id: 'netbox_virtual_interfaces',
    title: 'NetBox: interfaces of virtual machines',
    description: 'Says which interfaces a virtual machine has in NetBox.',
    list: { ignore: 'ignore_interface' },
    actions: {
      virtual_machine: 'The name of the virtual machine; nothing, or a number, is the name of the host.',
      ...INTERFACE,
    },
  },
  {
    id: 'netbox_contacts',
    title: 'NetBox: contacts',
    description: 'Says which contact a host or object makes in NetBox.',
    actions: {
      name: 'Its name. Without one there is no contact.',
      title: 'Its title.',
      phone: 'Its phone number.',
      email: 'Its address; a text without @ is left out.',
      address: 'Its postal address.',
      description: 'Its description.',
      group: 'Its group, by name.',
      custom_field: CUSTOM_FIELD,
      ignore: 'There is no contact.',
    },
  },
] as const satisfies readonly NetBoxRuleRow[];

export type NetBoxRuleId = (typeof NETBOX_RULES)[number]['id'];
