import { isJsonObject } from '../../../kit/json/json-object.ts';
import type { JsonObject, JsonValue } from '../../../ports/json.ts';

export type AttributeLookup = (attributes: ReadonlyMap<string, JsonValue>) => JsonValue | undefined;

/** More parts than any path has; keeps the search through dotted keys short. */
const MAX_PARTS = 16;

/** `custom_fields["owner"]`, as conditions may name a member of an attribute. */
const IN_BRACKETS = /^([^[\]]+)((?:\["[^"]*"\]|\['[^']*'\])+)$/;

/** Whether a name is more than the attribute of that very name. */
export function isPath(name: string): boolean {
  return name.includes('.') || IN_BRACKETS.test(name);
}

/**
 * Reads the attribute of a name. Where there is none, a name with members in brackets is read as one with dots, and a dotted name is
 * a path into an inventory object; keys on the way may hold dots themselves, the shortest are tried first.
 */
export function attributeLookup(name: string): AttributeLookup {
  const dotted = dottedName(name);
  const path = dottedLookup(dotted);
  return dotted === name ? path : (attributes) => attributes.get(name) ?? path(attributes);
}

/** `custom_fields.owner` for `custom_fields["owner"]`; every other name as it is. */
export function dottedName(name: string): string {
  const [, owner = '', members = ''] = IN_BRACKETS.exec(name) ?? [];
  return members === '' ? name : [owner, ...members.slice(2, -2).split(/["']\]\[["']/)].join('.');
}

function dottedLookup(name: string): AttributeLookup {
  const dots = dotPositions(name);
  if (dots.length === 0 || dots.length >= MAX_PARTS) return (attributes) => attributes.get(name);
  return (attributes) => {
    const value = attributes.get(name);
    return value === undefined ? reach(attributes, name, dots) : value;
  };
}

function dotPositions(name: string): readonly number[] {
  const positions: number[] = [];
  for (let at = name.indexOf('.'); at >= 0; at = name.indexOf('.', at + 1)) positions.push(at);
  return positions;
}

function reach(
  attributes: ReadonlyMap<string, JsonValue>,
  name: string,
  dots: readonly number[],
): JsonValue | undefined {
  for (const dot of dots) {
    const value = attributes.get(name.slice(0, dot));
    if (!isJsonObject(value)) continue;
    const found = reachInto(value, name.slice(dot + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}

function reachInto(object: JsonObject, path: string): JsonValue | undefined {
  if (Object.hasOwn(object, path)) return object[path];
  for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
    const key = path.slice(0, dot);
    const value = Object.hasOwn(object, key) ? object[key] : undefined;
    if (!isJsonObject(value)) continue;
    const found = reachInto(value, path.slice(dot + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}
