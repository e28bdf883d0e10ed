import { isJsonObject } from '../../../kit/json/json-object.ts';
import type { JsonObject, JsonValue, RemoteObject } from '../../../ports/index.ts';
import { ENDPOINTS } from '../api/endpoints.ts';
import { customTexts } from './custom-values.ts';
import type { KindId } from './kinds.ts';
import { foldedName, lowerName, readAddress, within } from './names.ts';
import { addressKey, assignment, interfaceKey } from './want-networks.ts';

/** Whose an object is by its mark. */
export type OwnerOf = (customFields: JsonObject) => RemoteObject['owner'];

type Found = Pick<RemoteObject, 'key' | 'fields' | 'partOf'> & { readonly owner?: RemoteObject['owner'] };

/**
 * Returns the objects in a record of NetBox, under the names that are wanted; none for records that cannot be referred to, such
 * as devices without a name.
 */
export function remoteObjects(kind: KindId, record: JsonObject, ownerOf: OwnerOf): readonly RemoteObject[] {
  const { id } = record;
  if (typeof id !== 'number') return [];
  const found = READ[kind]?.(record, ownerOf);
  if (found === undefined || found.key === '' || found.key.length > 1_000) return [];
  const made = (of: string, { key, fields, owner = 'nobody', partOf }: Found): RemoteObject => {
    return { kind: of, key, id: String(id), fields, owner, ...(partOf !== undefined && { partOf }) };
  };
  const objects = [made(kind, found)];
  const side = kind === 'device' || kind === 'vm' ? primaryOf(record) : undefined;
  // The mark identifies the owner of the machine; its primary address may have been chosen by another party.
  const owner = found.owner === 'other' ? 'other' : 'nobody';
  if (side !== undefined) objects.push(made(`${kind}_primary`, { key: found.key, fields: side, owner }));
  return objects;
}

const READ: Partial<Record<KindId, (record: JsonObject, ownerOf: OwnerOf) => Found>> = {
  custom_field: (record) => ({ key: text(record.name), fields: {} }),
  manufacturer: named,
  device_type: ({ model, manufacturer }) => ({ key: typeKey(manufacturer, model), fields: {} }),
  device_role: named,
  site: named,
  location: ofSite,
  rack: ofSite,
  platform: named,
  tenant: named,
  cluster_type: named,
  vrf: named,
  contact_group: named,
  cluster: (record) => {
    const { name, type, site, scope_type, scope, status, description, custom_fields } = record;
    const place = scope_type === 'dcim.site' ? scope : (site ?? null);
    return {
      key: lowerName(text(name)),
      fields: {
        name: text(name),
        type: nameKey(type),
        site: nameKey(place),
        status: choice(status),
        description: text(description),
        custom_fields: customTexts(custom_fields),
      },
    };
  },
  device: (record, ownerOf) => {
    const { name, device_type, site, location, rack, custom_fields } = record;
    const type = isJsonObject(device_type) ? typeKey(device_type.manufacturer, device_type.model) : null;
    const customFields = customTexts(custom_fields);
    const fields = machineFields(record, customFields);
    fields.device_type = type;
    fields.location = siteKey(site, location);
    fields.rack = siteKey(site, rack);
    return { key: lowerName(text(name)), owner: ownerOf(customFields), fields };
  },
  vm: (record, ownerOf) => {
    const customFields = customTexts(record.custom_fields);
    const cluster = nameOf(record.cluster);
    const fields = machineFields(record, customFields);
    fields.cluster = cluster === '' ? null : lowerName(cluster);
    return { key: lowerName(text(record.name)), owner: ownerOf(customFields), fields };
  },
  interface: (record) => {
    const machine = lowerName(nameOf(record.device));
    const { type, speed, duplex } = record;
    const fields = portFields(record);
    fields.device = machine;
    fields.type = choice(type);
    fields.speed = speed ?? null;
    fields.duplex = choice(duplex);
    return { key: portKey(machine, record), fields };
  },
  vm_interface: (record) => {
    const machine = lowerName(nameOf(record.virtual_machine));
    const fields = portFields(record);
    fields.vm = machine;
    return { key: portKey(machine, record), fields };
  },
  prefix: ({ prefix, vrf, status, description }) => {
    const of = nameOf(vrf);
    return {
      key: of === '' ? text(prefix) : `${text(prefix)} in ${of.toLowerCase()}`,
      fields: { prefix: text(prefix), status: choice(status), description: text(description) },
    };
  },
  ip: (record) => {
    const address = text(record.address);
    const vrf = nameOf(record.vrf);
    const role = choice(record.role);
    const assigned = assignedOf(record);
    const place = { host: readAddress(address)?.host ?? '', vrf: vrf || undefined, role: role ?? undefined, assigned };
    const [, kind = '', on = ''] = /^((?:vm_)?interface) (.*)$/s.exec(assigned ?? '') ?? [];
    return {
      key: place.host === '' ? '' : addressKey(place),
      ...(on !== '' && { partOf: [{ kind, key: on }] }),
      fields: {
        address,
        assigned_to: assigned,
        vrf: vrf === '' ? null : foldedName(vrf),
        status: choice(record.status),
        role,
        description: text(record.description),
      },
    };
  },
  contact: (record) => {
    const { name, title, phone, email, address, description, group, groups, custom_fields } = record;
    const [first] = Array.isArray(groups) ? (groups as readonly JsonValue[]) : [group];
    return {
      key: lowerName(text(name)),
      fields: {
        name: text(name),
        title: text(title),
        phone: text(phone),
        email: text(email),
        address: text(address),
        description: text(description),
        group: nameKey(first),
        custom_fields: customTexts(custom_fields),
      },
    };
  },
};

