import type { JsonObject, JsonValue, ValueChange } from '../../ports/index.ts';
import { MASK } from '../masking/secret-mask.ts';
import { isJsonObject } from './json-object.ts';
import { namesOfPath } from './member-path.ts';

/**
 * Returns the differences between two documents, member by member, in the order of the newer one; lists are compared as wholes.
 */
export function changesBetween(before: JsonObject, after: JsonObject, path = ''): readonly ValueChange[] {
  const names = new Set([...Object.keys(after), ...Object.keys(before)]);
  return [...names].flatMap((name) => {
    const inner = path === '' ? name : `${path}.${name}`;
    return memberChanges(
      Object.hasOwn(before, name) ? before[name] : undefined,
      Object.hasOwn(after, name) ? after[name] : undefined,
      inner,
    );
  });
}

function memberChanges(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  path: string,
): readonly ValueChange[] {
  if (isJsonObject(before) && isJsonObject(after)) return changesBetween(before, after, path);
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  return [{ path, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) }];
}

/** The document with the values of secret members masked. A dotted path reaches into objects and elements of lists. */
export function maskSecrets(document: JsonObject, secretMembers: readonly string[]): JsonObject {
  return secretMembers.reduce((masked, path) => maskPath(masked, namesOfPath(path)) as JsonObject, document);
}

function maskPath(value: JsonValue, path: readonly string[]): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => maskPath(item, path));
  const [name, ...rest] = path;
  if (name === undefined || !isJsonObject(value) || !Object.hasOwn(value, name)) return value;
  const member = value[name] as JsonValue;
  const masked = rest.length > 0 ? maskPath(member, rest) : member === '' || member === null ? member : MASK;
  return Object.fromEntries(Object.entries(value).map(([key, kept]) => [key, key === name ? masked : kept]));
}
