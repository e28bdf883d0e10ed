import { ENDPOINTS } from '../api/endpoints.ts';
import { type DecidedFields, type DecidedObject, textOf } from '../rule-types/decided.ts';
import { customText } from './custom-values.ts';
import { type DesiredObjects, Fields } from './desired-objects.ts';
import { foldedName, lowerName, readAddress } from './names.ts';

/** The custom field by which an account knows its devices and virtual machines. */
export interface Ownership {
  readonly field: string;
  readonly value: string;
  readonly isMade: boolean;
}

/** Placeholder name for missing values that NetBox requires; it never overwrites an existing value. */
const UNKNOWN = 'Unknown';

export function wantDevice(
  desired: DesiredObjects,
  hostname: string,
  decided: DecidedObject,
  ownership: Ownership | undefined,
): void {
  const { fields, once, rule } = decided;
  const device = new Fields();
  device.set('name', hostname);
  const model = knownText(fields, 'device_type');
  const manufacturer = knownText(fields, 'device_type.manufacturer');
  if (model !== undefined || 'device_type' in fields) {
    const type = desired.deviceType(manufacturer ?? UNKNOWN, model ?? UNKNOWN);
    // Which of several types of that name it is, only the manufacturer says.
    const isWhole = model !== undefined && manufacturer !== undefined;
    device.refer('device_type', type, { once: !isWhole || once.has('device_type') });
  }
  for (const name of ['role', 'site'] as const) {
    if (!(name in fields)) continue;
    const text = knownText(fields, name);
    const kind = name === 'role' ? 'device_role' : 'site';
    device.refer(name, desired.named(kind, text ?? UNKNOWN), { once: text === undefined || once.has(name) });
  }
  const site = knownText(fields, 'site');
  if (site !== undefined) {
    const place = desired.named('site', site);
    const [inner, rack] = [knownText(fields, 'location'), knownText(fields, 'rack')];
    const location = inner === undefined ? undefined : desired.location(place, inner);
    if (location !== undefined) device.refer('location', location, { once: once.has('location') });
    if (rack !== undefined) device.refer('rack', desired.rack(place, rack, location), { once: once.has('rack') });
  }
  wantCommon(desired, device, decided, ownership);
  const key = lowerName(hostname);
  desired.want('device', device.object(key, rule));
  wantPrimary(desired, 'device', key, decided);
}

export function wantVm(
  desired: DesiredObjects,
  hostname: string,
  decided: DecidedObject,
  ownership: Ownership | undefined,
): void {
  const { fields, rule } = decided;
  const vm = new Fields();
  vm.set('name', hostname);
  const cluster = knownText(fields, 'cluster');
  if (cluster !== undefined) vm.refer('cluster', { kind: 'cluster', key: lowerName(cluster) });
  const role = knownText(fields, 'role');
  if (role !== undefined) vm.refer('role', desired.named('device_role', role, { vm_role: true }));
  const site = knownText(fields, 'site');
  if (site !== undefined) vm.refer('site', desired.named('site', site));
  const status = knownText(fields, 'status');
  if (status !== undefined) vm.set('status', status.toLowerCase());
  wantCommon(desired, vm, decided, ownership);
  const key = lowerName(hostname);
  desired.want('vm', vm.object(key, rule));
  wantPrimary(desired, 'vm', key, decided);
}

export function wantCluster(desired: DesiredObjects, decided: DecidedObject): void {
  const { fields, customFields, rule } = decided;
  const name = knownText(fields, 'name');
  if (name === undefined) return;
  const cluster = new Fields();
  cluster.set('name', name);
  const type = knownText(fields, 'type');
  if (type !== undefined) cluster.refer('type', desired.named('cluster_type', type));
  const site = knownText(fields, 'site');
  if (site !== undefined) cluster.refer('site', desired.named('site', site));
  const status = knownText(fields, 'status');
  if (status !== undefined) cluster.set('status', status.toLowerCase());
  const description = textOf(fields, 'description');
  if (description !== undefined) cluster.set('description', description.slice(0, 200));
  setCustomFields(cluster, customFields);
  desired.want('cluster', cluster.object(lowerName(name), rule));
}

export function wantContact(desired: DesiredObjects, { fields, customFields, rule }: DecidedObject): void {
  const name = textOf(fields, 'name');
  if (name === undefined) return;
  const contact = new Fields();
  contact.set('name', name);
  for (const field of ['title', 'phone', 'email', 'address', 'description'] as const) {
    const text = textOf(fields, field);
    if (text !== undefined && (field !== 'email' || text.includes('@'))) contact.set(field, text);
  }
  const group = textOf(fields, 'group');
  if (group !== undefined) contact.refer('group', desired.named('contact_group', group));
  setCustomFields(contact, customFields);
  desired.want('contact', contact.object(lowerName(name), rule));
}

/** Sets the fields that devices and virtual machines have in common. */
function wantCommon(
  desired: DesiredObjects,
  machine: Fields,
  { fields, customFields, once }: DecidedObject,
  ownership: Ownership | undefined,
): void {
  const platform = knownText(fields, 'platform');
  if (platform !== undefined) {
    const made = desired.platform(platform, knownText(fields, 'platform.manufacturer'));
    machine.refer('platform', made, { once: once.has('platform') });
  }
  const tenant = knownText(fields, 'tenant');
  if (tenant !== undefined) machine.refer('tenant', desired.named('tenant', tenant), { once: once.has('tenant') });
  const serial = knownText(fields, 'serial');
  if (serial !== undefined) machine.set('serial', serial.slice(0, 50), { once: once.has('serial') });
  const mark = ownership === undefined ? {} : { [ownership.field]: ownership.value };
  setCustomFields(machine, { ...customFields, ...mark });
  if (ownership?.isMade === true) {
    const { field } = ownership;
    const object_types = [ENDPOINTS.devices.model, ENDPOINTS.vms.model];
    desired.want('custom_field', { key: field, fields: { name: field, label: field, object_types } });
    machine.comesAfter({ kind: 'custom_field', key: field });
  }
}

function setCustomFields(object: Fields, customFields: DecidedFields): void {
  const texts = Object.entries(customFields).map(([name, value]) => [name, customText(value)] as const);
  if (texts.length > 0) object.set('custom_fields', Object.fromEntries(texts));
}

/** An address of its own, once it is there: NetBox takes none that is on no interface of the machine. */
function wantPrimary(
  desired: DesiredObjects,
  of: 'device' | 'vm',
  key: string,
  { fields, once, rule }: DecidedObject,
): void {
  const primary = new Fields();
  primary.comesAfter({ kind: of, key });
  let isWanted = false;
  for (const field of ['primary_ip4', 'primary_ip6'] as const) {
    const address = readAddress(textOf(fields, field) ?? '');
    if (address === undefined || (address.family === 4) !== (field === 'primary_ip4')) continue;
    primary.set(field, address.host, { once: once.has(field) });
    primary.comesAfter({ kind: 'ip', key: desired.addressKey(address.host) });
    isWanted = true;
  }
  if (isWanted) desired.want(`${of}_primary`, primary.object(key, rule));
}

/** Words that say that nothing is known take nothing away that NetBox has. */
function knownText(fields: DecidedFields, action: string): string | undefined {
  const text = textOf(fields, action);
  if (text === undefined || foldedName(text) === 'unknown' || text === 'CMDB Syncer Not defined') return undefined;
  return text;
}
