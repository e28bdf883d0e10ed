import { isDeepStrictEqual } from 'node:util';
import type { JsonObject, JsonValue } from '../../ports/index.ts';
import { isJsonObject } from '../json/json-object.ts';

/** Reads members of rule documents, which may be written in any of the ways that older exports have. */

/** Whether both say the same, whatever place of the store they have. */
export function isSameDocument(one: JsonObject | undefined, other: JsonObject | undefined): boolean {
  return one !== undefined && other !== undefined && isDeepStrictEqual({ ...one, _id: 0 }, { ...other, _id: 0 });
}

/** The text of a scalar as templates print it (`True`, `None`); `undefined` for lists, objects and what is missing. */
export function scalarText(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return value === null ? 'None' : undefined;
}

/** A text member; numbers and booleans count as their text, everything else as `""`. */
export function memberText(document: JsonObject, name: string): string {
  const value = ownMember(document, name);
  return value === null ? '' : (scalarText(value) ?? '');
}

/** A flag; absent is false, and the texts and numbers of older exports count as what they say. */
export function memberFlag(document: JsonObject, name: string): boolean {
  return flagValue(ownMember(document, name)) ?? false;
}

/** An integer, written as number or as text; `undefined` for everything else. */
export function memberInteger(document: JsonObject, name: string): number | undefined {
  return integerValue(ownMember(document, name));
}

/** The objects of a list member; other elements are left out. */
export function memberObjects(document: JsonObject, name: string): readonly JsonObject[] {
  const value = ownMember(document, name);
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** The elements of a list member; empty for everything else. */
export function memberList(document: JsonObject, name: string): readonly JsonValue[] {
  const value = ownMember(document, name);
  return Array.isArray(value) ? value : [];
}

/** A date: `{"$date": milliseconds or ISO text}`, ISO text or milliseconds; `null` for everything else. */
export function memberDate(document: JsonObject, name: string): Date | null {
  const value = ownMember(document, name);
  const inner = isJsonObject(value) ? ownMember(value, '$date') : value;
  const raw = isJsonObject(inner) ? integerValue(ownMember(inner, '$numberLong')) : inner;
  if (typeof raw !== 'string' && typeof raw !== 'number') return null;
  const date = new Date(raw);
  return Number.isNaN(date.getTime()) ? null : date;
}

/** A reference: the name, or the digits of its `$oid`; `undefined` when empty. */
export function memberReference(document: JsonObject, name: string): string | undefined {
  return referenceValue(ownMember(document, name));
}

export function ownMember(document: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(document, name) ? document[name] : undefined;
}

export function referenceValue(value: JsonValue | undefined): string | undefined {
  const raw = isJsonObject(value) ? ownMember(value, '$oid') : value;
  return typeof raw === 'string' && raw !== '' ? raw : undefined;
}

const TRUE_TEXTS = new Set(['true', 'yes', 'on', '1']);
const FALSE_TEXTS = new Set(['', 'false', 'no', 'off', '0', 'none', 'null']);

/** Returns a truth value in any of its spellings; `undefined` for all other values. */
export function flagValue(value: JsonValue | undefined): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (value === undefined || value === null) return false;
  if (typeof value === 'number') return value === 0 ? false : value === 1 ? true : undefined;
  if (typeof value !== 'string') return undefined;
  const text = value.trim().toLowerCase();
  if (TRUE_TEXTS.has(text)) return true;
  return FALSE_TEXTS.has(text) ? false : undefined;
}

export function integerValue(value: JsonValue | undefined): number | undefined {
  const number =
    typeof value === 'string' && /^\s*[+-]?\d+(?:\.0+)?\s*$/.test(value)
      ? Number(value)
      : typeof value === 'number'
        ? value
        : Number.NaN;
  return Number.isSafeInteger(number) ? number : undefined;
}
