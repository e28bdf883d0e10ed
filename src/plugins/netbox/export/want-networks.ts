import ipaddr from 'ipaddr.js';
import { ENDPOINTS } from '../api/endpoints.ts';
import { type DecidedEntry, isSaid, listOf, textOf } from '../rule-types/decided.ts';
import { type DesiredObjects, Fields } from './desired-objects.ts';
import { addressText, isLocal, lowerName, readAddress, within } from './names.ts';

interface Machine {
  readonly kind: 'device' | 'vm';
  readonly hostname: string;
}

export interface InterfaceSettings {
  /** Addresses that rules of interfaces name are made too. */
  readonly withAddresses: boolean;
  /** Types that NetBox has; absent until they have been requested. */
  readonly types: ReadonlySet<string> | undefined;
}

/** Roles of addresses that several machines may have at once. */
const SHARED_ROLES = new Set(['anycast', 'vip', 'vrrp', 'hsrp', 'glbp', 'carp']);

export function wantInterface(
  desired: DesiredObjects,
  { kind, hostname }: Machine,
  { fields, ignored, rule }: DecidedEntry,
  { withAddresses, types }: InterfaceSettings,
): void {
  const name = textOf(fields, 'name')?.slice(0, 64).trim();
  if (name === undefined || name === '' || ignored.has(name)) return;
  const addresses = [...listOf(fields, 'ipv4_addresses'), ...listOf(fields, 'ipv6_addresses')];
  const saysAddresses = isSaid(fields, 'ipv4_addresses') || isSaid(fields, 'ipv6_addresses');
  if (saysAddresses && addresses.length === 0) return;
  const machine = {
    kind,
    key: machineKey(kind, hostname, textOf(fields, kind === 'device' ? 'device' : 'virtual_machine')),
  };
  const port = new Fields();
  port.refer(kind, machine);
  port.set('name', name);
  const type = textOf(fields, 'type');
  if (kind === 'device') {
    if (type === undefined) port.set('type', 'other', { once: true });
    else port.set('type', types === undefined || types.has(type) ? type : 'other');
  }
  setDetails(port, kind, fields);
  const key = interfaceKey(machine.key, name);
  const id = kind === 'device' ? 'interface' : 'vm_interface';
  desired.want(id, port.object(key, rule));
  if (!withAddresses) return;
  for (const text of addresses) {
    const address = readAddress(text);
    if (address === undefined || isLocal(address) || desired.has('ip', address.host)) continue;
    const ip = new Fields();
    // Without a length it is known what the address is, and not in which network.
    ip.set('address', addressText(address), { once: address.length === undefined });
    ip.set('assigned_to', assignment(id, key));
    ip.comesAfter({ kind: id, key });
    desired.want('ip', ip.object(address.host, rule));
  }
}

function setDetails(port: Fields, kind: 'device' | 'vm', fields: DecidedEntry['fields']): void {
  const mac = textOf(fields, 'mac_address')?.toUpperCase().replaceAll('-', ':');
  if (mac !== undefined && /^(?:[0-9A-F]{2}:){5}[0-9A-F]{2}$/.test(mac)) port.set('mac_address', mac);
  const description = textOf(fields, 'description');
  if (description !== undefined) port.set('description', description.slice(0, 200));
  const enabled = textOf(fields, 'admin_status');
  if (enabled !== undefined) port.set('enabled', /^(?:up|true|1|enabled|active|yes)$/i.test(enabled));
  const mode = textOf(fields, 'mode');
  if (mode !== undefined) port.set('mode', mode.toLowerCase());
  const mtu = numberOf(textOf(fields, 'mtu'));
  if (mtu !== undefined) port.set('mtu', mtu);
  if (kind === 'vm') return;
  const speed = numberOf(textOf(fields, 'speed'));
  if (speed !== undefined) port.set('speed', speed);
  const duplex = textOf(fields, 'duplex');
  if (duplex !== undefined) port.set('duplex', duplex.toLowerCase());
}

