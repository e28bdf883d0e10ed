import { setOwn } from '../../../kit/file-source/own-property.ts';
import type { RequestValues } from '../../../kit/http-account/request-template.ts';
import { isJsonObject } from '../../../kit/json/json-object.ts';
import { isList, valuesAt } from '../../../kit/records/record-path.ts';
import {
  AppError,
  type Change,
  type ChangeAction,
  type ChangeOutcome,
  type HttpDocument,
  HttpError,
  type JsonValue,
  type RemoteWriting,
} from '../../../ports/index.ts';
import type { CompiledKind } from './compile-kind.ts';
import { textOfValue } from './value-template.ts';
import { elementsAt, type WriteStep } from './write-request.ts';

export type Failure = Extract<ChangeOutcome, { done: false }>;

/** The kinds by their names. */
export type CompiledKinds = ReadonlyMap<string, CompiledKind>;

/** A change on its way through the requests. */
export interface Going {
  readonly change: Change;
  values: RequestValues;
  id: string | undefined;
  etag: string | undefined;
}

/** Updates the values that later requests can use. */
export function goOn(one: Going, answer: JsonValue, head: Head, step: WriteStep, kind: CompiledKind): void {
  const made = step.id === undefined ? undefined : idIn(answer, head, step.id);
  if (made !== undefined && one.change.action === 'create') one.id = made;
  // A version in the headers cannot apply to several objects.
  one.etag = tagIn(answer, step.many !== undefined ? { ...head, etag: undefined } : head, step, kind) ?? one.etag;
  const id = one.id === undefined ? {} : { id: ownId(kind, one.id) };
  one.values = { ...one.values, ...namedValues(answer, step), ...id };
}

export function doneWith(id: string | undefined, etag: string | undefined): ChangeOutcome {
  return { done: true, ...(id === undefined ? {} : { id }), ...(etag === undefined ? {} : { etag }) };
}

/** A template that cannot be filled in is the fault of one change, and nothing was sent of it. */
export function filledIn<T extends object>(fill: () => T): T | Failure {
  try {
    return fill();
  } catch (error) {
    if (error instanceof AppError) throw error;
    return failure('refused', messageOf(error));
  }
}

/** A created object is ours even if it is incomplete. */
export function inPart(fault: Failure, change: Change, id: string | undefined): Failure {
  if (change.action !== 'create' || id === undefined) return fault;
  return { ...fault, id, reason: `it was made, and not all of it was written: ${fault.reason}` };
}

export function isMeant({ when }: WriteStep, { action, fields }: Change): boolean {
  if (when === undefined) return true;
  const getsKey = action === 'create' || action === 'move';
  return when.some((name) => (name === 'key' && getsKey) || Object.hasOwn(fields, name));
}

/** Returns the data for the templates of a change. A field that refers to another object has its id. */
export function dataOf(
  kinds: CompiledKinds,
  kind: CompiledKind,
  { key, previousKey, id, etag, fields, before, current }: Change,
  context: RemoteWriting,
): { readonly values: RequestValues } | Failure {
  const sent = (name: string, value: JsonValue): Ids => {
    const reference = kind.fields.find((field) => field.name === name)?.reference;
    if (reference === undefined) return { value };
    const found = idsOf(value, (other) => {
      const known = context.idOf(reference, other);
      const of = kinds.get(reference);
      return known === undefined || of === undefined ? undefined : ownId(of, known);
    });
    return 'missing' in found ? { missing: `${reference} ${found.missing}` } : found;
  };
  const written: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(fields)) {
    const found = sent(name, value ?? null);
    if ('missing' in found) return failure('refused', `${found.missing}, which ${name} refers to, is not there`);
    setOwn(written, name, found.value);
  }
  const there: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(current ?? {})) {
    const found = sent(name, value ?? null);
    if ('value' in found) setOwn(there, name, found.value);
  }
  return {
    values: {
      key,
      fields: written,
      before: before ?? {},
      current: there,
      ...(previousKey === undefined ? {} : { previous_key: previousKey }),
      ...(id === undefined ? {} : { id: ownId(kind, id) }),
      ...(etag === undefined ? {} : { etag }),
    },
  };
}

type Ids = { readonly value: JsonValue } | { readonly missing: string };

function idsOf(value: JsonValue, idOf: (key: string) => JsonValue | undefined): Ids {
  if (isList(value)) {
    const all = value.map((one) => idsOf(one, idOf));
    const missing = all.find((one) => 'missing' in one);
    return missing ?? { value: all.map((one) => ('value' in one ? one.value : null)) };
  }
  const key = textOfValue(value);
  if (key === '') return { value: null };
  const id = idOf(key);
  return id === undefined ? { missing: key } : { value: id };
}

function ownId({ hasNumericIds }: CompiledKind, id: string): JsonValue {
  return hasNumericIds && /^\d{1,15}$/.test(id) ? Number(id) : id;
}

function namedValues(answer: JsonValue, { as }: WriteStep): RequestValues {
  const found = Object.entries(as).flatMap(([name, path]) => {
    const [value] = elementsAt(answer, path);
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(found);
}

type Head = Omit<HttpDocument, 'value' | 'etag'> & { readonly etag?: string | undefined };

/** `header:location` is the last part of an address in the head. */
function idIn(answer: JsonValue, { headers }: Head, path: string): string | undefined {
  const header = /^header:\s*(.+)$/.exec(path)?.[1]?.toLowerCase();
  if (header === undefined) return scalarAt(answer, path);
  const [address = ''] = (headers[header] ?? '').split(/[?#]/);
  const last = address.split('/').findLast((part) => part !== '');
  return last === undefined ? undefined : decoded(last);
}

/** An invalid percent escape is kept as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function tagIn(answer: JsonValue, { etag }: Head, step: WriteStep, kind: CompiledKind): string | undefined {
  if (kind.etag === undefined) return undefined;
  return (step.etag === undefined ? undefined : scalarAt(answer, step.etag)) ?? etag;
}

/** The first value at a path, as text. */
function scalarAt(answer: JsonValue, path: string): string | undefined {
  const [value] = valuesAt(answer, path)?.flatMap((found) => (isList(found) ? found : [found])) ?? [];
  if (value === undefined || value === null || isJsonObject(value)) return undefined;
  const text = textOfValue(value);
  return text === '' ? undefined : text;
}

export function listOf(value: JsonValue): readonly JsonValue[] {
  return isList(value) ? value : [value];
}

/** Returns the certain outcome of a failed request; `undefined` if it is unknown what was done. */
export function failureOf(error: unknown, action: ChangeAction): Failure | undefined {
  if (!(error instanceof HttpError)) return undefined;
  if (error.fault === 'refused') return failure('refused', error.message);
  const { status } = error;
  if (status === undefined || status === 401 || status < 400 || status >= 500) return undefined;
  if (status === 408) return undefined;
  if (status === 429) return failure('not_tried', error.message);
  if (status === 404 || status === 410) return failure(action === 'create' ? 'refused' : 'gone', error.message);
  if (status === 409) return failure(action === 'create' ? 'exists' : 'changed', error.message);
  if (status === 412 || status === 428) return failure('changed', error.message);
  return failure('refused', error.message);
}

export function failure(code: Failure['code'], reason: string): Failure {
  return { done: false, code, reason };
}

export function unknown(error: unknown): Failure {
  return failure('unknown', `it is not known whether it was done: ${messageOf(error)}`);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
