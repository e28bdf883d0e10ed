import type { JsonValue, LabelScalar, StoredJson } from '../../ports/index.ts';
import { isJsonObject } from './json-object.ts';
import { quotedPart } from './quoted-part.ts';

const NONE: readonly LabelScalar[] = [];

/** The values at a place in a document. Lists are gone through; a name may hold dots; an object counts as an empty text. */
export function valuesAt(document: StoredJson<object>, path: readonly string[]): readonly LabelScalar[] {
  const { text } = document;
  // A name of the path may be a part of one with dots.
  if (text === '{}' || !path.every((name) => text.includes(quotedPart(name)))) return NONE;
  const found: LabelScalar[] = [];
  collect(document.value as JsonValue, path, found);
  return found;
}

function collect(value: JsonValue | undefined, path: readonly string[], found: LabelScalar[]): void {
  if (Array.isArray(value)) {
    for (const item of value as readonly JsonValue[]) collect(item, path, found);
    return;
  }
  if (path.length === 0) {
    // That there is an object is known by a value that is like no other.
    if (isJsonObject(value)) found.push('');
    else if (value !== undefined) found.push(...scalarsOf(value));
    return;
  }
  if (!isJsonObject(value)) return;
  for (let names = 1; names <= path.length; names++) {
    const name = path.slice(0, names).join('.');
    if (Object.hasOwn(value, name)) collect(value[name], path.slice(names), found);
  }
}

/** Each value of a list, the value itself otherwise; of an empty list an empty one. */
export function scalarsOf(value: JsonValue): readonly LabelScalar[] {
  if (!Array.isArray(value)) return [value as LabelScalar];
  return value.length === 0 ? [''] : (value as readonly LabelScalar[]);
}
