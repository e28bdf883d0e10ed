import { isJsonObject } from '../../../kit/json/json-object.ts';
import { ahead, withBeats } from '../../../kit/records/heartbeat.ts';
import { type Said, saidBy, worded } from '../../../kit/worded.ts';
import {
  AppError,
  type HttpContext,
  HttpError,
  type JsonObject,
  type ReadContext,
  type SourceAccount,
  type SourceItem,
  type SourceServices,
} from '../../../ports/index.ts';
import { ENDPOINTS, permission } from '../api/endpoints.ts';
import { type NetBoxApi, openApi } from '../api/open-api.ts';
import type { Query } from '../api/pages.ts';
import type { NetBoxOptions } from '../options.ts';
import { type ChangedIds, changesSince } from './changes.ts';
import { addressesOf, detailsWithMembers, type HostDetails, IDS_AT_ONCE } from './details.ts';
import { readImportFilter, readPartFilters } from './filters.ts';
import { type HostMapping, hostItem } from './hosts.ts';
import { HostNames, nativeName } from './names.ts';
import { type ObjectMapping, objectItem } from './objects.ts';
import { type HostPart, isHostPart, PART_IDS, type PartId } from './parts.ts';
import { ChassisMembers, readChassisMembers } from './virtual-chassis.ts';

export interface NetBoxReading {
  readonly options: NetBoxOptions;
  readonly account: SourceAccount;
  readonly services: SourceServices;
}

/** Reads what the account names, or the one part that is asked for. Memory holds two pages, and what belongs to one of hosts. */
export async function* readNetBox(
  { options, account, services }: NetBoxReading,
  { signal, part, inventorizes, since }: ReadContext,
): AsyncGenerator<readonly SourceItem[], void, undefined> {
  const stop = new AbortController();
  const context = { signal: AbortSignal.any([signal, stop.signal]) };
  const api = await openApi(options, account, services, context);
  try {
    const parts = part === undefined ? options.parts : PART_IDS.filter((id) => id === part);
    const run = { api, options, context, chassis: await chassisOf(api, options, parts, context) };
    yield* withBeats(inventorizes === true ? itemsOf(run, parts, true) : wholeOrChanges(run, parts, since));
  } finally {
    // Requests sent ahead are no longer needed.
    stop.abort(new Error('the reader stopped'));
    await api.http.close();
  }
}

interface Run {
  readonly api: NetBoxApi;
  readonly options: NetBoxOptions;
  readonly context: HttpContext;
  /** Devices that others stand for. */
  readonly chassis: ChassisMembers;
  /** The only ones that are read of each part; absent: all. */
  readonly changed?: ChangedIds | undefined;
}

const OF_DEVICES: ReadonlySet<PartId> = new Set(['devices', 'interfaces', 'ips', 'services']);

/** Members of virtual chassis are asked for where their master is the host. */
async function chassisOf(
  api: NetBoxApi,
  { virtual_chassis }: NetBoxOptions,
  parts: readonly PartId[],
  context: HttpContext,
): Promise<ChassisMembers> {
  const matters = virtual_chassis === 'master' && parts.some((part) => OF_DEVICES.has(part));
  return matters ? readChassisMembers(api, context) : new ChassisMembers();
}

async function* wholeOrChanges(
  run: Run,
  parts: readonly PartId[],
  since: string | undefined,
): AsyncGenerator<readonly SourceItem[], void, undefined> {
  const changes = run.options.full_read_hours === 0 ? undefined : await changesOf(run, parts, since);
  if (changes !== undefined) yield [changes.bookmark];
  yield* itemsOf({ ...run, changed: changes?.ids }, parts, false);
}

/** Returns the changes since the last run. If they cannot be determined, everything is read, and the fault is reported there. */
async function changesOf({ api, options, context, chassis }: Run, parts: readonly PartId[], since: string | undefined) {
  const filter = (part: PartId): Query => filterOf(options, part);
  try {
    return await changesSince({ api, options, parts, filterOf: filter, context, chassis }, since);
  } catch (error) {
    if (!isGap(error)) throw error;
    return undefined;
  }
}

async function* itemsOf(
  run: Run,
  parts: readonly PartId[],
  inventorizes: boolean,
): AsyncGenerator<readonly SourceItem[], void, undefined> {
  const names = await hostNames(run);
  for (const part of parts) {
    try {
      if (isHostPart(part)) yield* hostsOf(run, { part, names, ...mappingOf(run.options) });
      else if (inventorizes && (part === 'interfaces' || part === 'vm_interfaces')) {
        yield* interfacesOfHosts(run, part === 'interfaces' ? 'devices' : 'vms', names);
      } else yield* objectsOf(run, { part, names, ...mappingOf(run.options) });
    } catch (error) {
      if (!isGap(error)) throw error;
      yield [{ kind: 'gap', what: ENDPOINTS[part].title, reason: reasonOf(error, part) }];
    }
  }
}

