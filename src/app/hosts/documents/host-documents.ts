import { memberDate, memberFlag, memberReference, memberText, ownMember } from '../../../kit/document/members.ts';
import { isJsonObject } from '../../../kit/json/json-object.ts';
import { derivedId } from '../../../kit/names/derived-id.ts';
import { detailOf, saidAt, worded } from '../../../kit/worded.ts';
import {
  type Actor,
  type ErrorDetail,
  type HostDocumentWrite,
  type HostRecord,
  type HostScope,
  type JsonObject,
  type JsonValue,
  type KeyedHost,
  type RelationRecord,
  type RuleDocument,
  StoredJson,
} from '../../../ports/index.ts';
import { type Caller, hostScopeOf } from '../../kernel/caller.ts';
import { inspectHostname } from '../decisions/hostname.ts';
import { inspectSection } from '../decisions/inventory.ts';
import { inspectLabels } from '../decisions/labels.ts';
import { answeredKeys } from '../host-schemas.ts';
import { type KeyValues, ownKeysOfHosts } from '../keys-of-hosts.ts';
import type { HostAccount, HostServices } from '../services.ts';
import { hostnamesByTarget, isForeignHost, ownHostDocument } from './foreign-host-documents.ts';
import {
  accountOf,
  accountsByReference,
  edgesByHost,
  hostnameOf,
  inBatches,
  keysOf,
  relationsOf,
} from './host-document-members.ts';
import { movedAway, refuseForeignHosts, withHiddenEdges } from './host-document-scope.ts';

const BATCH_SIZE = 250;

/** Members that are columns of the record; all others are kept as they are. */
const INTERPRETED = new Set([
  'hostname',
  'labels',
  'inventory',
  'account',
  'is_object',
  'object_type',
  'folder',
  'last_import_seen',
  'last_seen',
  'last_import_sync',
  'last_update',
  'create_time',
  'archived',
  'relations',
  'keys',
]);

/** Hosts as the import and the export of documents handle them: as documents of a type, which are stored as hosts. */
export function hostDocuments(services: HostServices) {
  return {
    /** Returns a function that converts documents of an import to the form that hosts have here. */
    async ownForm(caller: Caller, parts: readonly { readonly documents: readonly JsonValue[] }[]) {
      const hostnames = await hostnamesByTarget(services, caller, parts);
      return (document: RuleDocument) => ownHostDocument(document, hostnames);
    },
    faults: (document: RuleDocument) => hostDocumentFaults(document, services.config.MAX_HOST_BYTES),
    refuseForeign: (caller: Caller, documents: readonly { readonly document: RuleDocument }[]) =>
      refuseForeignHosts(services, caller, documents),
    store: (caller: Caller, documents: readonly { readonly document: RuleDocument }[], options: StoreOptions) =>
      storeHosts(services, caller, documents, options),
    texts: (caller: Caller) => hostDocumentTexts(services, hostScopeOf(caller)),
  };
}

/** Returns the faults for which an API write of the same host would be refused. */
function hostDocumentFaults(document: RuleDocument, maxBytes: number): readonly ErrorDetail[] {
  const hostname = inspectHostname(ownMember(document, 'hostname'));
  const labels = inspectLabels(ownMember(document, 'labels') ?? {});
  const inventory = ownMember(document, 'inventory');
  const sections = isJsonObject(inventory) ? Object.values(inventory).map(inspectSection) : [];
  const faults = [hostname, labels, ...sections].flatMap((check) =>
    check.ok ? [] : [detailOf(check.path, saidAt(check))],
  );
  if (faults.length > 0) return faults;
  const bytes = Buffer.byteLength(JSON.stringify(document));
  if (bytes <= maxBytes) return [];
  return [
    detailOf(
      '',
      worded`the host has ${{ bytes: String(bytes) }} bytes; MAX_HOST_BYTES allows ${{ most: String(maxBytes) }}`,
    ),
  ];
}

interface StoreOptions {
  /** Replaces existing hosts instead of counting them as duplicates. */
  readonly override: boolean;
  /** Only counts. */
  readonly dryRun?: boolean;
  readonly actor?: Actor;
}

interface StoredHosts {
  readonly imported: number;
  readonly duplicate: number;
  /** Hosts that others have by now, and the position of their documents. */
  readonly refused: readonly (ErrorDetail & { readonly position: number })[];
}

