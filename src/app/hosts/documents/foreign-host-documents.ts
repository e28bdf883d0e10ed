import { memberDate, memberReference, memberText, ownMember, referenceValue } from '../../../kit/document/members.ts';
import { isJsonObject } from '../../../kit/json/json-object.ts';
import { isImportMark } from '../../../kit/names/import-marks.ts';
import { flatLabels } from '../../../kit/records/flat-labels.ts';
import type { JsonObject, JsonValue, RuleDocument } from '../../../ports/index.ts';
import { hostScopeOf, type Limits } from '../../kernel/caller.ts';
import type { HostServices } from '../services.ts';

/** Members that hosts of an existing installation have, and those that are made here have not. */
const MARKS = [
  'source_account_id',
  'source_account_name',
  'lifecycle_state',
  'no_autodelete',
  'is_stale',
  'cmdb_fields',
  'deleted_at',
  'last_import_id',
] as const;

/** The rendering for consumers of that installation: it is rendered again here, and may be larger than the host. */
const RENDERED = 'cache';

/** Edges whose other end is not known here: kept, exported, and tried again with the next import. */
const UNKNOWN_ENDS = 'relations_by_id';

/** Inventory values outside of any section, such as ids that exports noted: kept and exported, but hidden from rules. */
const WITHOUT_SECTION = 'inventory_values';

/**
 * Converts a host of an existing installation to the form that hosts have here: nested labels become flat, members of the
 * inventory called `<section>__<name>` become sections, values without a section are kept outside of the inventory, archived hosts
 * stay archived, and edges name the host at their other end. Other documents stay as they are.
 */