/** Which names are not unique is asked for where that changes any of them. */
async function hostNames({ api, options, context, chassis }: Run): Promise<HostNames> {
  if (options.duplicate_hostname === '') return new HostNames(options, new Set(), chassis);
  const parts = options.parts.filter(isHostPart).map((part) => ({ part, filter: filterOf(options, part) }));
  return new HostNames(options, await sharedNames(api, parts, context), chassis);
}

function pagesOf(
  { api, options, context, changed }: Run,
  part: PartId,
): AsyncGenerator<readonly JsonObject[], void, undefined> {
  const lean = isHostPart(part) && !options.config_context ? { exclude: 'config_context' } : {};
  const query = { ...filterOf(options, part), ...lean };
  const list = (more: Query = {}) =>
    api.list({ path: ENDPOINTS[part].path, query: { ...query, ...more }, size: options.page_size }, context);
  return ahead(changed === undefined ? list() : pagesOfIds(changed.get(part) ?? [], list));
}

async function* pagesOfIds(
  ids: readonly number[],
  list: (query: Query) => AsyncGenerator<readonly JsonObject[], void, undefined>,
): AsyncGenerator<readonly JsonObject[], void, undefined> {
  for (let start = 0; start < ids.length; start += IDS_AT_ONCE) {
    yield* list({ id: ids.slice(start, start + IDS_AT_ONCE) });
  }
}

async function* hostsOf(run: Run, mapping: HostMapping): AsyncGenerator<readonly SourceItem[], void, undefined> {
  const { sections } = run.options;
  let leftOut = 0;
  for await (const page of pagesOf(run, mapping.part)) {
    const hosts = page.flatMap((object) => {
      const item = hostItem(object, mapping);
      return item === undefined ? [] : [{ id: Number(object.id), item }];
    });
    leftOut += page.length - hosts.length;
    if (sections.length === 0) yield hosts.map(({ item }) => item);
    else yield* withSections(run, mapping, hosts);
  }
  if (leftOut > 0) {
    const reason = 'in a virtual chassis with another master, and virtual_chassis is master';
    yield [{ kind: 'left_out', count: leftOut, reason }];
  }
}

/** Hosts whose sections cannot be read come without: what they had stays. */
async function* withSections(
  run: Run,
  { part, names, relations }: HostMapping,
  hosts: readonly FoundHost[],
): AsyncGenerator<readonly SourceItem[], void, undefined> {
  const { sections } = run.options;
  // The next ones are asked for while these are taken apart.
  for await (const { some, details, lost } of ahead(inDetail(run, part, hosts))) {
    if (details !== undefined) {
      yield some.map(({ id, item }) => withDetails(item, details.get(id), { sections, names, relations }));
    } else {
      const [first, last] = [String(some[0]?.id), String(some.at(-1)?.id)];
      const what = worded`${{ sections: sections.join(' and ') }} of ${{ part: ENDPOINTS[part].title }} ${{ first }} to ${{ last }}`;
      yield [...some.map(({ item }) => item), { kind: 'gap', what, reason: lost }];
    }
  }
}

interface FoundHost {
  readonly id: number;
  readonly item: SourceItem;
}

type DetailedHosts = { readonly some: readonly FoundHost[] } & (
  | { readonly details: ReadonlyMap<number, HostDetails>; readonly lost?: never }
  | { readonly details?: never; readonly lost: Said }
);

async function* inDetail(
  { api, options: { sections }, context, chassis }: Run,
  part: HostPart,
  hosts: readonly FoundHost[],
): AsyncGenerator<DetailedHosts, void, undefined> {
  for (let start = 0; start < hosts.length; start += IDS_AT_ONCE) {
    const some = hosts.slice(start, start + IDS_AT_ONCE);
    try {
      const ids = some.map(({ id }) => id);
      yield { some, details: await detailsWithMembers(api, { part, ids, sections, chassis }, context) };
    } catch (error) {
      if (!isGap(error)) throw error;
      yield { some, lost: saidBy(error) };
    }
  }
}

function withDetails(
  item: SourceItem,
  details: HostDetails | undefined,
  { sections, names, relations }: Pick<NetBoxOptions, 'sections' | 'relations'> & { readonly names: HostNames },
): SourceItem {
  if (item.kind !== 'record' || details === undefined) return item;
  const netbox = Object.fromEntries(sections.map((section) => [section, details[section]]));
  if (!relations) return { ...item, inventory: { netbox } };
  const targets = details.connected.flatMap(({ device }) =>
    isJsonObject(device) ? (names.ofDevice(device) ?? []) : [],
  );
  const cables = [...new Set(targets)].filter((target) => target !== item.hostname);
  return {
    ...item,
    inventory: { netbox },
    relations: [...(item.relations ?? []), ...cables.map((target) => ({ type: 'connects_to', target }))],
  };
}

