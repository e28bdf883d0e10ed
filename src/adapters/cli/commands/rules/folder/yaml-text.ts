import { isDeepStrictEqual } from 'node:util';
import { type Document, isMap, isNode, isScalar, isSeq, LineCounter, parseAllDocuments, stringify } from 'yaml';
import type { JsonValue } from '../../../../../ports/json.ts';

/** A document of a file, with the lines of its parts. */
export interface TextDocument {
  readonly value: JsonValue;
  /** Returns the line of the member at this path, or of the nearest one. */
  lineOf(path: readonly string[]): number;
}

/** A text that is neither YAML nor JSON. */
export class TextFault extends Error {
  override readonly name = 'TextFault';
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/** The documents of a YAML 1.2 file; JSON is YAML too. Empty ones are left out. */
export function textDocuments(text: string): readonly TextDocument[] {
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, { prettyErrors: false, lineCounter: lines, logLevel: 'silent' });
  return [...documents].flatMap((document): TextDocument[] => {
    const [error] = document.errors;
    if (error !== undefined) throw new TextFault(lines.linePos(error.pos[0]).line, reasonOf(error.message));
    if (document.contents === null || (isScalar(document.contents) && document.contents.value === null)) return [];
    return [{ value: jsonOf(document), lineOf: (path) => lines.linePos(offsetOf(document, path)).line }];
  });
}

/** Returns YAML; JSON if YAML could not express the same. */
export function documentText(value: JsonValue): { readonly text: string; readonly extension: 'yaml' | 'json' } {
  const text = stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
  return isReadAs(text, value)
    ? { text, extension: 'yaml' }
    : { text: `${JSON.stringify(value, null, 2)}\n`, extension: 'json' };
}

function isReadAs(text: string, value: JsonValue): boolean {
  try {
    const [read, ...more] = textDocuments(Buffer.from(text).toString('utf8'));
    return more.length === 0 && isDeepStrictEqual(read?.value, value);
  } catch {
    return false;
  }
}

/** Uses maps, because an object cannot hold every name. */
function jsonOf(document: Document.Parsed): JsonValue {
  const value: unknown = document.toJS({ maxAliasCount: 1_000, mapAsMap: true });
  return plain(value);
}

function plain(value: unknown): JsonValue {
  if (value instanceof Map) {
    return Object.fromEntries([...value].map(([name, member]) => [String(name), plain(member)]));
  }
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  return value instanceof Date ? value.toISOString() : (value as JsonValue);
}

function offsetOf(document: Document.Parsed, path: readonly string[]): number {
  let node: unknown = document.contents;
  let offset = isNode(node) ? (node.range?.[0] ?? 0) : 0;
  for (const name of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === name);
      if (pair === undefined) break;
      if (isNode(pair.key)) offset = pair.key.range?.[0] ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(name)];
      if (!isNode(node)) break;
      offset = node.range?.[0] ?? offset;
    } else break;
  }
  return offset;
}

function reasonOf(message: string): string {
  return (message.split('\n', 1)[0] ?? message).replace(/ at line \d+, column \d+:?$/, '');
}
