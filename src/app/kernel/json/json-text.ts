/**
 * JSON objects as texts that are taken apart and put together by member. Parsing and writing again would move keys that
 * look like integers to the front and cost the parsing of values that nobody looks at.
 */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** The members of a JSON object: key to the text of its value, in order. A repeated key keeps its last value. */
export function jsonMembers(text: string): Map<string, string> {
  const members = new Map<string, string>();
  let at = skipSpace(text, 0);
  if (text[at] !== '{') throw new SyntaxError('not a JSON object');
  at = skipSpace(text, at + 1);
  if (text[at] === '}') return members;
  for (;;) {
    const keyEnd = endOfString(text, at);
    const key = JSON.parse(text.slice(at, keyEnd)) as string;
    at = skipSpace(text, keyEnd);
    if (text[at] !== ':') throw new SyntaxError(`missing colon at ${at}`);
    const start = skipSpace(text, at + 1);
    const end = endOfValue(text, start);
    members.set(key, text.slice(start, end));
    at = skipSpace(text, end);
    if (text[at] === '}') return members;
    if (text[at] !== ',') throw new SyntaxError(`missing comma at ${at}`);
    at = skipSpace(text, at + 1);
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

function skipSpace(text: string, from: number): number {
  let at = from;
  for (;;) {
    const unit = text.charCodeAt(at);
    if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return at;
    at++;
  }
}

/** Index behind the closing quote of the string that opens at `from`. */
function endOfString(text: string, from: number): number {
  if (text.charCodeAt(from) !== QUOTE) throw new SyntaxError(`missing string at ${from}`);
  let at = from + 1;
  for (;;) {
    at = text.indexOf('"', at);
    if (at < 0) throw new SyntaxError('string does not end');
    let escapes = 0;
    while (text.charCodeAt(at - 1 - escapes) === BACKSLASH) escapes++;
    at++;
    if (escapes % 2 === 0) return at;
  }
}

function endOfValue(text: string, from: number): number {
  let depth = 0;
  let at = from;
  for (;;) {
    const unit = text.charCodeAt(at);
    if (Number.isNaN(unit)) throw new SyntaxError('value does not end');
    if (unit === QUOTE) {
      at = endOfString(text, at);
      if (depth === 0) return at;
      continue;
    }
    if (unit === 0x7b || unit === 0x5b) {
      depth++;
    } else if (unit === 0x7d || unit === 0x5d) {
      if (depth === 0) return at;
      if (--depth === 0) return at + 1;
    } else if (depth === 0 && (unit === 0x2c || unit <= 0x20)) {
      return at;
    }
    at++;
  }
}
