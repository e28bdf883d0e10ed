import type { JsonObject, JsonValue } from '../../ports/json.ts';
import { isJsonObject } from '../json/json-object.ts';
import { readYamlMapping } from './yaml-mapping.ts';

const TEMPLATE_TEXT = /\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}/g;

/**
 * A YAML mapping whose values hold template text without quotes, `region: {{ site }}`, which braces make a mapping of mappings: each piece
 * is one word while the text is read, so that it stays what it is, and what it renders to adds nothing. `undefined` for what is no
 * such mapping, and where a name is template text.
 */
export function readTemplatedYaml(text: string): { readonly values: JsonObject } | undefined {
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
