import { setOwn } from '../../kit/file-source/own-property.ts';
import type { JsonValue } from '../../ports/index.ts';

/**
 * What YAML knows and JSON does not: whole numbers beyond the exact ones become texts of the same digits, what is no number
 * its word, bytes Base64, and sets and ordered maps are lists and objects.
 */
export function plainValue(value: unknown): JsonValue {
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : String(value);
  }
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value !== 'object' || value === null) return null;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (value instanceof Set || Array.isArray(value)) return Array.from(value, plainValue);
  const members: Record<string, JsonValue> = {};
  const entries = value instanceof Map ? value.entries() : Object.entries(value);
  for (const [key, member] of entries) setOwn(members, String(key), plainValue(member));
  return members;
}
