import { dictKey, mappingEntries } from './compare.ts';
import { Fault } from './fault.ts';
import { parseFloatText, parseInteger } from './number.ts';
import { endOfString } from './segments.ts';
import { TemplateSyntaxError } from './syntax-error.ts';
import { unescapeText } from './tokens.ts';
import { isFloat, isList, isMapping, PyFloat, PySequence, tuple, type Value } from './value.ts';

const MAX_LENGTH = 1024 * 1024;
const MAX_DEPTH = 64;
const MAX_ELEMENTS = 100_000;

class NoLiteral {}

interface Reader {
  readonly text: string;
  position: number;
  elements: number;
}

const WORDS: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['None', null],
  ['True', true],
  ['False', false],
]);

/**
 * Parses the literals that Python's `ast.literal_eval` accepts; nothing is ever executed. `undefined` if the text is not a
 * literal.
 */
export function parsePythonLiteral(text: string): Value | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const reader: Reader = { text: text.trim(), position: 0, elements: 0 };
  try {
    const value = readBareTuple(reader);
    skipSpace(reader);
    return reader.position === reader.text.length ? value : undefined;
  } catch (error) {
    if (error instanceof NoLiteral || error instanceof Fault || error instanceof TemplateSyntaxError) return undefined;
    throw error;
  }
}

export type PlainValue = string | number | boolean | null | PlainValue[] | { [key: string]: PlainValue };

/** A Python literal or JSON as plain JSON values. `undefined` when the text is neither. */
export function parseLiteralOrJson(text: string): PlainValue | undefined {
  const value = parsePythonLiteral(text);
  if (value !== undefined) return toPlain(value);
  if (text.length > MAX_LENGTH) return undefined;
  try {
    const parsed: unknown = JSON.parse(text);
    return isShallow(parsed, 0) ? (parsed as PlainValue) : undefined;
  } catch {
    return undefined;
  }
}

function isShallow(value: unknown, depth: number): boolean {
  if (depth > MAX_DEPTH) return false;
  if (typeof value !== 'object' || value === null) return true;
  return Object.values(value).every((item) => isShallow(item, depth + 1));
}

/** Tuples and sets become lists, keys become text. */
function toPlain(value: Value): PlainValue {
  if (value instanceof PyFloat) return Number.isFinite(value.value) ? value.value : null;
  if (value instanceof PySequence) return value.items.map(toPlain);
  if (isList(value)) return value.map(toPlain);
  if (isMapping(value)) {
    return Object.fromEntries(mappingEntries(value).map(([key, item]) => [plainKey(key), toPlain(item)]));
  }
  if (typeof value === 'bigint') return Number(value);
  return value as PlainValue;
}

function plainKey(key: Value): string {
  if (key === null) return 'None';
  return isFloat(key) ? String(key instanceof PyFloat ? key.value : key) : String(key);
}

function skipSpace(reader: Reader): void {
  for (;;) {
    const code = reader.text.charCodeAt(reader.position);
    if (code !== 32 && code !== 9 && code !== 10 && code !== 13 && code !== 12) return;
    reader.position++;
  }
}

function peek(reader: Reader): string {
  skipSpace(reader);
  return reader.text[reader.position] ?? '';
}

function take(reader: Reader, character: string): boolean {
  if (peek(reader) !== character) return false;
  reader.position++;
  return true;
}

function need(reader: Reader, character: string): void {
  if (!take(reader, character)) throw new NoLiteral();
}

/** `1, 2` without parentheses is a tuple too. */
function readBareTuple(reader: Reader): Value {
  const first = readValue(reader, 0);
  if (peek(reader) !== ',') return first;
  const items = [first];
  while (take(reader, ',')) {
    if (peek(reader) === '') break;
    items.push(readValue(reader, 0));
  }
  return tuple(items);
}

