import { isJsonObject } from '../../../kit/json/json-object.ts';
import type { ChangeOutcome, JsonValue } from '../../../ports/index.ts';

export type Failure = Extract<ChangeOutcome, { done: false }>;

export function failure(code: Failure['code'], reason: string): Failure {
  return { done: false, code, reason };
}

/** An address is the primary one of a machine that gets another one later, and so is not on the interface yet that it is primary of next. */
const IN_THE_WAY =
  /designated as the primary IP for the parent object|The specified IP address .*is not assigned to this/i;

/** Returns the failure for a response that refuses a single change. */
export function refusalOf(status: number, body: JsonValue | undefined, action: string): Failure {
  const reason = sentenceOf(body) || `NetBox answers ${status}`;
  if (status === 404) return failure(action === 'create' ? 'refused' : 'gone', reason);
  if (status === 429) return failure('not_tried', reason);
  if (status === 409) return failure('refused', reason);
  if (status === 403) return failure('refused', `the token of the account may not do it: ${reason}`);
  if (IN_THE_WAY.test(reason)) return failure('in_the_way', reason);
  const isTaken = action === 'create' && /already exists|must be unique|Duplicate/i.test(reason);
  return failure(isTaken ? 'exists' : 'refused', reason);
}

/** Returns the reason why each entry of a call was refused, if NetBox gives one for each; `undefined` for accepted entries. */
export function refusalsOfEach(
  body: JsonValue | undefined,
  ids: readonly (number | undefined)[],
): readonly (string | undefined)[] | undefined {
  const list = Array.isArray(body) ? (body as readonly JsonValue[]) : listIn(body);
  if (list === undefined) return undefined;
  const identified = list.filter((entry) => isJsonObject(entry) && typeof entry.id === 'number' && 'errors' in entry);
  if (identified.length > 0) {
    return ids.map((id) => {
      const own = identified.find((entry) => isJsonObject(entry) && entry.id === id);
      return isJsonObject(own) ? sentenceOf(own.errors) : undefined;
    });
  }
  // For entries without an id, NetBox 4.7 gives the position in the list.
  const placed = list.filter((entry) => isJsonObject(entry) && typeof entry.index === 'number' && 'errors' in entry);
  if (placed.length > 0) {
    return ids.map((_, position) => {
      const own = placed.find((entry) => isJsonObject(entry) && entry.index === position);
      return isJsonObject(own) ? sentenceOf(own.errors) : undefined;
    });
  }
  if (list.length !== ids.length) return undefined;
  const texts = list.map((entry) => sentenceOf(isJsonObject(entry) && 'errors' in entry ? entry.errors : entry));
  return texts.some((text) => text !== '') ? texts.map((text) => text || undefined) : undefined;
}

function listIn(body: JsonValue | undefined): readonly JsonValue[] | undefined {
  if (!isJsonObject(body)) return undefined;
  const inner = body.errors ?? body.results;
  return Array.isArray(inner) ? (inner as readonly JsonValue[]) : undefined;
}

const MOST = 500;

/** The errors of a form as one sentence: `site: This field is required.` */
function sentenceOf(value: JsonValue | undefined): string {
  return textsOf(value, '').join(' ').slice(0, MOST);
}

function textsOf(value: JsonValue | undefined, at: string): readonly string[] {
  if (value === undefined || value === null || value === '') return [];
  if (Array.isArray(value)) return (value as readonly JsonValue[]).flatMap((item) => textsOf(item, at));
  if (!isJsonObject(value)) return [at === '' ? String(value) : `${at}: ${value}`];
  return Object.entries(value).flatMap(([name, item]) => {
    const isGeneral = ['detail', 'non_field_errors', '__all__', 'error'].includes(name);
    return textsOf(item, isGeneral ? at : at === '' ? name : `${at}.${name}`);
  });
}
