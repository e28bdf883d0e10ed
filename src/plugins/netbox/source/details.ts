import { isJsonObject } from '../../../kit/json/json-object.ts';
import type { HttpContext, JsonObject, JsonValue } from '../../../ports/index.ts';
import { ENDPOINTS } from '../api/endpoints.ts';
import { idOf } from '../api/members.ts';
import type { NetBoxApi } from '../api/open-api.ts';
import type { Query } from '../api/pages.ts';
import type { SectionId } from './options.ts';
import type { HostPart } from './parts.ts';
import type { ChassisMember, ChassisMembers } from './virtual-chassis.ts';

/** The details of one host. */
export interface HostDetails {
  readonly interfaces: readonly JsonObject[];
  readonly services: readonly JsonObject[];
  /** The objects at the other ends of its cables. */
  readonly connected: readonly JsonObject[];
}

const NO_DETAILS: HostDetails = { interfaces: [], services: [], connected: [] };

interface DetailsOfHosts {
  readonly part: HostPart;
  readonly ids: readonly number[];
  readonly sections: readonly SectionId[];
}

/** How lists are asked for what belongs to hosts, and how they name them. */
export const OWNERS = {
  devices: { interfaces: ENDPOINTS.interfaces, filter: 'device_id', member: 'device' },
  vms: { interfaces: ENDPOINTS.vm_interfaces, filter: 'virtual_machine_id', member: 'virtual_machine' },
} as const;

/** Number of ids that fit into an address that every server accepts. */
export const IDS_AT_ONCE = 100;
const PAGE_SIZE = 1_000;

/** Returns the details of some hosts, at most `IDS_AT_ONCE`, by their ids. */
async function detailsOf(
  api: NetBoxApi,
  { part, ids, sections }: DetailsOfHosts,
  context: HttpContext,
): Promise<ReadonlyMap<number, HostDetails>> {
  const { interfaces: endpoint, filter, member } = OWNERS[part];
  const query = { [filter]: ids };
  const wants = (section: SectionId): boolean => sections.includes(section);
  const [interfaces, addresses, services] = await Promise.all([
    wants('interfaces') ? whole(api, endpoint.path, query, context) : [],
    wants('interfaces') ? whole(api, ENDPOINTS.ips.path, query, context) : [],
    wants('services') ? whole(api, ENDPOINTS.services.path, query, context) : [],
  ]);
  const byInterface = addressesByInterface(addresses, endpoint.model);
  const details = new Map<number, { interfaces: JsonObject[]; services: JsonObject[]; connected: JsonObject[] }>();
  for (const id of ids) details.set(id, { interfaces: [], services: [], connected: [] });
  for (const one of interfaces) {
    const owner = details.get(idOf(one[member]) ?? 0);
    owner?.interfaces.push(interfaceEntry(one, byInterface.get(Number(one.id)) ?? []));
    owner?.connected.push(...endpointsOf(one));
  }
  for (const service of services)
    details.get(ownerOfService(service, member) ?? 0)?.services.push(serviceEntry(service));
  return details;
}

/**
 * The same of any number of hosts, each with what belongs to the other members of its virtual chassis: their interfaces say which device they
 * are on.
 */
export async function detailsWithMembers(
  api: NetBoxApi,
  { part, ids, sections, chassis }: DetailsOfHosts & { readonly chassis: ChassisMembers },
  context: HttpContext,
): Promise<ReadonlyMap<number, HostDetails>> {
  const membersOf = (id: number): readonly ChassisMember[] => (part === 'devices' ? chassis.of(id) : []);
  const all = [...ids, ...ids.flatMap((id) => membersOf(id).map((member) => member.id))];
  const found = new Map<number, HostDetails>();
  for (let start = 0; start < all.length; start += IDS_AT_ONCE) {
    const some = { part, ids: all.slice(start, start + IDS_AT_ONCE), sections };
    for (const [id, details] of await detailsOf(api, some, context)) found.set(id, details);
  }
  return new Map(ids.map((id) => [id, joined(found.get(id), membersOf(id), found)]));
}

function joined(
  own: HostDetails | undefined,
  members: readonly ChassisMember[],
  found: ReadonlyMap<number, HostDetails>,
): HostDetails {
  const { interfaces, services, connected } = own ?? NO_DETAILS;
  const others = members.map((member) => ({
    device: member.name ?? null,
    details: found.get(member.id) ?? NO_DETAILS,
  }));
  return {
    interfaces: [
      ...interfaces,
      ...others.flatMap(({ device, details }) => details.interfaces.map((one) => ({ ...one, device }))),
    ],
    services: [...services, ...others.flatMap(({ details }) => details.services)],
    connected: [...connected, ...others.flatMap(({ details }) => details.connected)],
  };
}

async function whole(api: NetBoxApi, path: string, query: Query, context: HttpContext): Promise<readonly JsonObject[]> {
  const all: JsonObject[] = [];
  for await (const page of api.list({ path, query, size: PAGE_SIZE }, context)) all.push(...page);
  return all;
}

