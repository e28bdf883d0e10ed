import { isJsonObject } from '../../../kit/json/json-object.ts';
import type { Change, JsonObject, JsonValue, RemoteWriting } from '../../../ports/index.ts';
import { ENDPOINTS } from '../api/endpoints.ts';
import { isAtLeast, type NetBoxVersion } from '../api/open-api.ts';
import { customValue } from './custom-values.ts';
import type { KindId } from './kinds.ts';
import { slugOf } from './names.ts';

/** Information that the bodies of changes depend on, in addition to the changes. */
export interface BodyContext {
  readonly version: NetBoxVersion;
  readonly customFieldTypes: ReadonlyMap<string, string>;
  idOf(kind: KindId, key: string): string | undefined;
}

/** A change that cannot be written as it is: what it refers to is not there. */
export class MissingReference extends Error {}

type Write = (value: JsonValue, context: BodyContext, change: Change) => JsonObject;

/** The fields of a change as NetBox takes them. Throws `MissingReference`. */
export function bodyOf(kind: KindId, change: Change, context: BodyContext): JsonObject {
  const { action, fields } = change;
  const body: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(fields)) {
    const write = WRITES[kind]?.[name];
    Object.assign(body, write === undefined ? { [name]: value } : write(value, context, change));
  }
  if (action !== 'create') return body;
  return { ...body, ...(MADE_WITH[kind]?.(fields) ?? {}) };
}

export function bodyContext(
  version: NetBoxVersion,
  customFieldTypes: ReadonlyMap<string, string>,
  { idOf }: Pick<RemoteWriting, 'idOf'>,
): BodyContext {
  return { version, customFieldTypes, idOf };
}

const customFields: Write = (value, { customFieldTypes }) => {
  const fields = isJsonObject(value) ? value : {};
  const typed = Object.entries(fields).map(([name, text]) => [name, customValue(text, customFieldTypes.get(name))]);
  return { custom_fields: Object.fromEntries(typed) };
};

const primary =
  (name: string): Write =>
  (value, context, { after }) => {
    if (value === null) return { [name]: null };
    const host = String(value);
    const ip = after.find(({ kind, key }) => kind === 'ip' && (key === host || key.startsWith(`${host} `)));
    return { [name]: reference('ip', ip?.key ?? host, context) };
  };

/** Fields that NetBox calls otherwise, or that refer to something. */
const WRITES: Partial<Record<KindId, Readonly<Record<string, Write>>>> = {
  device_type: { manufacturer: refers('manufacturer', 'manufacturer') },
  location: { site: refers('site', 'site') },
  rack: { site: refers('site', 'site'), location: refers('location', 'location') },
  platform: { manufacturer: refers('manufacturer', 'manufacturer') },
  cluster: {
    type: refers('type', 'cluster_type'),
    site: (value, context) => {
      const id = value === null ? null : reference('site', String(value), context);
      if (!isAtLeast(context.version, 4, 2)) return { site: id };
      return { scope_type: id === null ? null : 'dcim.site', scope_id: id };
    },
    custom_fields: customFields,
  },
  device: {
    device_type: refers('device_type', 'device_type'),
    role: refers('role', 'device_role'),
    platform: refers('platform', 'platform'),
    tenant: refers('tenant', 'tenant'),
    site: refers('site', 'site'),
    location: refers('location', 'location'),
    rack: refers('rack', 'rack'),
    custom_fields: customFields,
  },
  vm: {
    cluster: refers('cluster', 'cluster'),
    role: refers('role', 'device_role'),
    platform: refers('platform', 'platform'),
    tenant: refers('tenant', 'tenant'),
    site: refers('site', 'site'),
    custom_fields: customFields,
  },
  interface: { device: refers('device', 'device'), mac_address: macAddress },
  vm_interface: { vm: refers('virtual_machine', 'vm'), mac_address: macAddress },
  ip: {
    vrf: refers('vrf', 'vrf'),
    role: (value) => ({ role: value ?? '' }),
    assigned_to: (value, context) => {
      if (typeof value !== 'string') return { assigned_object_type: null, assigned_object_id: null };
      const [kind = '', ...rest] = value.split(' ');
      const isVm = kind === 'vm_interface';
      return {
        assigned_object_type: (isVm ? ENDPOINTS.vm_interfaces : ENDPOINTS.interfaces).model,
        assigned_object_id: reference(isVm ? 'vm_interface' : 'interface', rest.join(' '), context),
      };
    },
  },
  device_primary: { primary_ip4: primary('primary_ip4'), primary_ip6: primary('primary_ip6') },
  vm_primary: { primary_ip4: primary('primary_ip4'), primary_ip6: primary('primary_ip6') },
  contact: {
    group: (value, context) => {
      const id = value === null ? null : reference('contact_group', String(value), context);
      return isAtLeast(context.version, 4, 3) ? { groups: id === null ? [] : [id] } : { group: id };
    },
    custom_fields: customFields,
  },
};

const withSlug = ({ name }: JsonObject): JsonObject => ({ slug: slugOf(String(name)) });

/** Members that NetBox requires on creation and that are not configurable. */
const MADE_WITH: Partial<Record<KindId, (fields: JsonObject) => JsonObject>> = {
  custom_field: () => ({ type: 'text' }),
  manufacturer: withSlug,
  device_type: ({ model }) => ({ slug: slugOf(String(model)) }),
  device_role: withSlug,
  site: withSlug,
  location: withSlug,
  platform: withSlug,
  tenant: withSlug,
  cluster_type: withSlug,
  contact_group: withSlug,
};

function refers(name: string, to: KindId): Write {
  return (value, context) => ({ [name]: value === null ? null : reference(to, String(value), context) });
}

/** Since NetBox 4.2 an interface has an address that is an object, which is written by itself. */
function macAddress(value: JsonValue, { version }: BodyContext): JsonObject {
  return isAtLeast(version, 4, 2) ? {} : { mac_address: value };
}

function reference(kind: KindId, key: string, { idOf }: BodyContext): number {
  const id = Number(idOf(kind, key));
  if (Number.isSafeInteger(id)) return id;
  throw new MissingReference(`${kind} ${key}, which it refers to, is not there`);
}
