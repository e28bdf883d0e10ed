import type { JsonObject, JsonValue } from '../../ports/json.ts';
import { isJsonObject } from '../json/json-object.ts';
import { memberText } from './members.ts';

const SECRET_MEMBER = /passw|passphrase|pwd|secret|token|credential|api_?key|private_?key|_crypted$/i;

/** Whether the value of a member of this name is a secret, for use if only the name is known. */
export function isLikelySecret(name: string): boolean {
  return SECRET_MEMBER.test(name);
}

/** Whether a value can be a secret: flags and empty values cannot. */
export function isSecretValue(value: JsonValue): value is string | number {
  return (typeof value === 'string' && value !== '') || typeof value === 'number';
}

/**
 * The names on the way to each value that is a secret going by them; elements of lists have none. Of an option, an object with
 * `name` and `value`, the name is that of the value.
 */
export function likelySecrets(document: JsonObject): readonly (readonly string[])[] {
  const found = new Map<string, readonly string[]>();
  collect(document, [], false, found);
  return [...found.values()];
}

function collect(
  value: JsonValue,
  path: readonly string[],
  isSecret: boolean,
  found: Map<string, readonly string[]>,
): void {
  if (Array.isArray(value)) {
    for (const item of value) collect(item, path, isSecret, found);
  } else if (isJsonObject(value)) {
    const isSecretOption = isLikelySecret(memberText(value, 'name'));
    for (const [name, member] of Object.entries(value)) {
      const inner = isSecret || isLikelySecret(name) || (isSecretOption && name === 'value');
      collect(member, [...path, name], inner, found);
    }
  } else if (isSecret && isSecretValue(value)) found.set(JSON.stringify(path), path);
}
