import { isJsonObject } from '../../../src/kit/json/json-object.ts';
import type { JsonObject, JsonValue } from '../../../src/ports/index.ts';
import type { RealNetBox } from './real-netbox.ts';

/** Lists, and the members by which an object of one NetBox is found in another. */
const LISTS: Readonly<Record<string, readonly string[]>> = {
  'dcim/sites/': ['name'],
  'dcim/manufacturers/': ['name'],
  'dcim/device-types/': ['manufacturer', 'model'],
  'dcim/device-roles/': ['name'],
  'dcim/platforms/': ['name'],
  'dcim/devices/': ['name'],
  'dcim/interfaces/': ['device', 'name'],
  'virtualization/cluster-types/': ['name'],
  'virtualization/clusters/': ['name'],
  'virtualization/virtual-machines/': ['name'],
  'virtualization/interfaces/': ['virtual_machine', 'name'],
  'ipam/ip-addresses/': ['address'],
  'ipam/prefixes/': ['prefix'],
  'tenancy/contact-groups/': ['name'],
  'tenancy/contacts/': ['name'],
};

/** What every NetBox numbers, counts and dates by itself. */
const OWN = /^(?:id|url|display_url|display|created|last_updated|.*_id|.*_count|_.*)$/;

/**
 * How two NetBoxes differ, object by object: by list and member, how often, with one example. `missing` and `added` are objects that the
 * second has not, or alone.
 */
export async function differencesBetween(
  first: RealNetBox,
  second: RealNetBox,
): Promise<Readonly<Record<string, string>>> {
  const found = new Map<string, { count: number; readonly example: string }>();
  const note = (what: string, example: string): void => {
    const known = found.get(what);
    if (known === undefined) found.set(what, { count: 1, example });
    else known.count++;
  };
  for (const [list, members] of Object.entries(LISTS)) {
    const [before, after] = [await objectsOf(first, list, members), await objectsOf(second, list, members)];
    for (const [key, object] of before) {
      const other = after.get(key);
      if (other === undefined) note(`${list} missing`, key);
      else
        for (const name of new Set([...Object.keys(object), ...Object.keys(other)])) {
          const [one, two] = [JSON.stringify(object[name]), JSON.stringify(other[name])];
          if (one !== two) note(`${list} ${name}`, `${key}: ${one} ${two}`);
        }
    }
    for (const key of after.keys()) if (!before.has(key)) note(`${list} added`, key);
  }
  return Object.fromEntries([...found].map(([what, { count, example }]) => [what, `${count}, ${example}`]));
}

async function objectsOf(netbox: RealNetBox, list: string, members: readonly string[]) {
  const objects = new Map<string, JsonObject>();
  for (let offset = 0; ; offset += 1000) {
    const page = await netbox.all(list, `&offset=${offset}`);
    for (const object of page) {
      const shown = comparable(object);
      objects.set(members.map((name) => String(shown[name])).join('/'), shown);
    }
    if (page.length < 1000) return objects;
  }
}

function comparable(object: JsonObject): JsonObject {
  const entries = Object.entries(object).filter(([name]) => !OWN.test(name));
  return Object.fromEntries(entries.map(([name, value]) => [name, named(value)]));
}

/** Other objects by their names, and an interface with that of its machine. */
function named(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(named);
  if (!isJsonObject(value)) return value;
  const own = value.name ?? value.model ?? value.address ?? value.value;
  if (own === undefined) return value;
  const machine = value.device ?? value.virtual_machine;
  return isJsonObject(machine) ? `${String(machine.name)}/${String(own)}` : own;
}
