import { setOwn } from '../../../kit/file-source/own-property.ts';
import type { RequestValues } from '../../../kit/http-account/request-template.ts';
import { isJsonObject } from '../../../kit/json/json-object.ts';
import { compileHostnameTemplate } from '../../../kit/options/hostname-template.ts';
import { isList, valuesAt } from '../../../kit/records/record-path.ts';
import type { JsonValue } from '../../../ports/index.ts';

/** Renders a template; the result is `undefined` if the template is a name without a value. */
export type ValueTemplate = (values: RequestValues) => JsonValue | undefined;

/** One name or path and nothing else: its value keeps what it is, a number, a list or an object. */
const LONE_PATH = /^\{\{-?\s*([A-Za-z_]\w*(?:\.[\w-]+)*)\s*-?\}\}$/;
/** A list of such, or of texts in quotes: it stays a list. */
const LONE_LIST =
  /^\{\{-?\s*\[((?:\s*(?:[A-Za-z_]\w*(?:\.[\w-]+)*|'[^'\\]*'|"[^"\\]*")\s*(?:,(?=[^\]])|(?=\])))*)\]\s*-?\}\}$/;
/** The member whose value is an object that is laid over the others, or a list of such. */
const SPREAD = '...';

/**
 * Compiles a document whose texts are templates each. Values get into it as values, whatever characters they have. A member
 * whose template is the name of something that is not there is left out.
 */
export function compileValue(place: string, source: JsonValue): ValueTemplate {
  if (typeof source === 'string') return compileTextValue(place, source);
  if (Array.isArray(source)) {
    const items = source.map((item: JsonValue, index) => compileValue(`${place}[${index}]`, item));
    return (values) => items.flatMap((item) => item(values) ?? []);
  }
  if (!isJsonObject(source)) return () => source;
  const members = Object.entries(source).map(
    ([name, member]) => [name, compileValue(`${place}.${name}`, member ?? null)] as const,
  );
  return (values) => {
    const made: Record<string, JsonValue> = {};
    for (const [name, member] of members) {
      const value = member(values);
      if (value === undefined) continue;
      if (name !== SPREAD) setOwn(made, name, value);
      else for (const object of isList(value) ? value : [value]) layOver(made, object);
    }
    return made;
  };
}

/** Names without a value add no element. */
function listOf(text: string): ValueTemplate {
  const items = text.match(/'[^']*'|"[^"]*"|[^\s,]+/g) ?? [];
  return (values) =>
    items.flatMap((item) => (/^['"]/.test(item) ? item.slice(1, -1) : (valuesAt(values, item)?.slice(0, 1) ?? [])));
}

function layOver(made: Record<string, JsonValue>, object: JsonValue): void {
  if (!isJsonObject(object)) return;
  for (const [name, value] of Object.entries(object)) setOwn(made, name, value ?? null);
}

function compileTextValue(place: string, source: string): ValueTemplate {
  if (!/\{\{|\{%/.test(source)) return () => source;
  const path = LONE_PATH.exec(source.trim())?.[1];
  if (path !== undefined) return (values) => valuesAt(values, path)?.[0];
  const list = LONE_LIST.exec(source.trim())?.[1];
  if (list !== undefined) return listOf(list);
  const template = compileHostnameTemplate(source, {}, place);
  return (values) => {
    try {
      return template?.({
        get: (name) => (Object.hasOwn(values, name) ? values[name] : undefined),
        attributes: () => new Map(Object.entries(values)),
      });
    } catch (error) {
      throw new Error(`${place}: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
}

/** Returns a value as text, for places that allow only text. */
export function textOfValue(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
