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

const LETTER_F = 0x66;
const LETTER_T = 0x74;
/** The bit in which a small letter differs from its capital. */
const TO_LOWER_CASE = 0x20;

/** `undefined` for every other text. */
export function booleanOf(text: string): boolean | undefined {
  // Most texts differ in their length or first letter, which costs less than a text in lower case.
  const isLong = text.length === 5;
  if (!isLong && text.length !== 4) return undefined;
  const first = isLong ? LETTER_F : LETTER_T;
  if ((text.charCodeAt(0) | TO_LOWER_CASE) !== first) return undefined;
  if (text.toLowerCase() !== (isLong ? 'false' : 'true')) return undefined;
  return !isLong;
}
