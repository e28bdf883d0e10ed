import { setOwn } from '../../../kit/file-source/own-property.ts';
import { isJsonObject } from '../../../kit/json/json-object.ts';
import { flatList } from '../../../kit/records/flat-labels.ts';
import { isList } from '../../../kit/records/record-path.ts';
import type { JsonObject, JsonValue } from '../../../ports/index.ts';

/** Labels made for an object that another one refers to. */
export type References = 'members' | 'name';

type Labels = Record<string, JsonValue>;

/** Members about how NetBox shows an object, not about the object. */
const PRESENTATION: ReadonlySet<string> = new Set(['url', 'display_url', 'display', '_depth', '_occupied']);
/** `device_count`, `count_ipaddresses` */
const COUNT = /^count_|_count$/;
/** Members with user-defined names inside. */
const FREE: ReadonlySet<string> = new Set(['custom_fields', 'config_context', 'local_context_data']);

/**
 * The labels of an object: its members, those of others that it refers to by dotted names (`site.slug`, `custom_fields.owner`), tags as
 * their names. What is empty gives none.
 */
export function labelsOf(object: JsonObject, references: References, without: ReadonlySet<string>): Labels {
  const labels: Labels = {};
  for (const key of Object.keys(object)) {
    if (without.has(key) || PRESENTATION.has(key) || COUNT.test(key)) continue;
    const value = object[key];
    if (isJsonObject(value)) {
      if (FREE.has(key)) addFree(labels, key, value, references);
      else addReference(labels, key, value, references);
    } else add(labels, key, value);
  }
  return labels;
}

function add(labels: Labels, key: string, value: JsonValue | undefined): void {
  if (value === undefined || value === null || value === '') return;
  if (!isList(value)) setOwn<JsonValue>(labels, key, value);
  else if (value.length > 0) setOwn<JsonValue>(labels, key, flatList(value));
}

function addReference(labels: Labels, key: string, value: JsonObject, references: References): void {
  if (references === 'name') {
    add(labels, key, nameOf(value));
    return;
  }
  for (const member in value) {
    if (PRESENTATION.has(member) || COUNT.test(member) || member === 'description') continue;
    const inner = value[member];
    if (isJsonObject(inner)) addReference(labels, `${key}.${member}`, inner, references);
    else add(labels, `${key}.${member}`, inner);
  }
}

/** Fields that people made: a value, an object of NetBox, or any document. */
function addFree(labels: Labels, prefix: string, members: JsonObject, references: References): void {
  for (const name in members) {
    const key = `${prefix}.${name}`;
    const value = members[name];
    if (!isJsonObject(value)) add(labels, key, value);
    else if (typeof value.url === 'string' && typeof value.id === 'number')
      addReference(labels, key, value, references);
    else addFree(labels, key, value, references);
  }
}

/** How NetBox writes an object: a choice by its label, an address by itself, a type by its model. */
function nameOf(value: JsonObject): JsonValue | undefined {
  for (const member of ['name', 'label', 'address', 'prefix', 'model', 'display', 'value', 'id']) {
    const name = value[member];
    if (typeof name === 'string' && name !== '') return name;
  }
  return value.id;
}
