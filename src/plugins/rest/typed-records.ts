import {
  compileHostnameTemplate,
  type HostnameTemplate,
  type RecordScope,
} from '../../kit/options/hostname-template.ts';
import { type RelationField, readRelationField, relationsOf } from '../../kit/records/relation-fields.ts';
import type { JsonObject, JsonValue, SectionFill, SourceRecord } from '../../ports/index.ts';

export interface TypeOptions {
  /** The type of the records; absent: that of the account. */
  readonly record_type?: string | undefined;
  readonly relation_fields: readonly string[];
  readonly name_template: string;
}

export type TemplateName = { readonly name: string } | { readonly reason: string };

/** Determines type, name and relations of records, as configured by the options of their list. */
export class TypedRecords {
  readonly #type: string | undefined;
  readonly #relations: readonly RelationField[];
  readonly #template: HostnameTemplate | undefined;
  /** Nothing is said, so records stay as they are. */
  readonly #isNothing: boolean;

  readonly #fills: ((record: JsonObject) => SectionFill) | undefined;

  constructor(
    { record_type, relation_fields, name_template }: TypeOptions,
    fills?: (record: JsonObject) => SectionFill,
  ) {
    this.#fills = fills;
    this.#type = record_type;
    this.#relations = relation_fields.flatMap((text) => readRelationField(text) ?? []);
    this.#template = compileHostnameTemplate(name_template, {}, 'name_template');
    this.#isNothing = record_type === undefined && fills === undefined && this.#relations.length === 0;
  }

  /** Returns the name that the template makes; `undefined` if there is no template, so that the name field is used. */
  nameOf(record: JsonObject): TemplateName | undefined {
    if (this.#template === undefined) return undefined;
    try {
      return { name: this.#template(scopeOf(record)) };
    } catch (error) {
      return {
        reason: `name_template gives no name for it: ${error instanceof Error ? error.message : String(error)}`,
      };
    }
  }

  typed(record: SourceRecord, element: JsonObject): SourceRecord {
    if (this.#isNothing) return record;
    return {
      ...record,
      ...(this.#type === undefined ? {} : { type: this.#type }),
      ...(this.#relations.length === 0
        ? {}
        : { relations: [...(record.relations ?? []), ...relationsOf(element, this.#relations)] }),
      ...(this.#fills === undefined ? {} : { fills: this.#fills(element) }),
    };
  }
}

/** A member that is null is missing: no name shall say so. */
function scopeOf(record: JsonObject): RecordScope {
  const member = (name: string): JsonValue | undefined =>
    (Object.hasOwn(record, name) ? record[name] : null) ?? undefined;
  return {
    get: member,
    attributes: () => new Map(Object.keys(record).map((name) => [name, member(name) ?? null])),
  };
}
