import type { JsonValue } from '../../ports/index.ts';
import { isJsonObject } from '../json/json-object.ts';

/** A member of a record's further members, which are JSON text. Most records lack it, and then nothing is parsed. */
export function furtherMember(members: string, name: string): JsonValue | undefined {
  if (!members.includes(`"${name}"`)) return undefined;
  const value: JsonValue = JSON.parse(members);
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
