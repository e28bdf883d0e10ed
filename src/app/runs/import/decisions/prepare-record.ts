import type { ImportOptions } from '../../../../kit/account-options/import-options.ts';
import { nullTest } from '../../../../kit/account-options/null-values.ts';
import { setOwn } from '../../../../kit/file-source/own-property.ts';
import { isJsonObject } from '../../../../kit/json/json-object.ts';
import type { HostnameTemplate, RecordScope } from '../../../../kit/options/hostname-template.ts';
import { RELATION_LABELS } from '../../../../kit/records/relation-labels.ts';
import { isVaultedText, withoutVaulted } from '../../../../kit/records/vaulted.ts';
import { isNoName } from '../../../../kit/records/worthless-values.ts';
import { phrase, type Said, saidAt, worded } from '../../../../kit/worded.ts';
import {
  type JsonObject,
  type JsonValue,
  type Labels,
  type SectionFill,
  type SourceRecord,
  type SourceRelation,
  StoredJson,
} from '../../../../ports/index.ts';
import { accepted, type Check, refused, shown } from '../../../hosts/decisions/check.ts';
import { inspectKey, keyText } from '../../../hosts/decisions/host-keys.ts';
import { inspectHostname } from '../../../hosts/decisions/hostname.ts';
import { hasHostnameRules, hostnameRuleFault } from '../../../hosts/decisions/hostname-rules.ts';
import { inspectSection, inspectSectionKey, usableSection } from '../../../hosts/decisions/inventory.ts';
import { inspectLabels, usableLabels } from '../../../hosts/decisions/labels.ts';
import { withoutUnseen } from '../../../hosts/decisions/name-spelling.ts';
import { recordScope } from './record-scope.ts';
import { renderedHostnames } from './rendered-hostnames.ts';

type SourceLabels = SourceRecord['labels'];

interface InventorySection {
  readonly key: string;
  readonly section: StoredJson<JsonObject>;
}

/** The keys that identify a record. */
interface PreparedKeys {
  /** `serial=J4711`, each once, in byte order. */
  readonly texts: readonly string[];
  /** Faults of the keys that cannot be kept. */
  readonly refusals: readonly string[];
}

/** The edges of a record. */
interface PreparedRelations {
  /** Each once. */
  readonly edges: readonly SourceRelation[];
  /** Why the first of those that cannot be stored cannot, to follow the record's name. */
  readonly refusal?: string;
}

/** A host that is ready to be written, with what its record says of it. */
export interface PreparedRecord extends Pick<SourceRecord, 'position' | 'type' | 'part' | 'laterName'> {
  readonly hostname: string;
  /** The name including the characters that were cut off because they are invisible. */
  readonly written?: string;
  readonly labels: StoredJson<Labels>;
  readonly inventory: readonly InventorySection[];
  /** Its edges, as far as they can be stored; absent when the source names none. */
  readonly relations?: PreparedRelations;
  /** The keys that identify it; absent if the source gives no keys at all. */
  readonly keys?: PreparedKeys;
  /** The content with which it fills a section; absent: all that it has. */
  readonly fills?: SectionFill;
}

export type Prepared =
  | {
      readonly ok: true;
      readonly record: PreparedRecord;
      /** The parts of it that cannot be kept, and those that are doubtful. */
      readonly warnings: readonly Said[];
    }
  | {
      readonly ok: false;
      /** For people: the final name, or the source's when there is none. */
      readonly hostname: string;
      readonly reason: Said;
      readonly storedName: StoredName;
    };

/**
 * The name a refused record's host is stored under, if it is: a host that its source still names must not be archived
 * as missing. `undefined`: no host can have that name. `'unknown'`: the template that makes the name failed, or needs fields that
 * were not read.
 */
export type StoredName = { readonly hostname: string } | 'unknown' | undefined;

export interface PreparerSettings {
  /** The value of `WORTHLESS_VALUES`. */
  readonly worthless?: readonly string[] | undefined;
  readonly options: ImportOptions;
  readonly hostnameField?: string | undefined;
  readonly template?: HostnameTemplate | undefined;
}

/** Turns records of a source into what is written: hostname rewritten and checked, labels checked and filtered. */
export class RecordPreparer {
  readonly #settings: PreparerSettings;
  readonly #owned: ReturnType<typeof ownedLabels>;
  readonly #hasNameRules: boolean;
  readonly #isNull: ReturnType<typeof nullTest>;

  constructor(settings: PreparerSettings) {
    this.#settings = settings;
    this.#owned = ownedLabels(settings.options.owned_labels);
    this.#isNull = nullTest(settings.options.null_values);
    this.#hasNameRules = hasHostnameRules(settings.options);
  }

