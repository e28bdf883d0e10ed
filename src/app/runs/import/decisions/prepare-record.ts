import {
  type JsonObject,
  type JsonValue,
  type Labels,
  type SourceRecord,
  StoredJson,
} from '../../../../ports/index.ts';
import type { HostnameTemplate } from '../../../accounts/decisions/hostname-template.ts';
import type { ImportOptions } from '../../../accounts/decisions/import-options.ts';
import { accepted, type Check, refused, shown } from '../../../hosts/decisions/check.ts';
import { inspectHostname } from '../../../hosts/decisions/hostname.ts';
import { hostnameRuleFault } from '../../../hosts/decisions/hostname-rules.ts';
import { inspectSection, inspectSectionKey } from '../../../hosts/decisions/inventory.ts';
import { inspectLabels } from '../../../hosts/decisions/labels.ts';
import { ownedLabels } from './owned-labels.ts';
import { recordScope } from './record-scope.ts';

interface InventorySection {
  readonly key: string;
  readonly section: StoredJson<JsonObject>;
}

/** A record that is ready to be written. */
export interface PreparedRecord {
  readonly position: string;
  readonly hostname: string;
  readonly labels: StoredJson<Labels>;
  readonly inventory: readonly InventorySection[];
}

export type Prepared =
  | { readonly ok: true; readonly record: PreparedRecord }
  | {
      readonly ok: false;
      /** For people: the final name, or the source's when there is none. */
      readonly hostname: string;
      readonly reason: string;
      readonly storedName: StoredName;
    };

/**
 * The name a refused record's host is stored under, if it is: a host that its source still names must not be archived
 * as missing. `undefined`: no host can have that name. `'unknown'`: the template that makes the name failed.
 */
export type StoredName = { readonly hostname: string } | 'unknown' | undefined;

export interface PreparerSettings {
  readonly options: ImportOptions;
  readonly hostnameField?: string | undefined;
  readonly template?: HostnameTemplate | undefined;
}

/** Turns records of a source into what is written: hostname rewritten and checked, labels checked and filtered. */
export class RecordPreparer {
  readonly #settings: PreparerSettings;
  readonly #owned: ReturnType<typeof ownedLabels>;

  constructor(settings: PreparerSettings) {
    this.#settings = settings;
    this.#owned = ownedLabels(settings.options.owned_labels);
  }

  prepare(record: SourceRecord): Prepared {
    const unusable = (reason: string, storedName: StoredName): Prepared => ({
      ok: false,
      hostname: record.hostname.trim(),
      reason,
      storedName,
    });
    const rewritten = this.#rewritten(record);
    if (!rewritten.ok) return unusable(rewritten.message, 'unknown');
    const name = this.#inspected(rewritten.value);
    if (!name.ok) return unusable(name.message, undefined);
    const hostname = name.value;
    const refuse = (reason: string): Prepared => ({ ok: false, hostname, reason, storedName: { hostname } });
    const broken = hostnameRuleFault(hostname, this.#settings.options);
    if (broken !== undefined) return refuse(`the hostname ${shown(hostname)} ${broken}`);
    const labels = inspectLabels(this.#owned(record.labels));
    if (!labels.ok) return refuse(labels.message);
    const inventory = record.inventory === undefined ? accepted(NO_SECTIONS) : sectionsOf(record.inventory);
    if (!inventory.ok) return refuse(inventory.message);
    const stored = StoredJson.ofValue(labels.value);
    return { ok: true, record: { position: record.position, hostname, labels: stored, inventory: inventory.value } };
  }

  /** The stored name of a record that the source could not read to its end. */
  storedName(hostname: string | undefined): StoredName {
    if (hostname === undefined || hostname.trim() === '') return undefined;
    const rewritten = this.#rewritten({ kind: 'record', position: '', hostname, labels: {} });
    const name = rewritten.ok ? this.#inspected(rewritten.value) : rewritten;
    if (name.ok) return { hostname: name.value };
    // With the fields that could not be read, the template might have made a name.
    return this.#settings.template === undefined ? undefined : 'unknown';
  }

  /** The name as the template makes it; fails where the template does. */
  #rewritten(record: SourceRecord): Check<string> {
    const { template, hostnameField } = this.#settings;
    if (template === undefined || record.hostname.trim() === '') return accepted(record.hostname);
    try {
      const hostname = template(recordScope(record, hostnameField));
      if (hostname.trim() !== '') return accepted(hostname);
      return refused('hostname', `rewrite_hostname turns ${shown(record.hostname)} into an empty name`);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return refused('hostname', `rewrite_hostname fails for ${shown(record.hostname)}: ${reason}`);
    }
  }

  #inspected(hostname: string): Check<string> {
    return inspectHostname(this.#settings.options.lowercase_hostname ? hostname.toLowerCase() : hostname);
  }
}

const NO_SECTIONS: readonly InventorySection[] = [];

function sectionsOf(inventory: Readonly<Record<string, JsonValue>>): Check<readonly InventorySection[]> {
  const sections: InventorySection[] = [];
  for (const [name, content] of Object.entries(inventory)) {
    const key = inspectSectionKey(name);
    if (!key.ok) return key;
    const section = inspectSection(content);
    if (!section.ok) return section;
    sections.push({ key: key.value, section: StoredJson.ofValue(section.value) });
  }
  return accepted(sections);
}
