import { ownMember, scalarText } from '../../kit/document/members.ts';
import { isJsonObject } from '../../kit/json/json-object.ts';
import type { JsonObject, JsonValue } from '../../ports/json.ts';

/**
 * Returns the fields in a response of a key-value engine: for version 2, they are one level deeper, next to the metadata of the
 * version.
 */
export function fieldsOf(answer: JsonValue | undefined): JsonObject | undefined {
  if (!isJsonObject(answer)) return undefined;
  const data = ownMember(answer, 'data');
  if (!isJsonObject(data)) return undefined;
  const inner = ownMember(data, 'data');
  if (ownMember(data, 'metadata') === undefined || inner === undefined) return data;
  return isJsonObject(inner) ? inner : undefined;
}

/** A field as text; `undefined` when there is none, or when it holds no single value. */
export function fieldText(fields: JsonObject, name: string): string | undefined {
  const value = ownMember(fields, name);
  return value === undefined || value === null ? undefined : scalarText(value);
}

export interface Login {
  readonly token: string;
  /** 0: it does not end. */
  readonly seconds: number;
}

export function loginOf(answer: JsonValue | undefined): Login | undefined {
  const auth = isJsonObject(answer) ? ownMember(answer, 'auth') : undefined;
  if (!isJsonObject(auth)) return undefined;
  const token = ownMember(auth, 'client_token');
  const seconds = ownMember(auth, 'lease_duration');
  if (typeof token !== 'string' || token === '') return undefined;
  return { token, seconds: typeof seconds === 'number' && seconds > 0 ? seconds : 0 };
}