/** The addresses of interfaces, at most `IDS_AT_ONCE`, by their ids. */
export async function addressesOf(
  api: NetBoxApi,
  { part, ids }: { readonly part: HostPart; readonly ids: readonly number[] },
  context: HttpContext,
): Promise<ReadonlyMap<number, readonly JsonObject[]>> {
  const filter = part === 'devices' ? 'interface_id' : 'vminterface_id';
  const addresses = await whole(api, ENDPOINTS.ips.path, { [filter]: ids }, context);
  return addressesByInterface(addresses, OWNERS[part].interfaces.model);
}

function addressesByInterface(
  addresses: readonly JsonObject[],
  type: string,
): ReadonlyMap<number, readonly JsonObject[]> {
  const found = new Map<number, JsonObject[]>();
  for (const address of addresses) {
    const id = address.assigned_object_id;
    if (address.assigned_object_type !== type || typeof id !== 'number') continue;
    const others = found.get(id);
    if (others === undefined) found.set(id, [address]);
    else others.push(address);
  }
  return found;
}

/** Addresses as texts, those of a family. */
export function addressTexts(addresses: readonly JsonObject[], family: 4 | 6): readonly string[] {
  return addresses.flatMap(({ address }) =>
    typeof address === 'string' && address.includes(':') === (family === 6) ? [address] : [],
  );
}

/**
 * Returns an interface for templates. Members without a value are left out; the names match those of existing installations, if
 * they have one.
 */
function interfaceEntry(one: JsonObject, addresses: readonly JsonObject[]): JsonObject {
  const { id, name, type, enabled, mtu, mac_address, description, label, speed, mode, mgmt_only } = one;
  const entry: Members = {
    netbox_if_id: id,
    name,
    type: choice(type),
    enabled,
    mtu,
    mac_address,
    description,
    label,
    speed,
    mode: choice(mode),
    mgmt_only,
    lag: named(one.lag),
    parent: named(one.parent),
    bridge: named(one.bridge),
    vrf: named(one.vrf),
    untagged_vlan: vlan(one.untagged_vlan),
    tagged_vlans: list(one.tagged_vlans).flatMap((tagged) => vlan(tagged) ?? []),
    tags: list(one.tags).flatMap((tag) => named(tag) ?? []),
    custom_fields: one.custom_fields,
    connected_to: endpointsOf(one).flatMap((end) => {
      const device = named(end.device);
      return device === undefined ? [] : [filled({ device, interface: end.name })];
    }),
    ip_addresses: addresses.map(addressEntry),
  };
  return filled(entry, {
    ipv4_addresses: addressTexts(addresses, 4),
    ipv6_addresses: addressTexts(addresses, 6),
  });
}

function addressEntry({ id, address, status, role, dns_name, vrf, description }: JsonObject): JsonObject {
  return filled({ id, address, status: choice(status), role: choice(role), dns_name, vrf: named(vrf), description });
}

function serviceEntry({
  id,
  name,
  protocol,
  ports,
  port_mappings,
  description,
  ipaddresses,
  tags,
}: JsonObject): JsonObject {
  return filled({
    id,
    name,
    protocol: choice(protocol),
    ports,
    port_mappings,
    description,
    ip_addresses: list(ipaddresses).flatMap((one) => (isJsonObject(one) ? (one.address ?? []) : [])),
    tags: list(tags).flatMap((tag) => named(tag) ?? []),
  });
}

/** Members that may be missing. */
type Members = Readonly<Record<string, JsonValue | undefined>>;

/** Made member by member: there are several of these objects for each host, and lists of pairs take ten times as long. */
function filled(entry: Members, more: JsonObject = {}): JsonObject {
  const members: Record<string, JsonValue> = {};
  for (const name in entry) {
    const value = entry[name];
    if (value !== undefined && !isEmpty(value)) members[name] = value;
  }
  return Object.assign(members, more);
}

function isEmpty(value: JsonValue): boolean {
  if (typeof value !== 'object') return value === '';
  if (value === null) return true;
  if (Array.isArray(value)) return value.length === 0;
  for (const _ in value) return false;
  return true;
}

/** The other ends of what is plugged in. */
export function endpointsOf({ connected_endpoints }: JsonObject): readonly JsonObject[] {
  return list(connected_endpoints).filter(isJsonObject);
}

/** NetBox 4.3 brought services of other things than devices and virtual machines. */
export function ownerOfService(service: JsonObject, member: 'device' | 'virtual_machine'): number | undefined {
  const { parent_object_type, parent_object_id } = service;
  if (parent_object_type === undefined) return idOf(service[member]);
  const { model: type } = member === 'device' ? ENDPOINTS.devices : ENDPOINTS.vms;
  return parent_object_type === type && typeof parent_object_id === 'number' ? parent_object_id : undefined;
}

function choice(value: JsonValue | undefined): JsonValue | undefined {
  return isJsonObject(value) ? value.value : value;
}

function named(value: JsonValue | undefined): string | undefined {
  return isJsonObject(value) && typeof value.name === 'string' ? value.name : undefined;
}

function vlan(value: JsonValue | undefined): JsonObject | undefined {
  return isJsonObject(value) ? filled({ vid: value.vid, name: value.name }) : undefined;
}

function list(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
}