function readValue(reader: Reader, depth: number): Value {
  if (depth > MAX_DEPTH || ++reader.elements > MAX_ELEMENTS) throw new NoLiteral();
  const next = peek(reader);
  if (next === '[') return readItems(reader, '[', ']', depth).items;
  if (next === '(') {
    const { items, hasComma } = readItems(reader, '(', ')', depth);
    return items.length === 1 && !hasComma ? (items[0] ?? null) : tuple(items);
  }
  if (next === '{') return readBraces(reader, depth);
  if (next === '"' || next === "'" || /^[rRuU]["']/.test(reader.text.slice(reader.position, reader.position + 2))) {
    return readStrings(reader);
  }
  return readScalar(reader);
}

function readItems(reader: Reader, open: string, close: string, depth: number): { items: Value[]; hasComma: boolean } {
  need(reader, open);
  const items: Value[] = [];
  let hasComma = items.length === 0 && peek(reader) === close;
  while (!take(reader, close)) {
    items.push(readValue(reader, depth + 1));
    if (take(reader, ',')) hasComma = true;
    else if (peek(reader) !== close) throw new NoLiteral();
  }
  return { items, hasComma };
}

function readBraces(reader: Reader, depth: number): Value {
  need(reader, '{');
  const entries = new Map<Value, Value>();
  const items: Value[] = [];
  while (!take(reader, '}')) {
    const key = readValue(reader, depth + 1);
    if (take(reader, ':')) entries.set(dictKey(key), readValue(reader, depth + 1));
    else items.push(key);
    if (!take(reader, ',') && peek(reader) !== '}') throw new NoLiteral();
    if (items.length > 0 && entries.size > 0) throw new NoLiteral();
  }
  return items.length > 0 ? new PySequence('set', items) : entries;
}

function readStrings(reader: Reader): string {
  let result = '';
  for (;;) {
    skipSpace(reader);
    const match = /^[rRuU]?(?="|')/.exec(reader.text.slice(reader.position, reader.position + 2));
    if (!match) return result;
    const start = reader.position + match[0].length;
    const mark = reader.text.charAt(start);
    const body = reader.text.startsWith(mark.repeat(3), start)
      ? readTriple(reader, start, mark.repeat(3))
      : readSingle(reader, start);
    result += /^r/i.test(match[0]) ? body : unescapeText(body);
  }
}

function readSingle(reader: Reader, start: number): string {
  const end = endOfString(reader.text, start, 1);
  const body = reader.text.slice(start + 1, end);
  // A backslash at its end lets a text go on in the next line.
  if (/(?<!\\)(?:\\\\)*\n/.test(body)) throw new NoLiteral();
  reader.position = end + 1;
  return body;
}

/** A backslash keeps the mark behind it from closing. */
function readTriple(reader: Reader, start: number, mark: string): string {
  for (let at = start + 3; at < reader.text.length; at++) {
    if (reader.text[at] === '\\') at++;
    else if (reader.text.startsWith(mark, at)) {
      reader.position = at + 3;
      return reader.text.slice(start + 3, at);
    }
  }
  throw new NoLiteral();
}

function readScalar(reader: Reader): Value {
  const pattern = /[-+ ]*[\p{L}\p{N}_.]+(?:(?<=[\d.][eE])[-+]\d+)?/uy;
  pattern.lastIndex = reader.position;
  const match = pattern.exec(reader.text);
  if (!match) throw new NoLiteral();
  reader.position += match[0].length;
  const text = match[0].replaceAll(' ', '');
  const word = WORDS.get(text);
  if (word !== undefined) return word;
  const [sign = ''] = /^[-+]*/.exec(text) ?? [];
  return readNumber(sign.replaceAll('+', '').length % 2 === 1 ? '-' : '', text.slice(sign.length));
}

function readNumber(sign: string, digits: string): Value {
  const prefix = /^0([xob])/i.exec(digits)?.[1]?.toLowerCase();
  const base = prefix === 'x' ? 16 : prefix === 'o' ? 8 : prefix === 'b' ? 2 : 10;
  if (base === 10 && /^0[0-9_]*[1-9]/.test(digits) && !/[.eE]/.test(digits)) throw new NoLiteral();
  const whole = /^\d/.test(digits) ? parseInteger(sign + digits, base) : undefined;
  if (whole !== undefined) return whole;
  const number = /^[\d.]/.test(digits) ? parseFloatText(sign + digits) : undefined;
  if (number === undefined) throw new NoLiteral();
  return Number.isInteger(number) || !Number.isFinite(number) ? new PyFloat(number) : number;
}
