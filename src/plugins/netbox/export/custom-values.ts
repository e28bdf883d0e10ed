import { isJsonObject } from '../../../kit/json/json-object.ts';
import type { JsonObject, JsonValue } from '../../../ports/index.ts';

/**
 * Rules write custom fields as text, and NetBox has them typed. Both are compared as text: truth values in small letters, what a field
 * refers to by its id, several values with commas between.
 */
export function customText(value: JsonValue | undefined): string | null {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value === 'string') return /^(?:true|false)$/i.test(value) ? value.toLowerCase() : value;
  if (Array.isArray(value))
    return (value as readonly JsonValue[])
      .map((item) => customText(item) ?? '')
      .sort()
      .join(',');
  if (!isJsonObject(value)) return String(value);
  const id = value.id ?? value.value;
  return id === undefined || isJsonObject(id) ? JSON.stringify(value) : customText(id);
}

/** The value of a custom field of that type, as NetBox takes it. */
export function customValue(text: JsonValue, type: string | undefined): JsonValue {
  if (typeof text !== 'string') return text;
  switch (type) {
    case 'integer':
    case 'decimal':
    case 'object':
      return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text;
    case 'multiselect':
      return text.split(',');
    case 'multiobject':
      return text.split(',').map((id) => (/^\d+$/.test(id) ? Number(id) : id));
    case 'json':
      return parsed(text);
    default:
      return text;
  }
}

const NONE: JsonObject = Object.freeze({});

/** The custom fields of an object of NetBox, as they are compared. */
export function customTexts(fields: JsonValue | undefined): JsonObject {
  if (!isJsonObject(fields) || Object.keys(fields).length === 0) return NONE;
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, customText(value)]));
}

function parsed(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}
