import { readJson } from './json-reader.ts';
import { membersOf } from './parse-json.ts';

/**
 * Findings of a scanner: whether a text has numbers that a double would change, and how many members all its objects have, if
 * they were counted.
 */
export interface SeenJson {
  readonly inexact: boolean;
  readonly members?: number;
}

const repeated = new WeakMap<object, readonly string[]>();

/** `JSON.parse`, but numbers that a double would change become texts with the same digits, and names that an object has twice are kept. */
export function parseExact(text: string, { inexact, members }: SeenJson): unknown {
  const value: unknown = JSON.parse(text);
  if (!inexact && (members === undefined || membersOf(value) === members)) return value;
  return readJson(text, {
    number: (token) => token,
    ambiguous: (object, paths) => repeated.set(object, paths),
  });
}

/** The paths of members that an object of `parseExact` had twice, the later of which counts. */
export function repeatedMembers(object: object): readonly string[] {
  return repeated.get(object) ?? [];
}
