import { isJsonObject } from '../../kit/json/json-object.ts';
import { namesOfPath } from '../../kit/json/member-path.ts';
import type { JsonValue } from '../../ports/index.ts';

/** The member at a dotted path; numbers step into lists. `undefined` when there is none. */
export function memberAt(value: JsonValue, path: string): JsonValue | undefined {
  let found: JsonValue | undefined = value;
  for (const name of path === '' ? [] : namesOfPath(path)) {
    if (Array.isArray(found))
      found = /^\d{1,9}$/.test(name) ? (found[Number(name)] as JsonValue | undefined) : undefined;
    else if (isJsonObject(found)) found = Object.hasOwn(found, name) ? found[name] : undefined;
    else return undefined;
  }
  return found;
}

/** A copy of a document with another value at a dotted path; objects that are not there are made. */
export function withMember(document: JsonValue | undefined, path: string, value: JsonValue): JsonValue {
  return withMemberAt(document, namesOfPath(path), value);
}

function withMemberAt(
  document: JsonValue | undefined,
  [name, ...rest]: readonly string[],
  value: JsonValue,
): JsonValue {
  if (name === undefined) return value;
  const members = isJsonObject(document) ? document : {};
  const inner = Object.hasOwn(members, name) ? members[name] : undefined;
  return Object.fromEntries([...Object.entries(members), [name, withMemberAt(inner, rest, value)]]);
}