/** Stores `host_objects` documents as hosts. Times are those of the document; without them the host was never imported. */
async function storeHosts(
  services: HostServices,
  caller: Caller,
  documents: readonly { readonly document: RuleDocument }[],
  options: StoreOptions,
): Promise<StoredHosts> {
  const count = { imported: 0, duplicate: 0, refused: [] as StoredHosts['refused'][number][] };
  const scope = hostScopeOf(caller);
  let position = 0;
  const mode = options.override ? 'replace' : 'skip';
  const previewed = new Set<string>();
  for (const batch of inBatches(documents)) {
    const accounts = await accountsByReference(services);
    const now = services.clock.now();
    const origins = await originsOf(services, batch, mode);
    const read = batch.map(({ document }) => {
      const write = readHostDocument(document, {
        account: accountOf(accounts, document),
        mode,
        now,
        origin: origins.get(hostnameOf(document)),
      });
      if (mode === 'replace') origins.set(write.record.hostname, originOf(write.record));
      return write;
    });
    const writes = await withHiddenEdges(services, caller, read);
    const written = options.dryRun
      ? await previewWrites(services, writes, previewed)
      : await services.storage.hosts.putDocuments(writes, options.actor ?? { kind: 'user', name: caller.name }, scope);
    if (!options.dryRun) await putKeys(services, batch, writes, written);
    for (const [index, { document }] of batch.entries()) {
      if (written[index]) count.imported++;
      else if (mode === 'skip') count.duplicate++;
      else count.refused.push({ ...movedAway(document, caller), position: position + index });
    }
    position += batch.length;
  }
  return count;
}

/** Stores the keys of those hosts that were written, as given by their owners. */
async function putKeys(
  { storage, clock, config }: HostServices,
  documents: readonly { readonly document: RuleDocument }[],
  writes: readonly HostDocumentWrite[],
  written: readonly boolean[],
): Promise<void> {
  const byAccount = new Map<string, KeyedHost[]>();
  for (const [index, { document }] of documents.entries()) {
    const record = writes[index]?.record;
    if (record?.accountId == null || written[index] !== true) continue;
    const keys = (keysOf(document, config.WORTHLESS_VALUES) ?? []).map((value) => ({
      hostname: record.hostname,
      value,
    }));
    byAccount.set(record.accountId, [...(byAccount.get(record.accountId) ?? []), ...keys]);
  }
  for (const [accountId, keys] of byAccount) await storage.marks.putKeys({ accountId, keys, at: clock.now() });
}

/** The answer of `putDocuments` without writing; `previewed`: names of earlier documents, which would exist by then. */
async function previewWrites(
  services: HostServices,
  writes: readonly HostDocumentWrite[],
  previewed: Set<string>,
): Promise<readonly boolean[]> {
  const present = await services.storage.hosts.findEach(writes.map(({ record }) => record.hostname));
  return writes.map(({ record: { hostname }, mode }, index) => {
    const known = present[index] !== undefined || previewed.has(hostname);
    previewed.add(hostname);
    return mode === 'replace' || !known;
  });
}

/** The members that a host keeps if a document replaces it, as other documents do. */
interface HostOrigin {
  readonly id: string;
  readonly createdAt: Date;
}

/** The hosts that the documents replace, by name. */
async function originsOf(
  { storage }: HostServices,
  batch: readonly { readonly document: RuleDocument }[],
  mode: HostDocumentWrite['mode'],
): Promise<Map<string, HostOrigin>> {
  if (mode === 'skip') return new Map();
  const present = await storage.hosts.findEach(batch.map(({ document }) => hostnameOf(document)));
  return new Map(present.flatMap((host) => (host === undefined ? [] : [[host.hostname, originOf(host)] as const])));
}

function originOf(host: HostRecord): HostOrigin {
  return { id: memberReference(host.members.value, '_id') ?? derivedId(host.hostname), createdAt: host.createdAt };
}

function readHostDocument(
  document: RuleDocument,
  {
    account,
    mode,
    now,
    origin,
  }: {
    readonly account: HostAccount | undefined;
    readonly mode: HostDocumentWrite['mode'];
    readonly now: Date;
    readonly origin: HostOrigin | undefined;
  },
): HostDocumentWrite {
  const kept = keptMembers(document);
  const members = origin === undefined ? kept : { ...kept, _id: { $oid: origin.id } };
  const record: HostRecord = {
    hostname: hostnameOf(document),
    accountId: account?.id ?? null,
    isObject:
      ownMember(document, 'is_object') === undefined ? (account?.isObject ?? false) : memberFlag(document, 'is_object'),
    objectType: memberText(document, 'object_type') || (account?.objectType ?? 'host'),
    labels: StoredJson.ofValue(objectMember(document, 'labels') as never),
    inventory: StoredJson.ofValue(objectMember(document, 'inventory') as never),
    members: StoredJson.ofValue(members),
    folder: memberText(document, 'folder') || null,
    createdAt: memberDate(document, 'create_time') ?? origin?.createdAt ?? now,
    lastSeen: memberDate(document, 'last_import_seen') ?? memberDate(document, 'last_seen'),
    lastUpdate: memberDate(document, 'last_import_sync') ?? memberDate(document, 'last_update'),
    archive: archiveOf(document, now),
  };
  return { record, mode, relations: relationsOf(document) };
}