  /** A host for each name that the template makes of the record's, all with its labels; what is refused, each by itself. */
  prepare(given: SourceRecord): readonly Prepared[] {
    if (isVaultedText(given.hostname)) return [unusable(given, phrase`its name is encrypted by a vault`, 'unknown')];
    const record = unencrypted(given);
    const rewritten = this.#rewritten(record);
    // A key is of one thing.
    if (rewritten.ok && rewritten.value.length > 1 && record.keys !== undefined) {
      const { keys: _, ...rest } = record;
      return this.prepare(rest);
    }
    if (!rewritten.ok) return [unusable(record, rewritten.message, 'unknown')];
    if (rewritten.value.length === 0) {
      return [
        unusable(
          record,
          worded`rewrite_hostname makes an empty list of ${{ name: shown(record.hostname) }}`,
          undefined,
        ),
      ];
    }
    const prepared: Prepared[] = [];
    const warnings: Said[] = [...(record.warnings ?? [])];
    let first: Check<PreparedRecord> | undefined;
    for (const name of rewritten.value) {
      const seen = withoutUnseen(name);
      const inspected = this.#inspected(seen);
      if (!inspected.ok) {
        prepared.push(unusable(record, this.#isNoName(name) ? saysNothing(name) : saidAt(inspected), undefined));
        continue;
      }
      const hostname = inspected.value;
      const broken = this.#hasNameRules ? hostnameRuleFault(hostname, this.#settings.options) : undefined;
      if (broken !== undefined) {
        prepared.push(refusedHost(hostname, worded`the hostname ${{ name: shown(hostname) }} ${{ broken }}`));
        continue;
      }
      if (this.#isNoName(hostname) || (record.hostname !== hostname && this.#isNoName(record.hostname))) {
        prepared.push(refusedHost(hostname, saysNothing(hostname)));
        continue;
      }
      first ??= this.#record(record, hostname, warnings);
      if (!first.ok) prepared.push(refusedHost(hostname, saidAt(first)));
      else {
        const isFirst = first.value.hostname === hostname;
        const named = isFirst ? first.value : { ...first.value, hostname };
        prepared.push({
          ok: true,
          record: seen === name ? named : { ...named, written: name.trim() },
          warnings: isFirst ? warnings : [],
        });
      }
    }
    return prepared;
  }

  /** The stored names of a record that the source could not read to its end. */
  storedNames(hostname: string | undefined): readonly StoredName[] {
    if (hostname === undefined || hostname.trim() === '') return [];
    const { template, hostnameField } = this.#settings;
    const record: SourceRecord = { kind: 'record', position: '', hostname, labels: {} };
    const scope = recordScope(record, hostnameField);
    let asksMore = false;
    const rewritten = this.#rewritten(record, {
      get(name) {
        if (name !== 'HOSTNAME' && name !== hostnameField) asksMore = true;
        return scope.get(name);
      },
      attributes() {
        asksMore = true;
        return scope.attributes();
      },
    });
    // With the fields that could not be read, the template might have made other names.
    const unsure = template === undefined ? undefined : 'unknown';
    if (asksMore || !rewritten.ok || rewritten.value.length === 0) return [unsure];
    return rewritten.value.map((name) => {
      const inspected = this.#inspected(withoutUnseen(name));
      return inspected.ok ? { hostname: inspected.value } : unsure;
    });
  }

  /** Returns the names of the hosts that a record becomes, or its own name if there are none. */
  namesOf(record: SourceRecord): readonly string[] {
    const rewritten = this.#rewritten(record);
    const names = rewritten.ok && rewritten.value.length > 0 ? rewritten.value : [record.hostname];
    return names.map((name) => {
      const inspected = this.#inspected(withoutUnseen(name));
      return inspected.ok ? inspected.value : name.trim();
    });
  }

