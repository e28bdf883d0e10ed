import type { JsonValue } from '../../../ports/index.ts';
import { isJsonObject } from '../../kernel/json/json-object.ts';

const MEMBER = 'no_autodelete';

/**
 * Whether a record says, in its further members as JSON text, that age alone neither archives nor deletes the host. Existing
 * installations say so of hosts that people made. A source that no longer has the host, and people, archive it all the same.
 */
export function isProtected(members: string): boolean {
  if (!members.includes(`"${MEMBER}"`)) return false;
  const value: JsonValue = JSON.parse(members);
  return isJsonObject(value) && Object.hasOwn(value, MEMBER) && value[MEMBER] === true;
}
