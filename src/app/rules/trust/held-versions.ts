import { isDeepStrictEqual } from 'node:util';
import { memberInteger, memberText, ownMember } from '../../../kit/document/members.ts';
import { isJsonObject } from '../../../kit/json/json-object.ts';
import { derivedId } from '../../../kit/names/derived-id.ts';
import { byBytes } from '../../../kit/names/variable-names.ts';
import {
  type ConfirmedBy,
  type JsonObject,
  type RuleRecord,
  type RuleRemoval,
  type RuleRestriction,
  type RuleStore,
  type RuleType,
  type RuleWrite,
  StoredJson,
} from '../../../ports/index.ts';
import { HELD } from '../../kernel/plugin-host/registry.ts';
import { isPending } from './pending.ts';

/**
 * The acting version of a document while a change waits. A change of a document that restricts is stored at once, and the version
 * that acts is held here until an administrator confirms the change. A version is held only if the change is not confirmed;
 * once it is, none is held.
 */
export interface HeldVersion {
  readonly type: string;
  readonly id: string;
  readonly name: string;
  /** The version that acts; `undefined`: nothing acts yet, because the document was added. */
  readonly acting: RuleRecord | undefined;
  /** When the change was made that waits, and by whom. */
  readonly at: Date;
  readonly by: string;
  /** Version of the entry that holds it; absent if it is not stored yet. */
  readonly entryVersion?: number;
}

/** The whole document, but its place in the store. */
const WHOLE: RuleRestriction = { part: ({ _id, ...document }) => document };

/** How documents of the type restrict; `undefined` when they do not. */
export function restrictionOf(type: RuleType): RuleRestriction | undefined {
  return type.restricts ?? (isFilter(type) ? WHOLE : undefined);
}

/** A filter hides. It is stored at once if nothing becomes visible by that, regardless of its author. */
export function isFilter({ evaluation }: RuleType): boolean {
  return evaluation?.stage === 'filter';
}

/** Returns the acting documents of a type: the stored ones, with held versions in place of pending changes. */
export async function actingRecords(rules: Pick<RuleStore, 'list'>, type: RuleType): Promise<readonly RuleRecord[]> {
  const records = await rules.list(type.id);
  const restriction = restrictionOf(type);
  const held = await heldVersionsOf(rules, type);
  if (restriction === undefined || held.size === 0) return records;
  const acting = records.flatMap((record) => {
    const version = record.confirmedBy === null ? held.get(record.id) : undefined;
    return version === undefined ? record : (actingOf(restriction, record, version) ?? []);
  });
  const there = new Set(records.map(({ id }) => id));
  const removed = [...held.values()].flatMap(({ id, acting }) => (there.has(id) || acting === undefined ? [] : acting));
  return [...acting, ...removed].sort((a, b) => byBytes(a.name, b.name) || byBytes(a.id, b.id));
}

/** A change that leaves the restriction as it was waits by itself, as other documents do. */
function actingOf({ part }: RuleRestriction, record: RuleRecord, { acting }: HeldVersion): RuleRecord | undefined {
  if (acting === undefined) return undefined;
  return isDeepStrictEqual(part(record.document.value), part(acting.document.value)) ? record : acting;
}

/** The held versions of a type by the id of the document, those of removed documents too. */
async function heldVersions(rules: Pick<RuleStore, 'list'>, type: string): Promise<ReadonlyMap<string, HeldVersion>> {
  const held = (await rules.list(HELD)).map(readHeld).filter((version) => version.type === type);
  return new Map(held.map((version) => [version.id, version]));
}

/** The same, and none of a type that does not restrict. */
export async function heldVersionsOf(
  rules: Pick<RuleStore, 'list'>,
  type: RuleType,
): Promise<ReadonlyMap<string, HeldVersion>> {
  return restrictionOf(type) === undefined ? new Map() : heldVersions(rules, type.id);
}

/** Whether the document as it is stored waits for an administrator: by what it does, or because another version acts in its place. */
export function isPendingOrHeld(type: RuleType, record: RuleRecord, held: ReadonlyMap<string, HeldVersion>): boolean {
  return record.confirmedBy === null && (held.has(record.id) || isPending(type, record));
}

