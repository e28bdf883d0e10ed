import { systemAt } from '../../../kit/http-account/client.ts';
import { isJsonObject } from '../../../kit/json/json-object.ts';
import type {
  HttpContext,
  ObjectTarget,
  RemoteReading,
  TargetAccount,
  TargetKind,
  TargetRecord,
  TargetServices,
  WantedObject,
} from '../../../ports/index.ts';
import { permission } from '../api/endpoints.ts';
import { apiAddress, type NetBoxApi, openApi } from '../api/open-api.ts';
import type { NetBoxOptions } from '../options.ts';
import { decidedEntries, decidedObject } from '../rule-types/decided.ts';
import type { NetBoxRuleId } from '../rule-types/table.ts';
import { applyChanges, LeavingAddresses } from './apply.ts';
import { bodyContext } from './bodies.ts';
import { DesiredObjects } from './desired-objects.ts';
import { isKindId, KIND_ENDPOINTS, type KindId, kindsOf } from './kinds.ts';
import type { TargetOptions } from './options.ts';
import { kindsOfParts, PARTS } from './parts.ts';
import { interfaceTypes, readKinds } from './read.ts';
import type { OwnerOf } from './remote-objects.ts';
import { type Ownership, wantCluster, wantContact, wantDevice, wantVm } from './want-machines.ts';
import { type InterfaceSettings, wantAddresses, wantInterface, wantPrefixes } from './want-networks.ts';

/** The objects of a NetBox, as one account keeps them. */
export function openTarget(options: NetBoxOptions, account: TargetAccount, services: TargetServices): ObjectTarget {
  const exported = kindsOfParts(options.export_parts, 'kinds');
  const known = kindsOfParts(options.export_parts, 'read');
  const isExported = (kind: string): boolean => (exported as ReadonlySet<string>).has(kind);
  // Without this option, the right to see them is not needed either.
  const isKnown = (kind: KindId): boolean =>
    known.has(kind) && (kind !== 'custom_field' || options.create_ownership_field);
  const kinds = kindsOf(isKnown, options.removed).map((kind) => (isExported(kind.id) ? kind : lookedUp(kind)));
  const value = options.ownership_value ?? account.name;
  const field = options.ownership_field;
  const ownership = field === '' ? undefined : { field, value, isMade: options.create_ownership_field };
  const ownerOf: OwnerOf = (customFields) => {
    const mark = ownership === undefined ? null : customFields[ownership.field];
    return mark === undefined || mark === null ? 'nobody' : mark === ownership?.value ? 'us' : 'other';
  };
  const message = options.changelog_message ?? `Muster: account ${account.name}`;
  const open = (context: Pick<RemoteReading, 'signal'>): Promise<NetBoxApi> => {
    const { http, logger, sourceFiles: files } = services;
    return openApi(options, account, { http, logger, files }, context);
  };

  let types: ReadonlySet<string> | undefined;
  const leaving = new LeavingAddresses();
  // One for all changes of a run.
  let writer: Promise<{ readonly api: NetBoxApi; readonly customFieldTypes: ReadonlyMap<string, string> }> | undefined;
  return {
    kinds,
    ...systemAt(apiAddress(options.url ?? account.address)),
    async *read(context) {
      const api = await open(context);
      try {
        if (isExported('interface')) types = await interfaceTypes(api, context);
        yield* readKinds(api, readOrder(kinds, context.part), ownerOf, context);
      } finally {
        await api.http.close();
      }
    },
    wanted: (record) => wantedOf(record, { options, ownership, interfaceTypes: types, isExported }),
    async apply(changes, context) {
      writer ??= open(context).then(async (api) => ({ api, customFieldTypes: await customFieldTypes(api, context) }));
      const { api, customFieldTypes: fieldTypes } = await writer.catch((error: unknown) => {
        writer = undefined;
        throw error;
      });
      const bodies = bodyContext(api.version, fieldTypes, context);
      return applyChanges(changes, { api, bodies, message, leaving }, context);
    },
    async check(context) {
      const api = await open(context);
      try {
        const user = await api.user(context);
        const who = user === undefined ? '' : ` as ${user}`;
        const missing = await missingPermissions(api, kinds, isExported, context);
        const lacks =
          missing.length === 0
            ? ''
            : `; the token lacks ${missing.join(', ')}, without which these objects are not exported`;
        return `NetBox ${api.version.text}${who}${lacks}`;
      } finally {
        await api.http.close();
      }
    },
    async close() {
      const opened = await writer?.catch(() => undefined);
      writer = undefined;
      await opened?.api.http.close();
    },
  };
}

