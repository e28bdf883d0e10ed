import type { JsonObject, JsonValue } from '../../ports/json.ts';
import { isJsonObject } from '../json/json-object.ts';
import { phrase } from '../worded.ts';
import { readYamlMapping } from './yaml-mapping.ts';

/** Variables read from a text of further variables, or the reason why it cannot be read. */
export type ReadVariables = { readonly values: JsonObject } | { readonly problem: string };

const FORMS = phrase`write a JSON object, a YAML mapping, or name=value pairs with white space between them`;
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** A line of YAML says `name:` first; in pairs, `=` follows the name. */
const YAML =
  /^(?:---[ \t]*(?:\r?\n|$)|(?:[ \t]*(?:#[^\n]*)?\r?\n)*[ \t]*(?:[A-Za-z_][A-Za-z0-9_]*|"[^"\n]*"|'[^'\n]*')[ \t]*:(?:[ \t]|\r?\n|$))/;

/**
 * Reads further variables of a playbook: a JSON object, a YAML mapping, or `name=value …` with quotes around what holds white space.
 * Template text counts as one piece. A text that names a file (`@file`) is refused: it would read whatever the service may read.
 */
export function readExtraVariables(text: string): ReadVariables {
  const trimmed = text.trim();
  if (trimmed.startsWith('@')) return { problem: `must not name a file; ${FORMS}` };
  if (trimmed.startsWith('{') && !trimmed.startsWith('{{') && !trimmed.startsWith('{%')) return readJson(trimmed);
  if (YAML.test(trimmed)) {
    const read = readYamlMapping(trimmed);
    return 'problem' in read ? (readTemplatedYaml(trimmed) ?? read) : read;
  }
  return readPairs(trimmed);
}

function readJson(text: string): ReadVariables {
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { problem: `is not a JSON object (${reason}); template text in it must be inside quotes` };
  }
  return isJsonObject(value) ? { values: value } : { problem: FORMS };
}

function readPairs(text: string): ReadVariables {
  const values: [string, string][] = [];
  for (let at = skipSpace(text, 0); at < text.length; at = skipSpace(text, at)) {
    const equals = text.indexOf('=', at);
    const name = equals < 0 ? '' : text.slice(at, equals);
    if (!NAME.test(name)) return { problem: FORMS };
    const piece = readValue(text, equals + 1);
    if (piece === undefined) return { problem: `the value of ${name} has no end; ${FORMS}` };
    values.push([name, piece.value]);
    at = piece.end;
  }
  return { values: Object.fromEntries(values) };
}

/** The value that begins there and ends at white space outside of quotes and template text. */
function readValue(text: string, start: number): { readonly value: string; readonly end: number } | undefined {
  let value = '';
  let at = start;
  while (at < text.length && !/\s/.test(text[at] as string)) {
    const closing = text.startsWith('{{', at) ? '}}' : text.startsWith('{%', at) ? '%}' : undefined;
    if (closing !== undefined) {
      const end = text.indexOf(closing, at + 2);
      if (end < 0) return undefined;
      value += text.slice(at, end + 2);
      at = end + 2;
      continue;
    }
    const quote = text[at];
    if (quote === '"' || quote === "'") {
      const end = text.indexOf(quote, at + 1);
      if (end < 0) return undefined;
      value += text.slice(at + 1, end);
      at = end + 1;
      continue;
    }
    value += text[at];
    at++;
  }
  return { value, end: at };
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && /\s/.test(text[at] as string)) at++;
  return at;
}

const TEMPLATE_TEXT = /\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}/g;

/**
 * A YAML mapping whose values hold template text without quotes, `region: {{ site }}`, which braces make a mapping of mappings: each piece
 * is one word while the text is read, so that it stays what it is, and what it renders to adds nothing. `undefined` for what is no
 * such mapping, and where a name is template text.
 */
function readTemplatedYaml(text: string): { readonly values: JsonObject } | undefined {
  const word = unusedWord(text);
  const pieces: string[] = [];
  const plain = text.replace(TEMPLATE_TEXT, (piece) => `${word}${pieces.push(piece) - 1}x`);
  if (pieces.length === 0) return undefined;
  const read = readYamlMapping(plain);
  if ('problem' in read) return undefined;
  const token = new RegExp(`${word}(\\d+)x`, 'g');
  const values = withPieces(read.values, (value) => value.replace(token, (_, at: string) => pieces[Number(at)] ?? ''));
  return isJsonObject(values) ? { values } : undefined;
}

function unusedWord(text: string): string {
  let word = 'template';
  while (text.includes(word)) word += '_';
  return word;
}

/** `undefined` when the name of a member changes. */
function withPieces(value: JsonValue, put: (text: string) => string): JsonValue | undefined {
  if (typeof value === 'string') return put(value);
  if (Array.isArray(value)) {
    const items = value.map((item) => withPieces(item, put));
    return items.some((item) => item === undefined) ? undefined : (items as JsonValue[]);
  }
  if (!isJsonObject(value)) return value;
  const members: [string, JsonValue][] = [];
  for (const [name, item] of Object.entries(value)) {
    const changed = withPieces(item, put);
    if (changed === undefined || put(name) !== name) return undefined;
    members.push([name, changed]);
  }
  return Object.fromEntries(members);
}
