import type { JsonValue } from '../../ports/index.ts';
import { isJsonObject } from './json-object.ts';

/** Returns the JSON text of a value with members in the order of their names, independent of how the value was built. */
export function canonicalJson(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name] ?? null)}`);
  return `{${members.join(',')}}`;
}
