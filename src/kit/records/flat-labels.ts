import type { JsonObject, JsonValue } from '../../ports/index.ts';
import { isJsonObject } from '../json/json-object.ts';

/** Deeper members become JSON text. */
const MAX_DEPTH = 32;

/**
 * Labels are flat: members of nested objects get dotted keys, and lists hold scalars. What has no members gives no label. A label that
 * is called like the member of another one is the one that counts, however they are ordered.
 */
export function flatLabels(labels: JsonObject): JsonObject {
  const members: [string, JsonValue][] = [];
  const own: [string, JsonValue][] = [];
  for (const [key, value] of Object.entries(labels)) {
    collect(members, key, value, 1);
    if (!isJsonObject(value)) own.push([key, Array.isArray(value) ? flatList(value) : value]);
  }
  return Object.fromEntries([...members, ...own]);
}

function collect(entries: [string, JsonValue][], key: string, value: JsonValue, depth: number): void {
  if (!isJsonObject(value)) entries.push([key, Array.isArray(value) ? flatList(value) : value]);
  else if (depth >= MAX_DEPTH) entries.push([key, JSON.stringify(value)]);
  else {
    for (const [inner, member] of Object.entries(value)) collect(entries, `${key}.${inner}`, member, depth + 1);
  }
}

/** Scalars stay; an object becomes its name, or JSON text when it has none; a list becomes JSON text. */
export function flatList(list: readonly JsonValue[]): JsonValue {
  if (!list.some((item) => typeof item === 'object' && item !== null)) return list;
  return list.map((item) =>
    isJsonObject(item) ? (nameOf(item) ?? JSON.stringify(item)) : Array.isArray(item) ? JSON.stringify(item) : item,
  );
}

function nameOf(value: JsonObject): string | undefined {
  for (const member of ['name', 'display']) {
    const name = Object.hasOwn(value, member) ? value[member] : undefined;
    if (typeof name === 'string' || typeof name === 'number') return String(name);
  }
  return undefined;
}