/** Read because others refer to it; nothing of it is made, changed or deleted. */
function lookedUp({ retired: _retired, ...kind }: TargetKind): TargetKind {
  return { ...kind, ensured: true };
}

/** The kinds that a part needs, in their order. */
function readOrder(kinds: readonly TargetKind[], part: string | undefined): readonly KindId[] {
  const ids = kinds.map(({ id }) => id as KindId);
  const of = PARTS.find(({ id }) => id === part);
  if (of === undefined) return ids;
  const needed = kindsOfParts([of.id], 'read');
  return ids.filter((id) => needed.has(id));
}

/** By name. Without the right to see them, texts are sent as they are. */
async function customFieldTypes(api: NetBoxApi, context: RemoteReading): Promise<ReadonlyMap<string, string>> {
  const path = 'extras/custom-fields/';
  const types = new Map<string, string>();
  const seen = await api.http.json({ path, query: { limit: 1, fields: 'id' }, accept: [403] }, context);
  if (seen.status === 403) return types;
  for await (const fields of api.list({ path, query: { fields: 'id,name,type' }, size: 500 }, context)) {
    for (const { name, type } of fields) {
      const value = typeof type === 'object' && type !== null && 'value' in type ? type.value : type;
      if (typeof name === 'string' && typeof value === 'string') types.set(name, value);
    }
  }
  return types;
}

/** Returns the permissions that the account needs and the token lacks, in NetBox's notation: `dcim.add_site`. */
async function missingPermissions(
  { http, maySee }: NetBoxApi,
  kinds: readonly TargetKind[],
  isWritten: (kind: string) => boolean,
  context: HttpContext,
): Promise<readonly string[]> {
  const missing = new Set<string>();
  const asked = new Set<string>();
  for (const { id, ensured } of kinds) {
    if (!isKindId(id) || asked.has(KIND_ENDPOINTS[id].path)) continue;
    const endpoint = KIND_ENDPOINTS[id];
    const { path } = endpoint;
    asked.add(path);
    if (!(await maySee(endpoint, context))) missing.add(permission('view', endpoint));
    if (!isWritten(id)) continue;
    const { value } = await http.json({ method: 'OPTIONS', path, repeatable: true, accept: [403] }, context);
    const actions = isJsonObject(value) && isJsonObject(value.actions) ? value.actions : {};
    if (!('POST' in actions)) missing.add(permission('add', endpoint));
    if (ensured !== true && !('PUT' in actions)) missing.add(permission('change', endpoint));
  }
  return [...missing].sort();
}

interface WantingSettings {
  readonly options: Pick<TargetOptions, 'create_references' | 'interface_addresses' | 'export_object_types'>;
  readonly ownership: Ownership | undefined;
  readonly interfaceTypes: InterfaceSettings['types'];
  isExported(kind: string): boolean;
}

/** Returns the objects that rules decided for a record. */
function wantedOf(
  { hostname, objectType, isObject, outcomes }: TargetRecord,
  { options, ownership, interfaceTypes, isExported }: WantingSettings,
): readonly WantedObject[] {
  const types = options.export_object_types;
  if (types.length === 0 ? isObject : !types.includes(objectType)) return [];
  const desired = new DesiredObjects({ makesReferences: options.create_references });
  const one = (id: NetBoxRuleId) => {
    const decided = decidedObject(outcomes[id]);
    return decided === undefined || decided.isIgnored ? undefined : decided;
  };
  const many = (id: NetBoxRuleId) => decidedEntries(outcomes[id]);
  const settings = { withAddresses: options.interface_addresses, types: interfaceTypes };

  // Rules of addresses take precedence over rules of interfaces for the same address.
  for (const entry of many('netbox_ips')) wantAddresses(desired, hostname, entry);
  for (const entry of many('netbox_dcim_interfaces'))
    wantInterface(desired, { kind: 'device', hostname }, entry, settings);
  for (const entry of many('netbox_virtual_interfaces'))
    wantInterface(desired, { kind: 'vm', hostname }, entry, settings);
  const cluster = one('netbox_cluster');
  if (cluster !== undefined) wantCluster(desired, cluster);
  const device = one('netbox_devices');
  if (device !== undefined) wantDevice(desired, hostname, device, ownership);
  const vm = one('netbox_vms');
  if (vm !== undefined) wantVm(desired, hostname, vm, ownership);
  for (const entry of many('netbox_prefixes')) wantPrefixes(desired, entry);
  const contact = one('netbox_contacts');
  if (contact !== undefined) wantContact(desired, contact);
  return desired.all(isExported);
}
