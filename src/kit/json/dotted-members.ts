import type { JsonObject, JsonValue } from '../../ports/json.ts';

type Members = { [name: string]: JsonValue };

/** Names of more parts are left out, so that no name makes an object deeper than values may be. */
const MAX_PARTS = 32;

/**
 * Whether a name is that of a member of the object `name`. Names with a slash are those of tools that put a domain before their labels
 * (`app.kubernetes.io/name`), where dots nest nothing.
 */
export function isMemberOf(key: string, name: string): boolean {
  return key.length > name.length && key[name.length] === '.' && key.startsWith(name) && !key.includes('/');
}

/**
 * Puts together again what sources flatten: of `site.name` and `site.room.floor`, the member `site` is an object with `name` and
 * `room`. A name that is a value and the beginning of other names is the value, however they are ordered. `undefined` when no
 * name is that of a member.
 */
export function dottedMembers(entries: Iterable<readonly [string, JsonValue]>, name: string): JsonObject | undefined {
  let found: Members | undefined;
  // Objects made here may be filled; those that are values belong to others.
  const made = new Set<JsonValue>();
  for (const [key, value] of entries) {
    if (!isMemberOf(key, name)) continue;
    const path = key.slice(name.length + 1).split('.', MAX_PARTS + 1);
    if (path.length > MAX_PARTS) continue;
    found ??= {};
    const last = path.pop() as string;
    const members = membersAt(found, path, made);
    if (members !== undefined) setMember(members, last, value);
  }
  return found;
}

function membersAt(from: Members, path: readonly string[], made: Set<JsonValue>): Members | undefined {
  let members = from;
  for (const part of path) {
    let inner = Object.hasOwn(members, part) ? members[part] : undefined;
    if (inner === undefined) {
      inner = {};
      made.add(inner);
      setMember(members, part, inner);
    }
    if (!made.has(inner)) return undefined;
    members = inner as Members;
  }
  return members;
}

/** A record's field may be called `__proto__`. */
function setMember(members: Members, name: string, value: JsonValue): void {
  Object.defineProperty(members, name, { value, writable: true, enumerable: true, configurable: true });
}
