import type { JsonObject, JsonValue } from '../../../../ports/index.ts';

export interface Difference {
  readonly path: string;
  readonly before?: JsonValue;
  readonly after?: JsonValue;
}

/** The members that differ, in the order of the newer document. */
export function differences(before: JsonObject, after: JsonObject): readonly Difference[] {
  return [...new Set([...Object.keys(after), ...Object.keys(before)])]
    .filter((name) => !isSame(before[name], after[name]))
    .map((name) => ({
      path: name,
      ...(before[name] !== undefined && { before: before[name] }),
      ...(after[name] !== undefined && { after: after[name] }),
    }));
}

export interface Merged {
  /** Their version with the changes made here on top. */
  readonly document: JsonObject;
  /** Members that both changed, and not to the same: `name`, or `outcomes.0` for an element of a list. */
  readonly both: readonly string[];
}

/**
 * Merges two users' versions of one document, member by member, and lists element by element if both kept their length. In a list
 * that grew or shrank elements cannot be matched by position, so it is merged as a whole.
 */
export function merged(base: JsonObject, theirs: JsonObject, mine: JsonObject): Merged {
  const both: string[] = [];
  const names = new Set([...Object.keys(theirs), ...Object.keys(mine)]);
  const document = Object.fromEntries(
    [...names].flatMap((name): [string, JsonValue][] => {
      const value = mergedMember(name, [base[name], theirs[name], mine[name]], both);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  return { document, both };
}

type Versions = readonly [base: JsonValue | undefined, theirs: JsonValue | undefined, mine: JsonValue | undefined];

/** Adds members that both changed to `both`. */
function mergedMember(path: string, [base, theirs, mine]: Versions, both: string[]): JsonValue | undefined {
  if (isSame(base, mine)) return theirs;
  if (isSame(base, theirs) || isSame(theirs, mine)) return mine;
  if (Array.isArray(base) && isAsLong(theirs, base) && isAsLong(mine, base)) {
    return mine.map((element, place) => {
      const value = mergedMember(`${path}.${place}`, [base[place], theirs[place], element], both);
      return value === undefined ? element : value;
    });
  }
  both.push(path);
  return mine;
}

function isAsLong(value: JsonValue | undefined, list: readonly JsonValue[]): value is JsonValue[] {
  return Array.isArray(value) && value.length === list.length;
}

function isSame(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