/** Returns the held version of one document with a pending change; `undefined` if the document is confirmed as stored. */
export async function heldVersion(
  rules: Pick<RuleStore, 'get'>,
  type: string,
  id: string,
  record: Pick<RuleRecord, 'confirmedBy'> | undefined,
): Promise<HeldVersion | undefined> {
  if (record !== undefined && record.confirmedBy !== null) return undefined;
  const held = await rules.get(HELD, placeOf(type, id));
  return held === undefined ? undefined : readHeld(held);
}

/** The version that acts of a document whose removal waits, by its id or name. */
export async function pendingRemoval(rules: RuleStore, type: RuleType, rule: string): Promise<RuleRecord | undefined> {
  if (restrictionOf(type) === undefined || (await rules.get(type.id, rule)) !== undefined) return undefined;
  const held = [...(await heldVersions(rules, type.id)).values()];
  const removed = held.find(({ id }) => id === rule) ?? held.find(({ name }) => name === rule);
  if (removed?.acting === undefined || (await rules.get(type.id, removed.id)) !== undefined) return undefined;
  return (await rules.findByName(type.id, rule)) === undefined || removed.id === rule ? removed.acting : undefined;
}

/** Returns the write that stores a held version. */
export function heldWrite({ type, id, name, acting, at, by }: HeldVersion): RuleWrite {
  const place = placeOf(type, id);
  const document: JsonObject = {
    _id: { $oid: place },
    name,
    rule_type: type,
    rule_id: id,
    at: at.toISOString(),
    by,
    ...(acting && {
      acting_name: acting.name,
      version: acting.version,
      changed_at: acting.changedAt.toISOString(),
      confirmed_by: acting.confirmedBy,
      document: acting.document.value,
    }),
  };
  return { type: HELD, id: place, name, uniqueName: false, document: StoredJson.ofValue(document), confirmedBy: null };
}

/**
 * Returns what removes the version that is held of each document by now. It leaves one that is held later: that belongs to a later
 * change of the document, which would act without it.
 */
export async function heldRemovals(
  rules: Pick<RuleStore, 'list'>,
): Promise<(document: Pick<HeldVersion, 'type' | 'id'>) => RuleRemoval | undefined> {
  const held = new Map((await rules.list(HELD)).map(({ id, version }) => [id, version]));
  return ({ type, id }) => {
    const place = placeOf(type, id);
    const version = held.get(place);
    return version === undefined ? undefined : { type: HELD, id: place, removes: version };
  };
}

export async function forgetHeld(
  rules: Pick<RuleStore, 'write'>,
  removals: readonly (RuleRemoval | undefined)[],
  at: Date,
): Promise<void> {
  const entries = removals.filter((removal) => removal !== undefined);
  if (entries.length === 0) return;
  await rules.write({ entries, mode: 'replace', at, actor: { kind: 'system', name: 'rules' } });
}

/** Documents of two types may have one id. */
function placeOf(type: string, id: string): string {
  return derivedId(`${type}/${id}`);
}

function readHeld({ name, version: entryVersion, document: { value } }: RuleRecord): HeldVersion {
  const type = memberText(value, 'rule_type');
  const id = memberText(value, 'rule_id');
  const document = ownMember(value, 'document');
  const held = { type, id, name, at: new Date(memberText(value, 'at')), by: memberText(value, 'by'), entryVersion };
  if (!isJsonObject(document)) return { ...held, acting: undefined };
  const acting: RuleRecord = {
    type,
    id,
    name: memberText(value, 'acting_name'),
    document: StoredJson.ofValue(document),
    version: memberInteger(value, 'version') ?? 1,
    changedAt: new Date(memberText(value, 'changed_at')),
    confirmedBy: confirmedByOf(memberText(value, 'confirmed_by')),
  };
  return { ...held, acting };
}

function confirmedByOf(text: string): ConfirmedBy {
  return text === 'operator' || text === 'administrator' ? text : null;
}
