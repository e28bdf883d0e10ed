import type { JsonObject, JsonValue, LeftOutRecords, SourceItem, SourceRecord } from '../../ports/index.ts';
import { shown } from '../file-source/fault.ts';
import { isJsonObject } from '../json/json-object.ts';
import { phrase } from '../worded.ts';
import { cachedFacts } from './ansible-cache.ts';
import { listedRecord, namedRecord } from './object-record.ts';
import { type PairField, readPairField, withPairs } from './pairs.ts';
import { RecordFilter } from './record-filter.ts';
import { RecordKeys } from './record-keys.ts';
import { isList } from './record-path.ts';

export interface RecordOptions {
  /** The fields with the hostname, the first that has one counts; names of members, or paths. */
  readonly hostname_field: string;
  /** Members that become inventory sections instead of labels. */
  readonly inventory_fields: readonly string[];
  /** Members with lists of keys and values. */
  readonly pair_fields: readonly string[];
  /** Conditions that a record must meet. */
  readonly record_filter?: string | undefined;
  /** Members that a record is known by elsewhere. */
  readonly key_fields: readonly string[];
}

/** The member that holds the records of documents that are lists. */
const LIST_MEMBER = 'items';

/** Makes records of the objects that a source gives, as the options of its account say. */
export class RecordMaker {
  readonly #options: RecordOptions;
  readonly #filter: RecordFilter;
  readonly #pairs: readonly PairField[];
  readonly #keys: RecordKeys;

  private constructor(options: RecordOptions, filter: RecordFilter) {
    this.#options = options;
    this.#filter = filter;
    this.#pairs = options.pair_fields.flatMap((text) => readPairField(text) ?? []);
    this.#keys = new RecordKeys(options.key_fields);
  }

  /** Throws `OptionFault` for options that cannot be applied, before anything is read. */
  static async of(options: RecordOptions): Promise<RecordMaker> {
    return new RecordMaker(options, await RecordFilter.of(options.record_filter));
  }

  /** An element of a list of objects. Nothing where the filter leaves it out. */
  listed(element: JsonValue, position: string, file?: string): SourceItem | undefined {
    const make = (record: JsonValue): SourceItem => listedRecord(record, position, this.#options, file);
    return isJsonObject(element) ? this.#made(element, position, make) : make(element);
  }

  /** A document that is a record; one that is a list becomes its member `items`, and of cached facts the facts count. */
  document(document: JsonValue, position: string, file: string): SourceItem | undefined {
    const cached = cachedFacts(document, file);
    if (cached === undefined) {
      return this.listed(isList(document) ? { [LIST_MEMBER]: document } : document, position, file);
    }
    if (cached.facts !== undefined) return this.listed(cached.facts, position, cached.host);
    return { kind: 'gap', what: phrase`the cached facts`, reason: phrase`they are not valid JSON` };
  }

  /**
   * Makes a record from an entry of an object of records by name, with its labels, or nothing if the filter leaves it out. The
   * name is outside the entry, so every member is a label.
   */
  byName(name: string, element: JsonValue, position = `member ${shown(name)}`): SourceItem | undefined {
    const nameless: SourceItem = { kind: 'skipped', position, reason: phrase`has no name` };
    if (element !== null && !isJsonObject(element)) {
      return name.trim() === ''
        ? nameless
        : { kind: 'skipped', position, hostname: name, reason: phrase`is not an object` };
    }
    const { inventory_fields } = this.#options;
    return this.#made(element ?? {}, position, (record) =>
      name.trim() === '' ? nameless : namedRecord(name, record, position, { inventory_fields, hostname_field: '' }),
    );
  }

  /** A record by name that the filter is not about. */
  unfiltered(name: string, element: JsonObject, position: string): SourceRecord {
    const { inventory_fields } = this.#options;
    const record = this.#pairs.length === 0 ? element : withPairs(element, this.#pairs);
    return namedRecord(name, record, position, { inventory_fields, hostname_field: '' });
  }

  /** Returns the records that the filter left out, for the report at the end. */
  leftOut(): readonly LeftOutRecords[] {
    return this.#filter.leftOut();
  }

  /** Whether the filter leaves a record out by the members that it has, whatever else may belong to it. */
  surelyLeavesOut(element: JsonValue, position: string): boolean {
    return isJsonObject(element) && this.#filter.surelyLeavesOut(withPairs(element, this.#pairs), position);
  }

  #made(element: JsonObject, position: string, make: (record: JsonObject) => SourceItem): SourceItem | undefined {
    const record = this.#pairs.length === 0 ? element : withPairs(element, this.#pairs);
    return this.#filter.passes(record, position) ? this.#keys.added(make(record), record) : undefined;
  }
}
