import type { JsonObject, JsonValue } from '../../ports/index.ts';
import { isJsonObject } from '../json/json-object.ts';

/** The member that Ansible wraps an encrypted value in within JSON; in YAML it is the tag `!vault`. */
export const VAULT_MARK = '__ansible_vault';
/** The beginning of every text that Ansible Vault encrypted. Nested data may be embedded in JSON text. */
const HEADER = '$ANSIBLE_VAULT;';
const MARK_IN_JSON = `"${VAULT_MARK}"`;

/**
 * Whether a text was encrypted by a vault, or contains one that was. Everything that reads records must check this: such text is
 * never imported.
 */
export function isVaultedText(text: string): boolean {
  return text.length >= HEADER.length && (text.includes(HEADER) || text.includes(MARK_IN_JSON));
}

/** Whether a vault encrypted the value as a whole. */
export function isVaulted(value: JsonValue): boolean {
  if (typeof value === 'string') return isVaultedText(value);
  return isJsonObject(value) && Object.hasOwn(value, VAULT_MARK);
}

/** Returns the members without vault-encrypted ones, flat labels and nested data alike; the same object if there are none. */
export function withoutVaulted(members: JsonObject): JsonObject {
  return holdsVaulted(members) ? kept(members) : members;
}

function holdsVaulted(value: JsonValue): boolean {
  if (typeof value === 'string') return isVaultedText(value);
  if (Array.isArray(value)) return value.some(holdsVaulted);
  if (!isJsonObject(value)) return false;
  for (const name in value) {
    const member = value[name];
    if (typeof member === 'string' && member.length < HEADER.length) {
      if (isMark(name)) return true;
    } else if (isMark(name) || (member !== undefined && holdsVaulted(member))) return true;
  }
  return false;
}

function kept(members: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) => {
      const plain = value === undefined || isMark(name) ? undefined : plainValue(value);
      return plain === undefined ? [] : [[name, plain]];
    }),
  );
}

/** Elements keep their places in a list. */
function plainValue(value: JsonValue): JsonValue | undefined {
  if (isVaulted(value)) return undefined;
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map((item) => plainValue(item) ?? null);
  return isJsonObject(value) ? kept(value) : value;
}

function isMark(name: string): boolean {
  return (
    name.length >= VAULT_MARK.length &&
    name.endsWith(VAULT_MARK) &&
    (name.length === VAULT_MARK.length || name.at(-VAULT_MARK.length - 1) === '.')
  );
}