/** The interfaces of each host, by their names, for a section of a host that is there. */
async function* interfacesOfHosts(
  run: Run,
  part: HostPart,
  names: HostNames,
): AsyncGenerator<readonly SourceItem[], void, undefined> {
  const mapping = { part, names, ...mappingOf(run.options) };
  const sections = ['interfaces'] as const;
  for await (const page of pagesOf(run, part)) {
    for (let start = 0; start < page.length; start += IDS_AT_ONCE) {
      const some = page.slice(start, start + IDS_AT_ONCE);
      const { api, context, chassis } = run;
      const ids = some.map(({ id }) => Number(id));
      const details = await detailsWithMembers(api, { part, ids, sections, chassis }, context);
      yield some.flatMap((object): readonly SourceItem[] => {
        const item = hostItem(object, mapping);
        if (item?.kind !== 'record') return item === undefined ? [] : [item];
        const found = details.get(Number(object.id))?.interfaces ?? [];
        const interfaces = byName(found);
        return [
          { kind: 'record', position: item.position, hostname: item.hostname, labels: {}, inventory: { interfaces } },
        ];
      });
    }
  }
}

/** Interfaces of other members of a virtual chassis that are called as one before them have the name of their device in front. */
function byName(found: readonly JsonObject[]): JsonObject {
  const interfaces: Record<string, JsonObject> = {};
  for (const one of found) {
    const name = String(one.name);
    interfaces[Object.hasOwn(interfaces, name) ? `${String(one.device)}:${name}` : name] = one;
  }
  return interfaces;
}

async function* objectsOf(run: Run, mapping: ObjectMapping): AsyncGenerator<readonly SourceItem[], void, undefined> {
  const { part } = mapping;
  const host = part === 'interfaces' ? 'devices' : part === 'vm_interfaces' ? 'vms' : undefined;
  for await (const page of pagesOf(run, part)) {
    if (host === undefined) {
      yield page.map((object) => objectItem(object, mapping));
      continue;
    }
    for (let start = 0; start < page.length; start += IDS_AT_ONCE) {
      const some = page.slice(start, start + IDS_AT_ONCE);
      const addresses = await addressesOf(run.api, { part: host, ids: some.map(({ id }) => Number(id)) }, run.context);
      yield some.map((object) => objectItem(object, mapping, addresses.get(Number(object.id)) ?? []));
    }
  }
}

function mappingOf(options: NetBoxOptions): Pick<HostMapping, 'mastersOnly'> & Omit<ObjectMapping, 'part' | 'names'> {
  const { references, relations, virtual_chassis, full_read_hours } = options;
  return { references, relations, mastersOnly: virtual_chassis === 'master', hasKeys: full_read_hours > 0 };
}

/** Objects of other lists have other parameters than hosts, and import_filter is for those. */
function filterOf({ import_filter, part_filters }: NetBoxOptions, part: PartId): Query {
  const own = readPartFilters(part_filters, PART_IDS).get(part);
  const takesCommon = isHostPart(part) || part === 'interfaces' || part === 'vm_interfaces';
  return own ?? (takesCommon ? readImportFilter(import_filter) : {});
}

/** A part that cannot be read, however often it was tried, while the others may be. */
function isGap(error: unknown): error is AppError {
  if (error instanceof HttpError)
    return error.fault !== 'unauthenticated' && error.fault !== 'tls' && error.fault !== 'proxy';
  return error instanceof AppError && error.code === 'failed';
}

function reasonOf(error: AppError, part: PartId): Said {
  if (!(error instanceof HttpError) || error.status !== 403) return saidBy(error);
  const lacking = permission('view', ENDPOINTS[part]);
  return worded`the user of the token lacks the permission ${{ permission: lacking }}; give it in NetBox, or leave ${{ part }} out of parts`;
}

const PAGE_SIZE = 1_000;

/** Names that several hosts of these parts have. Reads the names of all of them first, and nothing else of them. */
async function sharedNames(
  api: NetBoxApi,
  parts: readonly { readonly part: PartId; readonly filter: Query }[],
  context: HttpContext,
): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  const shared = new Set<string>();
  for (const { part, filter } of parts) {
    const request = { path: ENDPOINTS[part].path, query: { ...filter, fields: 'id,name' }, size: PAGE_SIZE };
    for await (const page of api.list(request, context)) {
      for (const object of page) {
        const name = nativeName(object);
        if (name === undefined) continue;
        if (known.has(name)) shared.add(name);
        else known.add(name);
      }
    }
  }
  return shared;
}