  /** The keys of a record, in the form in which they are stored. */
  keysOf(keys: NonNullable<SourceRecord['keys']>): PreparedKeys {
    return preparedKeys(plainKeys(keys), { worthless: this.#settings.worthless, isNull: this.#isNull });
  }

  #record(record: SourceRecord, hostname: string, warnings: Said[]): Check<PreparedRecord> {
    const labels = this.#labels(record.labels, warnings);
    if (!labels.ok) return labels;
    const inventory = record.inventory === undefined ? accepted(NO_SECTIONS) : sectionsOf(record.inventory, warnings);
    if (!inventory.ok) return inventory;
    const { position, type, part, relations, keys, fills, laterName } = record;
    const plain = { position, hostname, labels: StoredJson.ofValue(labels.value), inventory: inventory.value };
    const saysMore = type ?? part ?? relations ?? keys ?? fills ?? laterName;
    if (saysMore === undefined) return accepted(plain);
    const content = fills === undefined ? accepted({}) : keptSection('', fills.content, warnings);
    if (!content.ok) return content;
    return accepted({
      ...plain,
      ...(fills === undefined ? {} : { fills: { ...fills, content: content.value } }),
      ...(laterName === undefined ? {} : { laterName }),
      ...(type === undefined ? {} : { type }),
      ...(part === undefined ? {} : { part }),
      ...(relations === undefined
        ? {}
        : { relations: preparedRelations(relations, (target) => this.#storedTarget(target)) }),
      ...(keys === undefined ? {} : { keys: this.keysOf(keys) }),
    });
  }

  #isNoName(name: string): boolean {
    return isNoName(name) || this.#isNull(name);
  }

  /** One label that cannot be kept does not lose the host. */
  #labels(given: SourceLabels, warnings: Said[]): Check<Labels> {
    const valued = this.#withoutNulls(given);
    const owned = this.#owned === undefined ? valued : this.#owned(valued);
    const labels = inspectLabels(owned);
    if (labels.ok) return labels;
    const { usable, unusable } = usableLabels(owned);
    for (const { key, fault } of unusable)
      warnings.push(worded`label ${{ key: shown(key) }} ${{ fault }}; it is left out`);
    return inspectLabels(usable);
  }

  #withoutNulls(labels: SourceLabels): SourceLabels {
    const isNull = this.#isNull;
    for (const key in labels)
      if (isNull(labels[key])) return Object.fromEntries(Object.entries(labels).filter(([, value]) => !isNull(value)));
    return labels;
  }

  /** The other end of an edge is a record of the same source as a rule, and is named as that one is stored. */
  #storedTarget(target: string): Check<string> {
    const [name] = this.storedNames(target);
    return typeof name === 'object' ? accepted(name.hostname) : this.#inspected(withoutUnseen(target));
  }

  /** The names as the template makes them; fails where the template does. */
  #rewritten(
    record: SourceRecord,
    scope: RecordScope = recordScope(record, this.#settings.hostnameField),
  ): Check<readonly string[]> {
    const { template, options } = this.#settings;
    const isNamed = template === undefined || record.fills?.named === true;
    if (isNamed || record.hostname.trim() === '') return accepted([record.hostname]);
    try {
      const text = template(scope);
      if (text.trim() !== '') return accepted(renderedHostnames(text, options.lowercase_hostname));
      return refused('hostname', worded`rewrite_hostname turns ${{ name: shown(record.hostname) }} into an empty name`);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return refused('hostname', worded`rewrite_hostname fails for ${{ name: shown(record.hostname) }}: ${{ reason }}`);
    }
  }

  /** Inspects a name whose invisible characters were removed. */
  #inspected(name: string): Check<string> {
    return inspectHostname(this.#settings.options.lowercase_hostname ? name.toLowerCase() : name);
  }
}

/** Removes text that a vault encrypted: it is never a label, data or a key, whatever the source. */
function unencrypted(record: SourceRecord): SourceRecord {
  const labels = withoutVaulted(record.labels) as SourceLabels;
  const inventory = record.inventory === undefined ? undefined : withoutVaulted(record.inventory);
  const keys = record.keys === undefined ? undefined : plainKeys(record.keys);
  const content = record.fills === undefined ? undefined : withoutVaulted(record.fills.content);
  const { fills } = record;
  const isSame = labels === record.labels && inventory === record.inventory && keys === record.keys;
  if (isSame && content === fills?.content) return record;
  return {
    ...record,
    labels,
    ...(inventory !== undefined && { inventory: inventory as Record<string, JsonObject> }),
    ...(keys !== undefined && { keys }),
    ...(fills !== undefined && content !== undefined && { fills: { ...fills, content } }),
  };
}

function plainKeys(keys: NonNullable<SourceRecord['keys']>): NonNullable<SourceRecord['keys']> {
  if (!Object.values(keys).some((values) => values.some(isVaultedText))) return keys;
  return Object.fromEntries(
    Object.entries(keys).map(([name, values]) => [name, values.filter((value) => !isVaultedText(value))]),
  );
}

function unusable({ hostname }: SourceRecord, reason: Said, storedName: StoredName): Prepared {
  return { ok: false, hostname: hostname.trim(), reason, storedName };
}