export function wantAddresses(
  desired: DesiredObjects,
  hostname: string,
  { fields, ignored, rule }: DecidedEntry,
): void {
  const isVm = textOf(fields, 'assigned_object_type') === ENDPOINTS.vm_interfaces.model;
  const kind = isVm ? 'vm_interface' : 'interface';
  const port = textOf(fields, 'assigned_object_id')?.slice(0, 64).trim();
  if (isSaid(fields, 'assigned_object_id') && port === undefined) return;
  const on = port === undefined ? undefined : interfaceKey(lowerName(hostname), port);
  const role = textOf(fields, 'role')?.toLowerCase();
  const vrf = textOf(fields, 'vrf');
  for (const text of listOf(fields, 'addresses')) {
    const address = readAddress(text);
    if (address === undefined || ignored.has(text) || ignored.has(address.host)) continue;
    const ip = new Fields();
    ip.set('address', addressText(address), { once: address.length === undefined });
    if (on !== undefined) {
      ip.set('assigned_to', assignment(kind, on));
      ip.comesAfter({ kind, key: on });
    }
    if (vrf !== undefined) ip.refer('vrf', desired.named('vrf', vrf));
    const status = textOf(fields, 'status');
    if (status !== undefined) ip.set('status', status.toLowerCase());
    if (role !== undefined) ip.set('role', role);
    const description = textOf(fields, 'description');
    if (description !== undefined) ip.set('description', description.slice(0, 200));
    const place = { host: address.host, vrf, role, assigned: on === undefined ? null : assignment(kind, on) };
    desired.want('ip', ip.object(addressKey(place), rule));
  }
}

export function wantPrefixes(desired: DesiredObjects, { fields, rule }: DecidedEntry): void {
  for (const text of listOf(fields, 'prefix')) {
    const prefix = prefixText(text);
    if (prefix === undefined || prefix === '127.0.0.0/8') continue;
    const wanted = new Fields();
    wanted.set('prefix', prefix);
    const status = textOf(fields, 'status');
    if (status !== undefined) wanted.set('status', status.toLowerCase());
    const description = textOf(fields, 'description');
    if (description !== undefined) wanted.set('description', description.slice(0, 200));
    desired.want('prefix', wanted.object(prefix, rule));
  }
}

export function interfaceKey(machine: string, name: string): string {
  return within(machine, name);
}

/** Returns the assignment of an address, as a field that can be compared. */
export function assignment(kind: 'interface' | 'vm_interface', key: string): string {
  return `${kind} ${key}`;
}

export interface AddressPlace {
  readonly host: string;
  readonly vrf: string | undefined;
  readonly role: string | undefined;
  /** See `assignment`. */
  readonly assigned: string | null;
}

/** One address is one object in its VRF, except those that several machines have at once. */
export function addressKey({ host, vrf, role, assigned }: AddressPlace): string {
  const outer = vrf === undefined ? host : `${host} in ${vrf.trim().toLowerCase()}`;
  return role !== undefined && SHARED_ROLES.has(role) && assigned !== null ? `${outer} on ${assigned}` : outer;
}

/** A number is the id that the machine had in NetBox, which cannot be resolved here. */
function machineKey(kind: Machine['kind'], hostname: string, said: string | undefined): string {
  return lowerName(said === undefined || (kind === 'vm' && /^\d+$/.test(said)) ? hostname : said);
}

function numberOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** Returns a prefix as NetBox stores it, without host bits; `undefined` for an invalid one. */
function prefixText(text: string): string | undefined {
  const address = readAddress(text);
  if (address === undefined || address.length === undefined) return undefined;
  const { host, length, family } = address;
  const addresses = family === 4 ? ipaddr.IPv4 : ipaddr.IPv6;
  const network = addresses.networkAddressFromCIDR(`${host}/${length}`).toNormalizedString();
  return addressText(readAddress(`${network}/${length}`) ?? address);
}
