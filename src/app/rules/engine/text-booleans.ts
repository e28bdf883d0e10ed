import type { JsonObject, JsonValue } from '../../../ports/json.ts';

/**
 * Inventories serve the texts `true` and `false` as booleans, in whatever case: to Ansible `when: monitored` with a text is true
 * for `false` too, or an error, depending on its version.
 */
export function withBooleans(value: JsonValue): JsonValue {
  if (typeof value === 'string') return booleanOf(value) ?? value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: JsonValue) => withBooleans(item));
  return Object.fromEntries(Object.entries(value as JsonObject).map(([name, item]) => [name, withBooleans(item)]));
}

/** `undefined` for every other text. */
export function booleanOf(text: string): boolean | undefined {
  if (text.length !== 4 && text.length !== 5) return undefined;
  const lower = text.toLowerCase();
  if (lower === 'true') return true;
  return lower === 'false' ? false : undefined;
}
