import { ownMember, scalarText } from '../../../kit/document/members.ts';
import type { JsonObject, JsonValue } from '../../../ports/json.ts';
import type { RulePreparation } from '../../../ports/rule-type.ts';

/**
 * The object with a clear member encrypted into another one and dropped; the same object when there is none. An empty
 * clear member is dropped too, and leaves what is encrypted already.
 */
export async function sealMember(
  object: JsonObject,
  clear: string,
  sealed: string,
  seal: (plain: string) => Promise<string>,
): Promise<JsonObject> {
  const value = ownMember(object, clear);
  if (value === undefined) return object;
  const text = value === null ? '' : (scalarText(value) ?? '');
  const rest = Object.entries(object).filter(([name]) => name !== clear && (text === '' || name !== sealed));
  return Object.fromEntries(text === '' ? rest : [...rest, [sealed, await seal(text)]]);
}

/** The member that holds the encrypted form of this one. */
export function sealedName(member: string): string {
  return `${member}_crypted`;
}

/** Whether the value is a secret itself: it is set, and is not an account macro that refers to one. */
export function isClearSecret(value: JsonValue | undefined): boolean {
  const text = value === null ? '' : (scalarText(value) ?? '');
  return text !== '' && !/\{\{-?\s*ACCOUNT:/.test(text);
}

/**
 * The document with each of these members that holds a secret in clear as `<member>_crypted` in the same place; the same object
 * when there is none. A new secret takes the place of an older one that is encrypted already.
 */
export async function sealClearMembers(
  document: JsonObject,
  members: readonly string[],
  seal: RulePreparation['seal'],
): Promise<JsonObject> {
  const clear = new Set(members.filter((member) => isClearSecret(ownMember(document, member))));
  if (clear.size === 0) return document;
  const replaced = new Set([...clear].map(sealedName));
  const entries: [string, JsonValue][] = [];
  for (const [name, value] of Object.entries(document)) {
    if (replaced.has(name)) continue;
    if (clear.has(name)) entries.push([sealedName(name), await seal(scalarText(value) ?? '', sealedName(name))]);
    else entries.push([name, value]);
  }
  return Object.fromEntries(entries);
}
