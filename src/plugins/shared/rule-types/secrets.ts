import type { JsonObject } from '../../../ports/json.ts';
import { ownMember, scalarText } from '../../../ports/rule-members.ts';

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
