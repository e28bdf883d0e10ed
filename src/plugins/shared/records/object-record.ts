import { flatList } from '../../../app/hosts/decisions/flat-labels.ts';
import { isJsonObject } from '../../../app/kernel/json/json-object.ts';
import type { JsonObject, JsonValue, SourceItem, SourceRecord } from '../../../ports/index.ts';
import { shown } from '../file-source/fault.ts';
import { setOwn } from '../file-source/own-property.ts';
import { isList } from './record-path.ts';

/** Deeper members become JSON text. */
const MAX_DEPTH = 32;

export interface RecordOptions {
  /** The member with the hostname; dots reach into objects. */
  readonly hostname_field: string;
  /** Members that become inventory sections instead of labels. */
  readonly inventory_fields: readonly string[];
}

/** Turns one element of a list of objects into a record. */
export function listedRecord(element: JsonValue, position: string, options: RecordOptions): SourceItem {
  if (!isJsonObject(element)) return { kind: 'skipped', position, reason: 'is not an object' };
  const field = options.hostname_field;
  const name = memberAt(element, field);
  if (typeof name !== 'string' && typeof name !== 'number') {
    const found = name === undefined ? 'is missing' : name === null ? 'is null' : 'is no text';
    return { kind: 'skipped', position, reason: `has no name: ${shown(field)} ${found}` };
  }
  const hostname = String(name);
  if (hostname.trim() === '') return { kind: 'skipped', position, reason: `has no name: ${shown(field)} is empty` };
  return namedRecord(hostname, element, position, options);
}

/** A record of an object of records by name: labels, or nothing. The name stands outside, so every member is a label. */
export function recordOfName(name: string, element: JsonValue, options: RecordOptions): SourceItem {
  const position = `member ${shown(name)}`;
  if (name.trim() === '') return { kind: 'skipped', position, reason: 'has no name' };
  const named = { ...options, hostname_field: '' };
  if (element === null) return namedRecord(name, {}, position, named);
  if (isJsonObject(element)) return namedRecord(name, element, position, named);
  return { kind: 'skipped', position, hostname: name, reason: 'is not an object' };
}

/** A record of a name from an object: its members are labels, nested ones with dotted keys. */
export function namedRecord(
  hostname: string,
  element: JsonObject,
  position: string,
  options: RecordOptions,
): SourceRecord {
  const field = options.hostname_field;
  const labels: Record<string, JsonValue> = {};
  const inventory: Record<string, JsonObject> = {};
  let sections = 0;
  for (const key of Object.keys(element)) {
    const value = element[key];
    if (value === undefined) continue;
    if (isJsonObject(value) && options.inventory_fields.includes(key)) {
      setOwn(inventory, key, value);
      sections++;
    } else flattenInto(labels, key, value, field, 1);
  }
  const record = { kind: 'record', position, hostname, labels } as const;
  return sections === 0 ? record : { ...record, inventory };
}

/** Nested members get dotted keys; what has no members of its own (`{}`) gives no label. */
function flattenInto(
  labels: Record<string, JsonValue>,
  key: string,
  value: JsonValue,
  hostnameField: string,
  depth: number,
): void {
  if (key === hostnameField && !isJsonObject(value)) return;
  if (isList(value)) setOwn(labels, key, flatList(value));
  else if (!isJsonObject(value)) setOwn(labels, key, value);
  else if (depth >= MAX_DEPTH) setOwn(labels, key, JSON.stringify(value));
  else {
    for (const inner of Object.keys(value)) {
      const member = value[inner];
      if (member !== undefined) flattenInto(labels, `${key}.${inner}`, member, hostnameField, depth + 1);
    }
  }
}

/** The member of that very name, else what the dotted path leads to. */
function memberAt(value: JsonObject, path: string): JsonValue | undefined {
  if (Object.hasOwn(value, path)) return value[path];
  for (let dot = path.indexOf('.'); dot !== -1; dot = path.indexOf('.', dot + 1)) {
    const head = path.slice(0, dot);
    const inner = Object.hasOwn(value, head) ? value[head] : undefined;
    if (isJsonObject(inner)) return memberAt(inner, path.slice(dot + 1));
  }
  return undefined;
}