export function ownHostDocument(document: RuleDocument, hostnames: ReadonlyMap<string, string>): RuleDocument {
  const labels = ownMember(document, 'labels');
  const inventory = ownMember(document, 'inventory');
  const isForeign = isForeignHost(document);
  const own: Record<string, JsonValue | undefined> = {
    ...(isForeign && isJsonObject(labels) ? { labels: flatLabels(labels) } : {}),
    ...(isJsonObject(inventory) ? inventoryOf(inventory, isForeign && !hasAccount(document)) : {}),
    ...edgesOf(document, hostnames),
    ...(isForeign ? { archived: archiveOf(document), [RENDERED]: undefined } : {}),
  };
  const entries = Object.entries({ ...document, ...own }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as RuleDocument;
}

/** Whether a host came from an existing installation, be it that it was exported here since. */
export function isForeignHost(document: RuleDocument): boolean {
  return MARKS.some((name) => Object.hasOwn(document, name));
}

/** Only documents that were exported here say it so. */
function hasAccount(document: RuleDocument): boolean {
  return ownMember(document, 'account') !== undefined;
}

function inventoryOf(inventory: JsonObject, isFlat: boolean): Record<string, JsonValue | undefined> {
  const all = sectionsOf(inventory, isFlat);
  if (!isFlat) return { inventory: all };
  const entries = Object.entries(all);
  const others = entries.filter(([, value]) => !isJsonObject(value));
  return {
    inventory: Object.fromEntries(entries.filter(([, value]) => isJsonObject(value))),
    ...(others.length === 0 ? {} : { [WITHOUT_SECTION]: Object.fromEntries(others) }),
  };
}

/** Import marks are left out: the service derives them from the host's own times and account. */
function sectionsOf(inventory: JsonObject, isFlat: boolean): JsonObject {
  const sections = new Map<string, JsonValue>();
  const split = new Map<string, [string, JsonValue][]>();
  for (const [name, value] of Object.entries(inventory)) {
    if (isImportMark(name)) continue;
    const cut = isFlat ? name.indexOf('__') : -1;
    const [section, member] = [name.slice(0, Math.max(cut, 0)), name.slice(cut + 2)];
    if (section === '' || member === '' || section.includes('.')) sections.set(name, value);
    else {
      const members = split.get(section) ?? [];
      split.set(section, members);
      members.push([member, value]);
    }
  }
  for (const [section, members] of split) {
    const other = sections.get(section);
    sections.set(section, Object.fromEntries([...Object.entries(isJsonObject(other) ? other : {}), ...members]));
  }
  return Object.fromEntries(sections);
}

/** Why a host was archived there decides whether an import brings it back. */
function archiveOf(document: RuleDocument): JsonValue | undefined {
  const own = ownMember(document, 'archived');
  if (own !== undefined) return own;
  const at = memberDate(document, 'deleted_at');
  if (at === null && memberText(document, 'lifecycle_state') !== 'archived') return undefined;
  const when = at ?? memberDate(document, 'lifecycle_state_changed_at');
  return {
    ...(when === null ? {} : { at: { $date: when.getTime() } }),
    by: archivedBy(memberText(document, 'delete_reason')),
  };
}

function archivedBy(reason: string): 'import' | 'stale' | 'operator' {
  if (reason.startsWith('not seen on import')) return 'import';
  return /^(?:stale > |maintenance: not seen for )/.test(reason) ? 'stale' : 'operator';
}

function edgesOf(
  document: RuleDocument,
  hostnames: ReadonlyMap<string, string>,
): Record<string, JsonValue | undefined> {
  const edges = [...listOf(document, 'relations'), ...listOf(document, UNKNOWN_ENDS)];
  if (!edges.some((edge) => targetId(edge) !== undefined)) return {};
  const known: JsonValue[] = [];
  const unknown: JsonValue[] = [];
  for (const edge of edges) {
    const id = targetId(edge);
    const target = id === undefined ? undefined : hostnames.get(id);
    if (id === undefined || !isJsonObject(edge)) known.push(edge);
    else if (target === undefined) unknown.push(edge);
    else {
      const { target_host: _, ...rest } = edge;
      known.push({ ...rest, target });
    }
  }
  return { relations: known, [UNKNOWN_ENDS]: unknown.length === 0 ? undefined : unknown };
}

function listOf(document: RuleDocument, name: string): readonly JsonValue[] {
  const value = ownMember(document, name);
  return Array.isArray(value) ? value : [];
}

/** The id of the host at the other end of an edge that does not name it. */
function targetId(edge: JsonValue): string | undefined {
  if (!isJsonObject(edge) || ownMember(edge, 'target') !== undefined) return undefined;
  return referenceValue(ownMember(edge, 'target_host'))?.toLowerCase();
}

const BATCH_SIZE = 500;

/**
 * Names of the hosts that edges of these documents lead to by id: those of the same import, and stored ones that the caller
 * reaches. Stored hosts are looked at only while some are not found, because nothing finds them by their id.
 */
export async function hostnamesByTarget(
  { storage }: Pick<HostServices, 'storage'>,
  caller: Limits,
  parts: readonly { readonly documents: readonly JsonValue[] }[],
): Promise<ReadonlyMap<string, string>> {
  const documents = parts.flatMap((part) => part.documents.filter(isJsonObject));
  const wanted = new Set<string>();
  for (const document of documents) {
    for (const edge of [...listOf(document, 'relations'), ...listOf(document, UNKNOWN_ENDS)]) {
      const id = targetId(edge);
      if (id !== undefined) wanted.add(id);
    }
  }
  if (wanted.size === 0) return new Map();
  const found = hostnamesById(documents);
  for (const id of found.keys()) wanted.delete(id);
  if (wanted.size === 0) return found;
  const scope = hostScopeOf(caller);
  for await (const hosts of storage.hosts.scan({ scope, kind: 'all', state: 'any' }, BATCH_SIZE)) {
    for (const { members, hostname } of hosts) {
      if (!members.text.includes('"_id"')) continue;
      const id = idOf(members.value);
      if (wanted.delete(id)) found.set(id, hostname);
    }
    if (wanted.size === 0) break;
  }
  return found;
}

/** Names of the hosts of an import by their ids. */
export function hostnamesById(documents: readonly JsonObject[]): Map<string, string> {
  return new Map(documents.map((document) => [idOf(document), memberText(document, 'hostname').trim()]));
}

function idOf(document: JsonObject): string {
  return memberReference(document, '_id')?.toLowerCase() ?? '';
}