/** Since when the host of a document is archived and by what; `null` for an active one. */
export function archiveOf(document: RuleDocument, now: Date): HostRecord['archive'] {
  const archived = ownMember(document, 'archived');
  if (!isJsonObject(archived)) return null;
  return { at: memberDate(archived, 'at') ?? now, by: archiveReason(memberText(archived, 'by')) };
}

/** Members to keep. For a host from elsewhere, interpreted ones leave an empty one, so that their order is exported. */
function keptMembers(document: RuleDocument): JsonObject {
  const isForeign = isForeignHost(document);
  return Object.fromEntries(
    Object.entries(document).flatMap(([name, value]): [string, JsonValue][] => {
      const isKept = name === 'keys' && keysOf(document, []) === undefined;
      if (isKept || !INTERPRETED.has(name)) return [[name, value]];
      return isForeign && name !== 'hostname' ? [[name, null]] : [];
    }),
  );
}

function objectMember(document: RuleDocument, name: string): JsonObject {
  const value = ownMember(document, name);
  return isJsonObject(value) ? value : {};
}

function archiveReason(text: string): 'api' | 'import' | 'stale' | 'operator' {
  return text === 'api' || text === 'import' || text === 'stale' ? text : 'operator';
}

async function* hostDocumentTexts(services: HostServices, scope: HostScope): AsyncGenerator<readonly string[]> {
  const accounts = new Map((await services.accounts.list(null)).map((account) => [account.id, account.name]));
  const { hosts, relations, marks } = services.storage;
  for await (const batch of hosts.scan({ scope, kind: 'all', state: 'any' }, BATCH_SIZE)) {
    const stored = await relations.of(batch.map((host) => host.hostname));
    const visible =
      scope === null ? null : await hosts.visible([...new Set(stored.map(({ target }) => target))], scope);
    const edges = edgesByHost(visible === null ? stored : stored.filter(({ target }) => visible.has(target)));
    const keys = await ownKeysOfHosts(marks, batch);
    yield batch.map((host) => {
      const account = host.accountId === null ? undefined : accounts.get(host.accountId);
      return hostDocumentText(host, account, edges.get(host.hostname) ?? [], keys.get(host.hostname));
    });
  }
}

/** A host as the text of a `host_objects` document: everything that is stored of it. */
function hostDocumentText(
  host: HostRecord,
  accountName: string | undefined,
  relations: readonly RelationRecord[],
  keys?: KeyValues,
): string {
  const members = host.members.value;
  // The text leaves out what is undefined. One literal: other objects that are put together would take twice the time.
  return JSON.stringify({
    _id: { $oid: derivedId(host.hostname) },
    hostname: host.hostname,
    ...members,
    ...(accountName === undefined ? {} : { account: accountName }),
    object_type: host.objectType,
    is_object: host.isObject,
    labels: host.labels.value,
    inventory: host.inventory.value,
    folder: host.folder ?? undefined,
    create_time: dateMember(host.createdAt),
    last_import_seen: dateMember(host.lastSeen),
    last_import_sync: dateMember(host.lastUpdate),
    archived: host.archive === null ? undefined : { at: { $date: host.archive.at.getTime() }, by: host.archive.by },
    relations:
      relations.length === 0 && !Object.hasOwn(members, 'relations')
        ? undefined
        : relations.map(({ type, target, source }) => ({ type, target, source })),
    ...(keys === undefined ? {} : { keys: answeredKeys(keys) }),
    ...(Object.keys(members).length === 0 ? {} : outdatedMembers(host, accountName)),
  });
}

/** Members that were true when the host was imported: its state and its account may have changed since. */
function outdatedMembers(host: HostRecord, accountName: string | undefined): Record<string, JsonValue | undefined> {
  const members = host.members.value;
  const isArchived = host.archive !== null;
  const state = memberText(members, 'lifecycle_state');
  const isOther = accountName !== undefined && memberText(members, 'source_account_name') !== accountName;
  return {
    ...(isArchived ? {} : { deleted_at: undefined, delete_reason: undefined }),
    ...(!isArchived && state === 'archived' ? { lifecycle_state: 'active' } : {}),
    ...(isOther ? { source_account_id: undefined, source_account_name: undefined } : {}),
  };
}

function dateMember(date: Date | null): JsonValue | undefined {
  return date === null ? undefined : { $date: date.getTime() };
}
