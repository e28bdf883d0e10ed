import { isJsonObject } from '../../../kit/json/json-object.ts';
import type { JsonObject, JsonValue, TargetOutcome } from '../../../ports/index.ts';

/** A value of an outcome; `null` if the outcome clears it. */
export type DecidedValue = string | readonly string[] | null;

export type DecidedFields = Readonly<Record<string, DecidedValue>>;

/** The decisions of all rules of a type about the single object of a host. */
export interface DecidedObject {
  readonly fields: DecidedFields;
  readonly customFields: DecidedFields;
  /** Outcomes that are written when the object is made, and never again. */
  readonly once: ReadonlySet<string>;
  readonly isIgnored: boolean;
  /** The last rule that decided something. */
  readonly rule: string;
}

/** One of several objects of a host. */
export interface DecidedEntry {
  readonly fields: DecidedFields;
  /** Names or addresses that are left out. */
  readonly ignored: ReadonlySet<string>;
  readonly rule: string;
}

/** Returns the outcome of a rule as plain data that people can read, without empty members. */
export function objectOutcome(given: {
  readonly fields: DecidedFields;
  readonly customFields: DecidedFields;
  readonly once: readonly string[];
  readonly isIgnored: boolean;
}): JsonObject {
  const { fields, customFields, once, isIgnored } = given;
  return {
    fields,
    ...(Object.keys(customFields).length === 0 ? {} : { custom_fields: customFields }),
    ...(once.length === 0 ? {} : { once }),
    ...(isIgnored ? { ignored: true } : {}),
  };
}

export function listOutcome(entries: readonly DecidedFields[], ignored: readonly string[]): JsonObject {
  return { entries, ...(ignored.length === 0 ? {} : { ignored }) };
}

/** Merges outcomes: later rules win, field by field. `undefined` if no rule matched. */
export function decidedObject(outcomes: readonly TargetOutcome[] | undefined): DecidedObject | undefined {
  const last = outcomes?.at(-1);
  if (outcomes === undefined || last === undefined) return undefined;
  const values = outcomes.map(({ value }) => objectOf(value));
  return {
    fields: Object.assign({}, ...values.map(({ fields }) => objectOf(fields))) as DecidedFields,
    customFields: Object.assign({}, ...values.map(({ custom_fields }) => objectOf(custom_fields))) as DecidedFields,
    once: new Set(values.flatMap(({ once }) => textsOf(once))),
    isIgnored: values.some(({ ignored }) => ignored === true),
    rule: last.rule.id,
  };
}

export function decidedEntries(outcomes: readonly TargetOutcome[] | undefined): readonly DecidedEntry[] {
  return (outcomes ?? []).flatMap(({ rule, value }) => {
    const { entries, ignored } = objectOf(value);
    const leftOut = new Set(textsOf(ignored));
    return Array.isArray(entries)
      ? (entries as readonly JsonValue[]).map((entry): DecidedEntry => {
          return { fields: objectOf(entry) as DecidedFields, ignored: leftOut, rule: rule.id };
        })
      : [];
  });
}

/** Returns the text of a field; `undefined` if it is not set or cleared. */
export function textOf(fields: DecidedFields, action: string): string | undefined {
  const value = Object.hasOwn(fields, action) ? fields[action] : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The texts of a field that may have several. */
export function listOf(fields: DecidedFields, action: string): readonly string[] {
  const value = Object.hasOwn(fields, action) ? fields[action] : undefined;
  const all = typeof value === 'string' ? value.split(',') : (value ?? []);
  return all.map((text) => text.trim()).filter((text) => text !== '');
}

export function isSaid(fields: DecidedFields, action: string): boolean {
  return Object.hasOwn(fields, action);
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function textsOf(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]).filter((item) => typeof item === 'string') : [];
}
