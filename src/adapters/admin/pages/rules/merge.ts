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
  /** Theirs, with what was changed here on top. */
  readonly document: JsonObject;
  /** Members that both changed, and not to the same. */
  readonly both: readonly string[];
}

/** What two people made of one document, put together member by member. */
export function merged(base: JsonObject, theirs: JsonObject, mine: JsonObject): Merged {
  const changed = differences(base, mine).map(({ path }) => path);
  const both = changed.filter((name) => !isSame(base[name], theirs[name]) && !isSame(theirs[name], mine[name]));
  const names = new Set([...Object.keys(theirs), ...changed]);
  const document = Object.fromEntries(
    [...names].flatMap((name): [string, JsonValue][] => {
      const value = changed.includes(name) ? mine[name] : theirs[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
  return { document, both };
}

function isSame(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
