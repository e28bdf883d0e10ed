import { createRequire } from 'node:module';
import type { JsonObject, JsonValue } from '../../ports/json.ts';
import { isJsonObject } from '../json/json-object.ts';

/** A longer text is not a list of a few variables. */
const MAX_LENGTH = 64 * 1024;
const MAX_DEPTH = 32;
const QUOTES = 'template text at the beginning of a value must be inside quotes';

/** The part of the parser that is used here. */
interface Yaml {
  parseDocument(
    text: string,
    options: { schema: 'core'; version: '1.2'; merge: false; uniqueKeys: true },
  ): {
    readonly errors: readonly Error[];
    readonly warnings: readonly Error[];
    toJS(options: { maxAliasCount: number; mapAsMap: true }): unknown;
  };
}

/** Rules are compiled without waiting, and hardly any has such a text: so the parser is loaded when one is met. */
let yaml: Yaml | undefined;

/** Reads a YAML mapping: plain values, lists and mappings, without tags of its own and without aliases. */
export function readYamlMapping(text: string): { readonly values: JsonObject } | { readonly problem: string } {
  if (text.length > MAX_LENGTH) return { problem: `must not have more than ${MAX_LENGTH / 1024} KiB of YAML` };
  try {
    yaml ??= createRequire(import.meta.url)('yaml') as Yaml;
    const document = yaml.parseDocument(text, {
      schema: 'core',
      version: '1.2',
      merge: false,
      uniqueKeys: true,
    });
    const [fault] = [...document.errors, ...document.warnings];
    if (fault !== undefined) return { problem: `is not a YAML mapping (${fault.message.split('\n')[0]}); ${QUOTES}` };
    const value = document.toJS({ maxAliasCount: 0, mapAsMap: true });
    if (!(value instanceof Map)) return { problem: 'is not a YAML mapping of names to values' };
    const values = plain(value, MAX_DEPTH);
    return isJsonObject(values) ? { values } : { problem: `is not a mapping of plain values: ${QUOTES}` };
  } catch (error) {
    return { problem: `is not a YAML mapping (${error instanceof Error ? error.message : String(error)})` };
  }
}

/** Returns the value as JSON; `undefined` if JSON cannot express it. */
function plain(value: unknown, depth: number): JsonValue | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'object' || depth === 0) return undefined;
  if (Array.isArray(value)) {
    const items = value.map((item) => plain(item, depth - 1));
    return items.some((item) => item === undefined) ? undefined : (items as JsonValue[]);
  }
  if (!(value instanceof Map)) return undefined;
  const members: [string, JsonValue][] = [];
  for (const [name, item] of value as ReadonlyMap<unknown, unknown>) {
    const read = plain(item, depth - 1);
    // `{{ x }}` without quotes is a mapping in a mapping to YAML.
    if (read === undefined || (typeof name === 'object' && name !== null)) return undefined;
    members.push([String(name), read]);
  }
  return Object.fromEntries(members);
}
