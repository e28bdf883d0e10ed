import { t } from '@lingui/core/macro';
import type { JsonObject, JsonValue } from '../../../../ports/index.ts';
import { jsonProblem } from '../editor/json-problem.ts';

export type Path = readonly (string | number)[];

/** Placeholder for a secret that the service hides. Saved unchanged, it keeps the stored secret. */
export const MASK = '********';

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function valueAt(document: JsonValue | undefined, path: Path): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((value, step) => {
    if (Array.isArray(value)) return value[Number(step)];
    return isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  }, document);
}

/**
 * Returns the document with another value at a place; `undefined` removes the member. Everything else stays unchanged, in its
 * order.
 */
export function withValue(document: JsonValue | undefined, path: Path, value: JsonValue | undefined): JsonValue {
  const [step, ...rest] = path;
  if (step === undefined) return value ?? null;
  if (typeof step === 'number') {
    const list = Array.isArray(document) ? [...document] : [];
    if (rest.length === 0 && value === undefined) list.splice(step, 1);
    else list[step] = withValue(list[step], rest, value);
    return list;
  }
  const object = isObject(document) ? document : {};
  if (rest.length === 0 && value === undefined) {
    return Object.fromEntries(Object.entries(object).filter(([name]) => name !== step));
  }
  const changed = withValue(Object.hasOwn(object, step) ? object[step] : undefined, rest, value);
  if (!Object.hasOwn(object, step)) return { ...object, [step]: changed };
  return Object.fromEntries(Object.entries(object).map(([name, kept]) => [name, name === step ? changed : kept]));
}

/** A scalar as text, the way the service reads it. */
export function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

const TRUE = new Set(['true', 'yes', 'on', '1']);

/** A flag in any of the spellings that older exports have. */
export function flagOf(value: JsonValue | undefined): boolean {
  return value === true || value === 1 || (typeof value === 'string' && TRUE.has(value.trim().toLowerCase()));
}

/** A name, or the digits of an `$oid`. */
export function referenceOf(value: JsonValue | undefined): string {
  const raw = isObject(value) ? value.$oid : value;
  return typeof raw === 'string' ? raw : '';
}

/** Returns the document without its masked secrets: another document cannot keep these. */
export function withoutMasked(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => withoutMasked(item));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => (member === MASK ? [] : [[name, withoutMasked(member)]])),
  );
}

export function hasMasked(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null) return value === MASK;
  return Object.values(value).some((item: JsonValue) => hasMasked(item));
}

/** An integer that the browser cannot hold exactly; sent on, it would silently change. */
const LONG_NUMBER = /(?:^|[[,:\s])-?\d{16,}(?=[\s,\]}]|$)/;

/** Reads a document typed by a user; returns a text that explains the error if it is invalid. */
export function readDocument(text: string): JsonObject | string {
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch (error) {
    return jsonProblem(text)?.message ?? String(error);
  }
  if (!isObject(value)) return t`A rule is a JSON object: ${{ example: '{ … }' }}`;
  const inexact = longNumber(text);
  return inexact === undefined
    ? value
    : t`The number ${{ number: inexact }} cannot be stored exactly; write it as text: ${{ text: `"${inexact}"` }}`;
}

function longNumber(text: string): string | undefined {
  const outside = text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');
  const found = LONG_NUMBER.exec(outside)?.[0].replace(/^[^-\d]/, '');
  return found === undefined || String(Number(found)) === found ? undefined : found;
}

export function documentText(document: JsonObject): string {
  return JSON.stringify(document, null, 2);
}
