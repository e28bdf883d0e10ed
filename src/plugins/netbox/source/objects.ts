import { isJsonObject } from '../../../kit/json/json-object.ts';
import { phrase } from '../../../kit/worded.ts';
import type { JsonObject, JsonValue, SourceItem, SourceRelation } from '../../../ports/index.ts';
import { ENDPOINTS } from '../api/endpoints.ts';
import { addressTexts, endpointsOf } from './details.ts';
import { labelsOf, type References } from './labels.ts';
import { type HostNames, nativeName } from './names.ts';
import type { ObjectPart } from './parts.ts';

export interface ObjectMapping {
  readonly part: ObjectPart;
  readonly names: HostNames;
  readonly references: References;
  readonly relations: boolean;
  /** True if only changes are read: keys then identify an object of the same name across runs. */
  readonly hasKeys: boolean;
}

/** The type and name of an object, and the objects it belongs to. */
interface Described {
  readonly type: string;
  readonly name: string | undefined;
  readonly edges: readonly (readonly [type: string, target: string | undefined])[];
}

/** Members that describe the NetBox record, that become edges, or that belong to the other object. */
const NO_LABELS: ReadonlySet<string> = new Set([
  'created',
  'last_updated',
  'connected_endpoints',
  'link_peers',
  'assigned_object',
]);

/** The object of a list. `addresses` are those of an interface. */
export function objectItem(
  object: JsonObject,
  { part, names, references, relations, hasKeys }: ObjectMapping,
  addresses?: readonly JsonObject[],
): SourceItem {
  const { type, name, edges } = describedAs(object, part, names);
  const position = `${type.replace('_', ' ')} ${String(object.id)}`;
  const keys = hasKeys ? { keys: { id: [`${part}/${String(object.id)}`] } } : {};
  if (name === undefined)
    return { kind: 'skipped', position, reason: phrase`has no name, or belongs to what has none`, ...keys };
  const labels = labelsOf(object, references, NO_LABELS);
  const host = hostOf(object);
  if (addresses !== undefined) {
    labels.netbox_if_id = object.id ?? null;
    labels.ipv4_addresses = addressTexts(addresses, 4);
    labels.ipv6_addresses = addressTexts(addresses, 6);
    if (host !== undefined) labels.parent_host = host.of(names) ?? null;
  }
  const record = { kind: 'record', position, hostname: name, type, part, labels, ...keys } as const;
  if (!relations) return record;
  const named = edges.flatMap(([edge, target]): SourceRelation[] =>
    target === undefined || target === name ? [] : [{ type: edge, target }],
  );
  return { ...record, relations: named };
}

function describedAs(object: JsonObject, part: ObjectPart, names: HostNames): Described {
  const name = nativeName(object);
  const owner = hostOf(object);
  const host = owner?.of(names);
  // Ports of a virtual chassis may be called the same on several of its members.
  const native = owner === undefined ? undefined : names.ofReference(owner.object);
  const below = native === undefined || name === undefined ? undefined : stored(`${native}:${name}`);
  switch (part) {
    case 'interfaces':
    case 'vm_interfaces': {
      const others = endpointsOf(object).map((end) => ['connects_to', interfaceName(end, names)] as const);
      return { type: 'interface', name: below, edges: [['member_of', host], ...others] };
    }
    case 'services':
      return { type: 'service', name: below, edges: [['runs_on', host]] };
    case 'ips':
      return {
        type: 'ip_address',
        name: withVrf(text(object.address)?.split('/')[0], object),
        edges: [['member_of', host]],
      };
    case 'prefixes':
      return { type: 'network', name: withVrf(text(object.prefix), object), edges: [] };
    case 'clusters':
      return { type: 'cluster', name: name === undefined ? undefined : stored(name), edges: [] };
    case 'contacts':
      return { type: 'contact', name: name === undefined ? undefined : stored(name), edges: [] };
  }
}

function interfaceName(end: JsonObject, names: HostNames): string | undefined {
  const host = isJsonObject(end.device) ? names.ofReference(end.device) : undefined;
  const name = nativeName(end);
  return host === undefined || name === undefined ? undefined : stored(`${host}:${name}`);
}

/** Names hold no slash. */
function stored(name: string): string {
  return name.replaceAll('/', '_');
}

/** The same address may be there once in each table of routes. */
function withVrf(name: string | undefined, { vrf }: JsonObject): string | undefined {
  if (name === undefined) return undefined;
  const table = isJsonObject(vrf) ? nativeName(vrf) : undefined;
  return stored(table === undefined ? name : `${name} ${table}`);
}

/** The object that another one belongs to, and how to get the name of its host. */
interface Owner {
  readonly object: JsonObject;
  of(names: HostNames): string | undefined;
}

/** The device or virtual machine that an object belongs to. */
function hostOf(object: JsonObject): Owner | undefined {
  const inner = isJsonObject(object.assigned_object) ? object.assigned_object : {};
  const device = [object.device, inner.device].find(isJsonObject);
  if (device !== undefined) return { object: device, of: (names) => names.ofDevice(device) };
  // The parent of an interface is another interface, but then its device was already found above.
  const other = [object.virtual_machine, inner.virtual_machine, object.parent].find(isJsonObject);
  if (other === undefined) return undefined;
  const isDevice = object.parent_object_type === ENDPOINTS.devices.model;
  return { object: other, of: (names) => (isDevice ? names.ofDevice(other) : names.ofReference(other)) };
}

function text(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