function saysNothing(name: string): Said {
  return worded`its name ${{ name: shown(name) }} says that nothing is known; a host of that name stays as it is`;
}

function refusedHost(hostname: string, reason: Said): Prepared {
  return { ok: false, hostname, reason, storedName: { hostname } };
}

/** One member that cannot be kept does not lose the section. */
function keptSection(name: string, content: JsonValue, warnings: Said[]): Check<JsonObject> {
  const section = inspectSection(content);
  if (section.ok || !isJsonObject(content)) return section;
  const usable = usableSection(content, (path, fault) => {
    warnings.push(
      worded`member ${{ path: shown(name === '' ? path : `${name}.${path}`) }} ${{ fault }}; it is left out`,
    );
  });
  return inspectSection(usable);
}

const NO_SECTIONS: readonly InventorySection[] = [];

function sectionsOf(
  inventory: Readonly<Record<string, JsonValue>>,
  warnings: Said[],
): Check<readonly InventorySection[]> {
  const sections: InventorySection[] = [];
  for (const [name, content] of Object.entries(inventory)) {
    const key = inspectSectionKey(name);
    if (!key.ok) {
      warnings.push(worded`${{ fault: saidAt(key) }}; the section is left out`);
      continue;
    }
    const section = keptSection(name, content, warnings);
    if (!section.ok) return section;
    sections.push({ key: key.value, section: StoredJson.ofValue(section.value) });
  }
  return accepted(sections);
}

/**
 * Keeps the labels that an account gives. Patterns are exact names or prefixes with a trailing `*`; a leading `!` takes
 * names away again. Only exclusions: everything else passes. No pattern: `undefined`, for everything.
 */
function ownedLabels(patterns: readonly string[]): ((labels: SourceLabels) => SourceLabels) | undefined {
  if (patterns.length === 0) return undefined;
  const excluded = patterns.filter((pattern) => pattern.startsWith('!')).map((pattern) => matcher(pattern.slice(1)));
  const included = patterns.filter((pattern) => !pattern.startsWith('!')).map(matcher);
  const owns = (key: string): boolean =>
    (included.length === 0 || included.some((matches) => matches(key))) && !excluded.some((matches) => matches(key));
  return (labels) => {
    const owned: Record<string, JsonValue> = {};
    for (const [key, value] of Object.entries(labels)) if (owns(key)) setOwn(owned, key, value);
    return owned;
  };
}

function matcher(pattern: string): (key: string) => boolean {
  if (!pattern.endsWith('*')) return (key) => key === pattern;
  const prefix = pattern.slice(0, -1);
  return (key) => key.startsWith(prefix);
}

/** More keys than this cannot belong to one object. */
const MOST_KEYS = 1_000;

/** Brings the keys of a record into the form in which they are the same everywhere. */
function preparedKeys(
  keys: NonNullable<SourceRecord['keys']>,
  {
    worthless,
    isNull,
  }: { readonly worthless?: readonly string[] | undefined; readonly isNull?: (value: string) => boolean } = {},
): PreparedKeys {
  const texts = new Set<string>();
  const refusals: string[] = [];
  for (const [name, values] of Object.entries(keys)) {
    for (const value of values) {
      if (isNull?.(value) === true) continue;
      const key = inspectKey(name, value, worthless);
      if (!key.ok) refusals.push(key.message);
      else if (key.value !== undefined) texts.add(keyText(key.value));
    }
  }
  if (texts.size <= MOST_KEYS) return { texts: [...texts].sort(), refusals };
  return { texts: [], refusals: [...refusals, `${texts.size} keys are more than ${MOST_KEYS}, and none is kept`] };
}

/** Checks the edges that a source names; `stored` gives the name that the other end has here. */
function preparedRelations(
  relations: readonly SourceRelation[],
  stored: (target: string) => Check<string>,
): PreparedRelations {
  const edges = new Map<string, SourceRelation>();
  let refusal: string | undefined;
  for (const { type, target } of relations) {
    if (!Object.hasOwn(RELATION_LABELS, type)) {
      const types = Object.keys(RELATION_LABELS).join(', ');
      refusal ??= `its relation ${shown(type)} to ${shown(target)} was not stored: types are ${types}`;
      continue;
    }
    const name = stored(target);
    if (name.ok) edges.set(`${type} ${name.value}`, { type, target: name.value });
    else refusal ??= `its relation ${type} to ${shown(target)} was not stored: ${name.message}`;
  }
  return { edges: [...edges.values()], ...(refusal === undefined ? {} : { refusal }) };
}
