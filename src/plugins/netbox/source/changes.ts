import { createHash } from 'node:crypto';
import { isJsonObject } from '../../../kit/json/json-object.ts';
import type { HttpContext, JsonObject, JsonValue, SourceBookmark } from '../../../ports/index.ts';
import { ENDPOINTS, MAC_ADDRESSES } from '../api/endpoints.ts';
import { idOf } from '../api/members.ts';
import type { NetBoxApi } from '../api/open-api.ts';
import type { Query } from '../api/pages.ts';
import type { NetBoxOptions } from '../options.ts';
import { IDS_AT_ONCE, OWNERS, ownerOfService } from './details.ts';
import { nativeName } from './names.ts';
import { type HostPart, isHostPart, type PartId } from './parts.ts';
import type { ChassisMembers } from './virtual-chassis.ts';

/** A transaction of NetBox shows what it did only at its end, under the time at which it did that. */
const OVERLAP_MS = 15 * 60_000;
const LISTS_AT_ONCE = 4;
const NAMES_AT_ONCE = 50;
const PAGE_SIZE = 1_000;
/** Up to this number, changed objects are always read one by one. */
const MANY = 100;

export interface ChangedReading {
  readonly api: NetBoxApi;
  readonly options: Pick<NetBoxOptions, 'sections'>;
  /** Those that this run reads, in their order. */
  readonly parts: readonly PartId[];
  readonly filterOf: (part: PartId) => Query;
  readonly chassis: ChassisMembers;
  readonly context: HttpContext;
}

/** The ids of what is to be read of each part. */
export type ChangedIds = ReadonlyMap<PartId, readonly number[]>;

/**
 * Returns the bookmark for the next run, and the ids that this run reads; no ids if it reads everything. The time is that of the
 * newest change in NetBox when the run begins, by the clock of NetBox only. `undefined` if NetBox has no change to start from.
 */
export async function changesSince(
  reading: ChangedReading,
  since: string | undefined,
): Promise<{ readonly bookmark: SourceBookmark; readonly ids?: ChangedIds } | undefined> {
  const own = await statesOf(reading, ownLists(reading));
  const newest = [...own.values()].map((state) => state?.newest ?? '').reduce((a, b) => (a > b ? a : b), '');
  if (newest === '') return undefined;
  const watched = createHash('sha256')
    .update(JSON.stringify([...(await statesOf(reading, WATCHED))]))
    .digest('hex')
    .slice(0, 16);
  const before = placeOf(since);
  const changesOnly = before !== undefined && before.watched === watched && !reading.parts.some(isById(reading));
  const isLittle = changesOnly && !(await areMany(reading, new Lists(reading, before.at, own), own));
  const bookmark = { kind: 'bookmark', text: `${newest} ${watched}`, changesOnly: isLittle } as const;
  return isLittle ? { bookmark, ids: await changedIds(reading, new Lists(reading, before.at, own)) } : { bookmark };
}

/**
 * Whether there are too many changes: each changed object is read by its id, with its details, so reading the whole list is
 * faster.
 */
async function areMany({ parts, filterOf }: ChangedReading, changed: Lists, states: ListStates): Promise<boolean> {
  let [some, all] = [0, 0];
  for (const part of parts) {
    const { path } = ENDPOINTS[part];
    some += (await changed.ids(path, filterOf(part))).length;
    all += states.get(path)?.count ?? 0;
  }
  return some > MANY && some > all / 4;
}

function placeOf(since: string | undefined): { readonly at: string; readonly watched: string } | undefined {
  const [at = '', watched = ''] = (since ?? '').split(' ');
  const time = Date.parse(at);
  return Number.isNaN(time) ? undefined : { at: new Date(time - OVERLAP_MS).toISOString(), watched };
}

/** Parameters that changed objects are asked for by cannot be those of a filter too. */
function isById({ filterOf }: ChangedReading): (part: PartId) => boolean {
  return (part) => ['id', 'name', 'device_id', 'virtual_machine_id'].some((key) => Object.hasOwn(filterOf(part), key));
}

