import { createHash } from 'node:crypto';
import { memberDate, memberFlag, memberReference, memberText, ownMember } from '../../../kit/document/members.ts';
import { isJsonObject } from '../../../kit/json/json-object.ts';
import { detailOf, saidAt, worded } from '../../../kit/worded.ts';
import {
  type ErrorDetail,
  type HostDocumentWrite,
  type HostRecord,
  type JsonObject,
  type JsonValue,
  type KeyedHost,
  type RelationRecord,
  type RuleDocument,
  StoredJson,
} from '../../../ports/index.ts';
import { inspectHostname } from '../../hosts/decisions/hostname.ts';
import { inspectSection } from '../../hosts/decisions/inventory.ts';
import { inspectLabels } from '../../hosts/decisions/labels.ts';
import { answeredKeys } from '../../hosts/host-schemas.ts';
import type { KeyValues } from '../../hosts/keys-of-hosts.ts';
import type { Caller } from '../../kernel/caller.ts';
import type { RuleAccount, RuleServices } from '../services.ts';
import { isForeignHost } from './foreign-host-documents.ts';
import { accountOf, accountsByReference, hostnameOf, inBatches, keysOf, relationsOf } from './host-document-members.ts';
import { withHiddenEdges } from './host-document-scope.ts';
import type { ImportOptions } from './import-candidates.ts';
import type { TypeCounts } from './import-documents.ts';

const TYPE = 'host_objects';
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

/** What an API write of the same host would refuse. */
export function hostDocumentFaults(document: RuleDocument, maxBytes: number): readonly ErrorDetail[] {
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

/** Stores `host_objects` documents as hosts. Times are those of the document; without them the host was never imported. */
export async function importHostDocuments(
  services: RuleServices,
  caller: Caller,
  documents: readonly { readonly document: RuleDocument }[],
  options: ImportOptions,
  counts: ReadonlyMap<string, TypeCounts>,
): Promise<void> {
  const count = counts.get(TYPE);
  if (count === undefined) return;
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
      : await services.storage.hosts.putDocuments(writes, options.actor ?? { kind: 'user', name: caller.name });
    if (!options.dryRun) await putKeys(services, batch, writes, written);
    for (const done of written) {
      if (done) count.imported++;
      else count.duplicate++;
    }
  }
}

/** What the owners of these hosts know them by, for those that were written. */
async function putKeys(
  { storage, clock, config }: RuleServices,
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

/** What `putDocuments` would answer; `previewed` are the names of earlier documents of the import, which would be there by then. */
async function previewWrites(
  services: RuleServices,
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

/** What a host keeps when a document replaces it, as other documents do. */
interface HostOrigin {
  readonly id: string;
  readonly createdAt: Date;
}

/** The hosts that the documents replace, by name. */
async function originsOf(
  { storage }: RuleServices,
  batch: readonly { readonly document: RuleDocument }[],
  mode: HostDocumentWrite['mode'],
): Promise<Map<string, HostOrigin>> {
  if (mode === 'skip') return new Map();
  const present = await storage.hosts.findEach(batch.map(({ document }) => hostnameOf(document)));
  return new Map(present.flatMap((host) => (host === undefined ? [] : [[host.hostname, originOf(host)] as const])));
}

function originOf(host: HostRecord): HostOrigin {
  return { id: memberReference(host.members.value, '_id') ?? hostId(host.hostname), createdAt: host.createdAt };
}

function readHostDocument(
  document: RuleDocument,
  {
    account,
    mode,
    now,
    origin,
  }: {
    readonly account: RuleAccount | undefined;
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

/** Of a host that came from elsewhere, interpreted members leave an empty one, so that it is exported in its own order. */
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

/** Hosts are keyed by name; documents want an id, so one is made that stays the same. */
export function hostId(hostname: string): string {
  return createHash('sha256').update(hostname).digest('hex').slice(0, 24);
}

function objectMember(document: RuleDocument, name: string): JsonObject {
  const value = ownMember(document, name);
  return isJsonObject(value) ? value : {};
}

function archiveReason(text: string): 'api' | 'import' | 'stale' | 'operator' {
  return text === 'api' || text === 'import' || text === 'stale' ? text : 'operator';
}

/** A host as the text of a `host_objects` document: everything that is stored of it. */
export function hostDocumentText(
  host: HostRecord,
  accountName: string | undefined,
  relations: readonly RelationRecord[],
  keys?: KeyValues,
): string {
  const members = host.members.value;
  // The text leaves out what is undefined. One literal: other objects that are put together would take twice the time.
  return JSON.stringify({
    _id: { $oid: hostId(host.hostname) },
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

/** What came with the host and was true then: its state and its account may have changed here. */
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
