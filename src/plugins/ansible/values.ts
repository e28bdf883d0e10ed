import { isJsonObject } from '../../kit/json/json-object.ts';
import { isVaulted } from '../../kit/records/vaulted.ts';
import type { JsonObject, JsonValue } from '../../ports/index.ts';

const UNSAFE = '__ansible_unsafe';
/** What the consumer of an inventory would evaluate. */
const TEMPLATE_TEXT = /\{[{%#]/;

/**
 * Variables as they may be stored: what a vault encrypts is left out, and texts that Ansible marks as data are those texts. With
 * `keepsMarks` the mark stays on texts that a consumer would evaluate without it.
 */
export function plainVariables(variables: JsonObject, keepsMarks: boolean): JsonObject {
  return members(variables, keepsMarks);
}

function members(object: JsonObject, keepsMarks: boolean): JsonObject {
  return Object.fromEntries(
    Object.entries(object).flatMap(([name, value]) => {
      const plain = value === undefined ? undefined : plainValue(value, keepsMarks);
      return plain === undefined ? [] : [[name, plain] as const];
    }),
  );
}

/** `undefined` for what a vault encrypts. */
function plainValue(value: JsonValue, keepsMarks: boolean): JsonValue | undefined {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map((item) => plainValue(item, keepsMarks) ?? null);
  if (isVaulted(value)) return undefined;
  if (!isJsonObject(value)) return value;
  const text = Object.hasOwn(value, UNSAFE) ? value[UNSAFE] : undefined;
  if (text === undefined) return members(value, keepsMarks);
  if (isVaulted(text)) return undefined;
  return keepsMarks && typeof text === 'string' && TEMPLATE_TEXT.test(text)
    ? { [UNSAFE]: text }
    : plainValue(text, keepsMarks);
}
