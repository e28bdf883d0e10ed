import type { JsonObject, JsonValue } from '../../ports/index.ts';
import { isJsonObject } from '../json/json-object.ts';

/** What Ansible puts around an encrypted value in JSON; in YAML it is the tag `!vault`. */
export const VAULT_MARK = '__ansible_vault';
/** What every text begins with that Ansible Vault encrypted. Nested data may have become JSON text around it. */
const HEADER = '$ANSIBLE_VAULT;';
const MARK_IN_JSON = `"${VAULT_MARK}"`;

/** Whether a text is one that a vault encrypted, or holds one. Whoever reads records asks here: none of it is ever imported. */
export function isVaultedText(text: string): boolean {
  return text.length >= HEADER.length && (text.includes(HEADER) || text.includes(MARK_IN_JSON));
}

/** Whether a vault encrypted the value as a whole. */
export function isVaulted(value: JsonValue): boolean {
  if (typeof value === 'string') return isVaultedText(value);
  return isJsonObject(value) && Object.hasOwn(value, VAULT_MARK);
}

/** The members without those that a vault encrypted, flat labels and nested data alike; the same object where there are none. */
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