/** The lists whose changes are followed. */
function ownLists({ parts }: ChangedReading): readonly string[] {
  const hosts = [ENDPOINTS.devices, ENDPOINTS.vms, ENDPOINTS.interfaces, ENDPOINTS.vm_interfaces, ENDPOINTS.ips];
  const all = [...hosts, ENDPOINTS.services, ...parts.map((part) => ENDPOINTS[part])];
  return [...new Set(all.map(({ path }) => path)), MAC_ADDRESSES];
}

/** States by path of a list. A list that the token may not see, or that this release does not have, reports no changes. */
type ListStates = ReadonlyMap<string, Awaited<ReturnType<NetBoxApi['newest']>>>;

async function statesOf({ api, context }: ChangedReading, paths: readonly string[]): Promise<ListStates> {
  const states: [string, Awaited<ReturnType<NetBoxApi['newest']>>][] = [];
  for (let start = 0; start < paths.length; start += LISTS_AT_ONCE) {
    const some = paths.slice(start, start + LISTS_AT_ONCE);
    const found = await Promise.all(some.map((path) => api.newest(path, context)));
    for (const [index, path] of some.entries()) states.push([path, found[index]]);
  }
  return new Map(states);
}

async function changedIds(reading: ChangedReading, changed: Lists): Promise<ChangedIds> {
  const { parts } = reading;
  const found = new Map<PartId, Set<number>>();
  for (const part of parts) found.set(part, new Set(await changed.ids(ENDPOINTS[part].path, reading.filterOf(part))));
  for (const part of parts) {
    const ids = found.get(part) ?? new Set();
    if (isHostPart(part)) for (const id of await changed.owners(part)) ids.add(id);
    if (part === 'devices') for (const id of [...ids]) ids.add(idOf(reading.chassis.hostOf({ id })) ?? id);
    if (part === 'interfaces' || part === 'vm_interfaces') {
      for (const id of await changed.assigned(part === 'interfaces' ? 'devices' : 'vms')) ids.add(id);
    }
    for (const id of await changed.belongings(part)) ids.add(id);
  }
  const hosts = parts.filter(isHostPart);
  for (const [part, id] of await sameNames(reading, hosts, found)) found.get(part)?.add(id);
  return new Map([...found].map(([part, ids]) => [part, [...ids].sort((a, b) => a - b)]));
}

/** Changes in lists; each list is requested once. */
class Lists {
  readonly #reading: ChangedReading;
  readonly #since: string;
  readonly #states: ListStates;
  readonly #known = new Map<string, Promise<readonly JsonObject[]>>();

  constructor(reading: ChangedReading, since: string, states: ListStates) {
    this.#reading = reading;
    this.#since = since;
    this.#states = states;
  }