function named({ name }: JsonObject): Found {
  return { key: foldedName(text(name)), fields: {} };
}

function ofSite({ name, site }: JsonObject): Found {
  return { key: siteKey(site, { name: name ?? null }) ?? '', fields: {} };
}

/** Each kind adds its own: copying them takes longer than making them. */
type Members = Record<string, JsonValue>;

function machineFields(record: JsonObject, customFields: JsonObject): Members {
  const { name, role, platform, serial, tenant, site, status } = record;
  return {
    name: text(name),
    role: nameKey(role),
    platform: nameKey(platform),
    serial: text(serial),
    tenant: nameKey(tenant),
    site: nameKey(site),
    status: choice(status),
    custom_fields: customFields,
  };
}

function portFields({ name, enabled, mac_address, description, mode, mtu }: JsonObject): Members {
  return {
    name: text(name),
    enabled: enabled ?? null,
    mac_address: text(mac_address).toUpperCase() || null,
    description: text(description),
    mode: choice(mode),
    mtu: mtu ?? null,
  };
}

function portKey(machine: string, { name }: JsonObject): string {
  return machine === '' || text(name) === '' ? '' : interfaceKey(machine, text(name));
}

/** The primary addresses of a machine that has one. */
function primaryOf({ primary_ip4, primary_ip6 }: JsonObject): JsonObject | undefined {
  const key = (ip: JsonValue | undefined): string | null =>
    isJsonObject(ip) ? (readAddress(text(ip.address))?.host ?? null) : null;
  const [four, six] = [key(primary_ip4), key(primary_ip6)];
  return four === null && six === null ? undefined : { primary_ip4: four, primary_ip6: six };
}

function assignedOf({ assigned_object_type, assigned_object }: JsonObject): string | null {
  if (!isJsonObject(assigned_object)) return null;
  const name = text(assigned_object.name);
  if (assigned_object_type === ENDPOINTS.interfaces.model)
    return assignment('interface', interfaceKey(lowerName(nameOf(assigned_object.device)), name));
  if (assigned_object_type === ENDPOINTS.vm_interfaces.model)
    return assignment('vm_interface', interfaceKey(lowerName(nameOf(assigned_object.virtual_machine)), name));
  return `${text(assigned_object_type)} ${text(assigned_object.display ?? assigned_object.id)}`;
}

function typeKey(manufacturer: JsonValue | undefined, model: JsonValue | undefined): string {
  return within(foldedName(nameOf(manufacturer)), foldedName(text(model)));
}

function nameKey(value: JsonValue | undefined): string | null {
  const name = nameOf(value);
  return name === '' ? null : foldedName(name);
}

function siteKey(site: JsonValue | undefined, value: JsonValue | undefined): string | null {
  const [outer, inner] = [nameOf(site), nameOf(value)];
  return outer === '' || inner === '' ? null : within(foldedName(outer), foldedName(inner));
}

function nameOf(value: JsonValue | undefined): string {
  return isJsonObject(value) ? text(value.name) : '';
}

function choice(value: JsonValue | undefined): string | null {
  const inner = isJsonObject(value) ? value.value : value;
  return typeof inner === 'string' && inner !== '' ? inner : null;
}

function text(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}
