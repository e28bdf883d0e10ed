import { AppError, type HttpRequest, type JsonValue } from '../../ports/index.ts';
import { setOwn } from '../file-source/own-property.ts';
import { isJsonObject } from '../json/json-object.ts';
import { compileHostnameTemplate } from '../options/hostname-template.ts';
import { type Said, worded } from '../worded.ts';

/** Values that request texts are filled with: from the account, and the current position in a list. Never from records. */
export type RequestValues = Readonly<Record<string, JsonValue>>;

export type RequestBody = Pick<HttpRequest, 'json' | 'form' | 'body' | 'headers'>;

/** One name and nothing else, so that a number stays one. */
const LONE_NAME = /^\{\{-?\s*([A-Za-z_]\w*)\s*-?\}\}$/;

/** Compiles a text of an option. What is only a name gives the value as it is. */
export function compileText(option: string, text: string): (values: RequestValues) => JsonValue {
  if (!/\{\{|\{%/.test(text)) return () => text;
  const name = LONE_NAME.exec(text.trim())?.[1];
  if (name !== undefined) return (values) => namedValue(option, name, values);
  const template = compileHostnameTemplate(text, {}, option);
  return (values) => {
    try {
      return template?.({ get: (key) => own(values, key), attributes: () => new Map(Object.entries(values)) }) ?? '';
    } catch (error) {
      throw refused(option, error instanceof Error ? error.message : String(error), values);
    }
  };
}

/** Parses a text as a document; returns `undefined` if it is not one. */
type DocumentReader = (text: string) => JsonValue | undefined;

/**
 * Compiles the body of a request: a JSON document whose texts are templates each, fields of a form, or a text. Values get into a
 * document as values, whatever characters they have. `documentOf` knows other ways to write a document.
 */
export function compileBody(
  option: string,
  text: string,
  documentOf: DocumentReader = parsed,
): (values: RequestValues) => RequestBody {
  const trimmed = text.trim();
  if (trimmed === '') return () => ({});
  const document = documentOf(trimmed);
  if (document !== undefined) {
    const render = compileValue(option, document);
    return (values) => ({ json: render(values) });
  }
  if (/^[\w.[\]-]+=/.test(trimmed) && !trimmed.includes('\n')) {
    const fields = compileQuery(option, trimmed);
    return (values) => ({ form: fields(values) });
  }
  const render = compileText(option, text);
  return (values) => {
    const rendered = String(render(values));
    const json = documentOf(rendered);
    return json === undefined ? { body: rendered } : { json };
  };
}

type Pairs = readonly (readonly [name: string, value: string])[];

/** Compiles `name=value&name=value`, each value a template of its own. */
function compileEach(option: string, text: string): (values: RequestValues) => Pairs {
  const pairs = splitPairs(text).map(([name, value]) => [name, compileText(option, value)] as const);
  return (values) =>
    pairs.map(([name, render]) => {
      const value = render(values);
      return [name, typeof value === 'object' ? JSON.stringify(value) : String(value)];
    });
}

/** One value for each name. */
export function compilePairs(
  option: string,
  text: string,
): (values: RequestValues) => Readonly<Record<string, string>> {
  const pairs = compileEach(option, text);
  return (values) => Object.fromEntries(pairs(values));
}

/** Parameters, or fields of a form: a name that is there several times has a list. */
export function compileQuery(
  option: string,
  text: string,
): (values: RequestValues) => Readonly<Record<string, string | readonly string[]>> {
  const pairs = compileEach(option, text);
  return (values) => {
    const made = new Map<string, string | readonly string[]>();
    for (const [name, value] of pairs(values)) {
      const before = made.get(name);
      made.set(name, before === undefined ? value : [before, value].flat());
    }
    return Object.fromEntries(made);
  };
}

/** A sign in a template separates nothing. */
function splitPairs(text: string): Pairs {
  const parts = text.match(/(?:\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}|[^&])+/g) ?? [];
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const sign = part.indexOf('=');
      return sign === -1 ? [decoded(part), ''] : [decoded(part.slice(0, sign)), decoded(part.slice(sign + 1))];
    });
}

/** Codes of characters count, but for those in a template. */
function decoded(text: string): string {
  return text.replaceAll(/(\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\})|(?:%[0-9a-f]{2})+/gi, (all, template?: string) => {
    if (template !== undefined) return template;
    try {
      return decodeURIComponent(all);
    } catch {
      return all;
    }
  });
}

function compileValue(option: string, value: JsonValue): (values: RequestValues) => JsonValue {
  if (typeof value === 'string') return compileText(option, value);
  if (Array.isArray(value)) {
    const items = value.map((item: JsonValue) => compileValue(option, item));
    return (values) => items.map((item) => item(values));
  }
  if (!isJsonObject(value)) return () => value;
  const members = Object.entries(value).map(([name, member]) => [name, compileValue(option, member ?? null)] as const);
  return (values) => {
    const made: Record<string, JsonValue> = {};
    for (const [name, member] of members) setOwn(made, name, member(values));
    return made;
  };
}

function parsed(text: string): JsonValue | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

function namedValue(option: string, name: string, values: RequestValues): JsonValue {
  const value = own(values, name);
  if (value !== undefined) return value;
  throw refused(option, worded`'${{ name }}' is undefined`, values);
}

function own(values: RequestValues, name: string): JsonValue | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

function refused(option: string, problem: Said, values: RequestValues): AppError {
  const known = Object.keys(values).join(', ');
  return new AppError(
    'invalid_input',
    worded`${{ option }} cannot be filled in: ${{ problem }}; it may use ${{ known }}`,
  );
}