  async ids(path: string, filter: Query): Promise<readonly number[]> {
    const state = this.#states.get(path);
    if (state !== undefined && this.#isOlder(state)) return [];
    const found = await wholeList(this.#reading, path, { ...filter, last_updated__gte: this.#since, fields: 'id' });
    return found.map(({ id }) => Number(id));
  }

  /** Hosts of which something changed that NetBox lists elsewhere. */
  async owners(part: HostPart): Promise<readonly number[]> {
    const { member, interfaces } = OWNERS[part];
    const { model: type } = interfaces;
    const { sections } = this.#reading.options;
    const addresses = await this.#assignments(ENDPOINTS.ips.path, type);
    const found = addresses.map((interfaceOf) => idOf(interfaceOf[member]));
    if (sections.includes('interfaces')) {
      const macs = await this.#assignments(MAC_ADDRESSES, type);
      const ports = await this.#changed(interfaces.path, `id,${member}`);
      found.push(...[...macs, ...ports].map((one) => idOf(one[member])));
    }
    if (sections.includes('services')) {
      const fields = 'id,device,virtual_machine,parent_object_type,parent_object_id';
      const services = await this.#changed(ENDPOINTS.services.path, fields);
      found.push(...services.map((service) => ownerOfService(service, member)));
    }
    return found.flatMap((id) => id ?? []);
  }

  /** Interfaces whose addresses changed. */
  async assigned(part: HostPart): Promise<readonly number[]> {
    const { model: type } = OWNERS[part].interfaces;
    const lists = [await this.#assignments(ENDPOINTS.ips.path, type), await this.#assignments(MAC_ADDRESSES, type)];
    return lists.flat().map(({ id }) => Number(id));
  }

  /** Objects that are named after hosts that changed. */
  async belongings(part: PartId): Promise<readonly number[]> {
    const owners: HostPart[] = [];
    if (part === 'interfaces' || part === 'ips' || part === 'services') owners.push('devices');
    if (part === 'vm_interfaces' || part === 'ips' || part === 'services') owners.push('vms');
    const ids: number[] = [];
    for (const owner of owners) {
      const hosts = await this.#changed(ENDPOINTS[owner].path, 'id');
      for (let start = 0; start < hosts.length; start += IDS_AT_ONCE) {
        const some = hosts.slice(start, start + IDS_AT_ONCE).map(({ id }) => Number(id));
        const query = { [OWNERS[owner].filter]: some, fields: 'id' };
        for (const { id } of await wholeList(this.#reading, ENDPOINTS[part].path, query)) ids.push(Number(id));
      }
    }
    return ids;
  }

  /** The interfaces that changed objects of a list are assigned to. */
  async #assignments(path: string, type: string): Promise<readonly JsonObject[]> {
    const fields = 'id,assigned_object_type,assigned_object_id,assigned_object';
    const found = await this.#changed(path, fields);
    return found.flatMap(({ assigned_object_type, assigned_object }) =>
      assigned_object_type === type && isJsonObject(assigned_object) ? [assigned_object] : [],
    );
  }

  #changed(path: string, fields: string): Promise<readonly JsonObject[]> {
    const key = `${path} ${fields}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const state = this.#states.get(path);
    if (state === undefined || this.#isOlder(state)) return Promise.resolve([]);
    const asked = wholeList(this.#reading, path, { last_updated__gte: this.#since, fields });
    this.#known.set(key, asked);
    return asked;
  }

  #isOlder({ newest }: { readonly newest: string }): boolean {
    return newest === '' || Date.parse(newest) < Date.parse(this.#since);
  }
}

/**
 * Returns other objects with the same names as changed ones: the first of them is the host, so they are read together. The parts
 * are in the order in which they are read.
 */
async function sameNames(
  reading: ChangedReading,
  parts: readonly HostPart[],
  changed: ReadonlyMap<PartId, ReadonlySet<number>>,
): Promise<readonly (readonly [HostPart, number])[]> {
  const names = new Set<JsonValue>();
  for (const part of parts) {
    const ids = [...(changed.get(part) ?? [])];
    for (let start = 0; start < ids.length; start += IDS_AT_ONCE) {
      const query = { id: ids.slice(start, start + IDS_AT_ONCE), fields: 'id,name' };
      for (const host of await wholeList(reading, ENDPOINTS[part].path, query)) names.add(nativeName(host) ?? null);
    }
  }
  names.delete(null);
  const all = [...names].map(String);
  const found: [HostPart, number][] = [];
  for (let start = 0; start < all.length; start += NAMES_AT_ONCE) {
    for (const part of parts) {
      const query = { ...reading.filterOf(part), name: all.slice(start, start + NAMES_AT_ONCE), fields: 'id' };
      for (const { id } of await wholeList(reading, ENDPOINTS[part].path, query)) found.push([part, Number(id)]);
    }
  }
  return found;
}

async function wholeList({ api, context }: ChangedReading, path: string, query: Query): Promise<readonly JsonObject[]> {
  const all: JsonObject[] = [];
  for await (const page of api.list({ path, query, size: PAGE_SIZE }, context)) all.push(...page);
  return all;
}

/**
 * Lists of what devices, virtual machines and their parts only refer to. Labels tell of these too, and NetBox does not say of a device that
 * its site has another name now: where one of them changed, everything is read.
 */
const WATCHED: readonly string[] = [
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
