import type { JsonObject, JsonValue } from '../../ports/index.ts';
import { setOwn } from '../file-source/own-property.ts';
import { isJsonObject } from '../json/json-object.ts';
import { isList, replacedAt } from './record-path.ts';

/** A member with a list of objects, each under a key of its own. */
export interface PairField {
  readonly path: string;
  /** The names of the members in each object; without `value`, the rest of the object is the value. */
  readonly names?: { readonly key: string; readonly value?: string };
}

const USUAL_NAMES = [
  { key: 'Key', value: 'Value' },
  { key: 'key', value: 'value' },
  { key: 'Name', value: 'Value' },
  { key: 'name', value: 'value' },
] as const;

/** Parses `Tags`, `Tags:Key:Value`, or `interfaces:name`. Returns `undefined` for any other form. */
export function readPairField(text: string): PairField | undefined {
  const [path = '', key, value, ...more] = text.split(':').map((part) => part.trim());
  if (path === '' || key === '' || value === '' || more.length > 0) return undefined;
  if (key === undefined) return { path };
  return { path, names: value === undefined ? { key } : { key, value } };
}

/**
 * Returns the record with its lists of pairs replaced by objects: `Tags: [{Key: 'Name', Value: 'web1'}]` becomes `Tags: {Name:
 * 'web1'}`.
 */
export function withPairs(record: JsonObject, fields: readonly PairField[]): JsonObject {
  let changed: JsonValue = record;
  for (const { path, names } of fields) changed = replacedAt(changed, path, (list) => objectOf(list, names) ?? list);
  return isJsonObject(changed) ? changed : record;
}

/** Returns `undefined` for a value that is not a list of pairs; it is then left unchanged. */
function objectOf(list: JsonValue, names: PairField['names']): JsonObject | undefined {
  if (!isList(list) || !list.every(isJsonObject)) return undefined;
  const called = names ?? USUAL_NAMES.find(({ key, value }) => list.every((item) => isPair(item, key, value)));
  if (called === undefined || !list.every((item) => keyOf(item, called.key) !== undefined)) return undefined;
  const members = new Map<string, JsonValue[]>();
  for (const item of list) {
    const key = keyOf(item, called.key) ?? '';
    const value = called.value === undefined ? without(item, called.key) : (item[called.value] ?? null);
    members.set(key, [...(members.get(key) ?? []), value]);
  }
  const object: Record<string, JsonValue> = {};
  // Several values under the same key are kept as a list.
  for (const [key, values] of members) setOwn(object, key, values.length === 1 ? (values[0] ?? null) : values);
  return object;
}

function isPair(item: JsonObject, key: string, value: string): boolean {
  return Object.hasOwn(item, key) && Object.hasOwn(item, value);
}

function keyOf(item: JsonObject, name: string): string | undefined {
  const key = Object.hasOwn(item, name) ? item[name] : undefined;
  if (typeof key !== 'string' && typeof key !== 'number') return undefined;
  return String(key).trim() === '' ? undefined : String(key);
}

function without(item: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(item).filter(([key]) => key !== name));
}
