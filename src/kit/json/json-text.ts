import { JsonTokens, MARK } from './json-tokens.ts';

/**
 * JSON objects as texts that are split and joined by member. Parsing and rewriting would move integer-like keys to the front and
 * cost the parsing of values that are not needed.
 */

/** The members of a JSON object: key to the text of its value, in order. A repeated key keeps its last value. */
export function jsonMembers(text: string): Map<string, string> {
  const members = new Map<string, string>();
  const tokens = new JsonTokens(text);
  if (tokens.next() !== MARK.openObject) throw new SyntaxError('not a JSON object');
  let mark = tokens.next();
  if (mark === MARK.closeObject) return members;
  for (;;) {
    if (mark !== MARK.text) throw new SyntaxError(`missing string at ${tokens.start}`);
    const key = tokens.meaning;
    if (tokens.next() !== MARK.colon) throw new SyntaxError(`missing colon at ${tokens.start}`);
    mark = tokens.next();
    const isContainer = mark === MARK.openObject || mark === MARK.openList;
    if (isContainer ? !tokens.passContainer() : mark === MARK.none) throw new SyntaxError('value does not end');
    members.set(key, tokens.token);
    mark = tokens.next();
    if (mark === MARK.closeObject) return members;
    if (mark !== MARK.comma) throw new SyntaxError(`missing comma at ${tokens.start}`);
    mark = tokens.next();
  }
}

export function jsonOfMembers(members: Iterable<readonly [string, string]>): string {
  const parts: string[] = [];
  for (const [key, value] of members) parts.push(`${JSON.stringify(key)}:${value}`);
  return `{${parts.join(',')}}`;
}

/** Equal as JSON values, whatever the order of members. Lists have an order; text and number differ. */
export function sameJson(left: string, right: string): boolean {
  return left === right || sameValue(JSON.parse(left), JSON.parse(right));
}

/** As `sameJson`, for values. */
export function sameValue(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left) || Array.isArray(right)) {
    if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false;
    return left.every((item, index) => sameValue(item, right[index]));
  }
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every(
    (key) =>
      Object.hasOwn(right, key) &&
      sameValue((left as Record<string, unknown>)[key], (right as Record<string, unknown>)[key]),
  );
}
