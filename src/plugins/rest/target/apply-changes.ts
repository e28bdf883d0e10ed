import { isJsonObject } from '../../../app/kernel/json/json-object.ts';
import {
  AppError,
  type Change,
  type ChangeAction,
  type ChangeOutcome,
  type HttpClient,
  type HttpDocument,
  HttpError,
  type JsonValue,
  type RemoteWriting,
} from '../../../ports/index.ts';
import { setOwn } from '../../shared/file-source/own-property.ts';
import type { RequestValues } from '../../shared/http-account/request-template.ts';
import { isList, valuesAt } from '../../shared/records/record-path.ts';
import type { CompiledKind } from './compile-kind.ts';
import { textOfValue } from './value-template.ts';
import { elementsAt, type WriteStep } from './write-request.ts';

type Failure = Extract<ChangeOutcome, { done: false }>;

/** The kinds by their names. */
export type CompiledKinds = ReadonlyMap<string, CompiledKind>;

/** Does changes of one kind and one action, and answers each. Throws where nobody knows what was done. */
export async function applyChanges(
  kinds: CompiledKinds,
  client: HttpClient,
  changes: readonly Change[],
  context: RemoteWriting,
): Promise<readonly ChangeOutcome[]> {
  const [first] = changes;
  const kind = kinds.get(first?.kind ?? '');
  if (first === undefined || kind === undefined) return [];
  const steps = kind.writes[first.action];
  const [step] = steps;
  if (step === undefined) {
    const reason = `nothing says how to ${VERBS[first.action]} ${kind.declared.id}: objects need ${first.action} for it`;
    return changes.map(() => failure('refused', reason));
  }
  if (step.many !== undefined) return applyMany(kinds, client, { step, many: step.many }, changes, context);
  const outcomes: ChangeOutcome[] = [];
  for (const change of changes) {
    try {
      outcomes.push(await applyOne(kinds, client, change, steps, context));
    } catch (error) {
      if (changes.length === 1 || context.signal.aborted) throw error;
      // What follows is tried alone, one by one.
      outcomes.push(failure('unknown', `nobody knows whether it was done: ${messageOf(error)}`));
      return [...outcomes, ...changes.slice(outcomes.length).map(() => failure('not_tried', 'the call broke off'))];
    }
    context.progress();
  }
  return outcomes;
}

const VERBS: Readonly<Record<ChangeAction, string>> = {
  create: 'make a',
  update: 'change a',
  move: 'rename a',
  adopt: 'take over a',
  delete: 'delete a',
};

/** One change by its requests, one after the other. */
async function applyOne(
  kinds: CompiledKinds,
  client: HttpClient,
  change: Change,
  steps: readonly WriteStep[],
  context: RemoteWriting,
): Promise<ChangeOutcome> {
  const kind = kinds.get(change.kind);
  if (kind === undefined) return NO_KIND;
  const data = dataOf(kinds, kind, change, context);
  if ('code' in data) return data;
  let values = data.values;
  let id = change.id;
  let etag = change.etag;
  for (const step of steps) {
    if (!isMeant(step, change)) continue;
    const request = filledIn(() => step.request(values, etag));
    if ('code' in request) return inPart(request, change, id);
    try {
      const { value = null, ...head } = await client.json(request, context);
      const fault = step.fault(value, values);
      if (fault !== undefined) return inPart(fault, change, id);
      const made = step.id === undefined ? undefined : idIn(value, head, step.id);
      if (made !== undefined && change.action === 'create') id = made;
      etag = tagIn(value, head, step, kind) ?? etag;
      values = { ...values, ...namedValues(value, step), ...(id === undefined ? {} : { id: ownId(kind, id) }) };
    } catch (error) {
      const known = failureOf(error, change.action);
      if (known !== undefined) return inPart(known, change, id);
      if (change.id !== undefined || id === undefined || context.signal.aborted) throw error;
      return inPart(failure('unknown', messageOf(error)), change, id);
    }
  }
  return { done: true, ...(id === undefined ? {} : { id }), ...(etag === undefined ? {} : { etag }) };
}

const NO_KIND: Failure = { done: false, code: 'refused', reason: 'there is no such kind' };

/** A template that cannot be filled in is the fault of one change, and nothing was sent of it. */
function filledIn<T extends object>(fill: () => T): T | Failure {
  try {
    return fill();
  } catch (error) {
    if (error instanceof AppError) throw error;
    return failure('refused', messageOf(error));
  }
}

/** What was made and is not whole is ours all the same. */
function inPart(fault: Failure, change: Change, id: string | undefined): Failure {
  if (change.action !== 'create' || id === undefined) return fault;
  return { ...fault, id, reason: `it was made, and not all of it was written: ${fault.reason}` };
}

function isMeant({ when }: WriteStep, { action, fields }: Change): boolean {
  if (when === undefined) return true;
  const getsKey = action === 'create' || action === 'move';
  return when.some((name) => (name === 'key' && getsKey) || Object.hasOwn(fields, name));
}

interface Bulk {
  readonly step: WriteStep;
  readonly many: NonNullable<WriteStep['many']>;
}

/** A change as its request has it. */
interface Sent {
  readonly change: Change;
  readonly values: RequestValues;
  readonly object: JsonValue;
}

/** Several changes in one request. */
async function applyMany(
  kinds: CompiledKinds,
  client: HttpClient,
  { step, many }: Bulk,
  changes: readonly Change[],
  context: RemoteWriting,
): Promise<readonly ChangeOutcome[]> {
  const outcomes = new Map<Change, ChangeOutcome>();
  const sent: Sent[] = [];
  for (const change of changes) {
    const kind = kinds.get(change.kind);
    const data = kind === undefined ? NO_KIND : dataOf(kinds, kind, change, context);
    const filled =
      'code' in data
        ? data
        : filledIn((): Sent => ({ change, values: data.values, object: many.each(data.values) ?? null }));
    if ('code' in filled) outcomes.set(change, filled);
    else sent.push(filled);
  }
  const answered = (): readonly ChangeOutcome[] =>
    changes.map((change) => outcomes.get(change) ?? failure('not_tried', 'it was not sent'));
  const [first] = sent;
  if (first === undefined) return answered();
  const request = filledIn(() => step.request({ objects: sent.map(({ object }) => object) }, undefined));
  if ('code' in request) {
    for (const { change } of sent) outcomes.set(change, request);
    return answered();
  }
  try {
    const { value = null, ...head } = await client.json(request, context);
    const answers = many.answers === '' || many.answers === '.' ? listOf(value) : elementsAt(value, many.answers);
    if (answers.length !== sent.length) {
      throw new AppError('failed', `the answer to ${sent.length} changes has ${answers.length} of them`);
    }
    for (const [index, { change, values }] of sent.entries()) {
      const answer = answers[index] ?? null;
      const id = step.id === undefined ? change.id : (idIn(answer, head, step.id) ?? change.id);
      const etag = step.etag === undefined ? undefined : scalarAt(answer, step.etag);
      const done = {
        done: true,
        ...(id === undefined ? {} : { id }),
        ...(etag === undefined ? {} : { etag }),
      } as const;
      outcomes.set(change, step.fault(answer, values) ?? done);
    }
  } catch (error) {
    const fault = failureOf(error, first.change.action);
    if (fault === undefined) throw error;
    // One of them may be what is wrong: each is tried alone.
    const code = sent.length > 1 ? 'not_tried' : fault.code;
    for (const { change } of sent) outcomes.set(change, failure(code, fault.reason));
  }
  return answered();
}

/** What templates of a change read. A field that refers to another object has its id. */
function dataOf(
  kinds: CompiledKinds,
  kind: CompiledKind,
  { key, previousKey, id, etag, fields, before }: Change,
  context: RemoteWriting,
): { readonly values: RequestValues } | Failure {
  const written: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(fields)) {
    const reference = kind.fields.find((field) => field.name === name)?.reference;
    if (reference === undefined) {
      setOwn(written, name, value ?? null);
      continue;
    }
    const found = idsOf(value ?? null, (other) => {
      const known = context.idOf(reference, other);
      const of = kinds.get(reference);
      return known === undefined || of === undefined ? undefined : ownId(of, known);
    });
    if ('missing' in found)
      return failure('refused', `${reference} ${found.missing}, which ${name} refers to, is not there`);
    setOwn(written, name, found.value);
  }
  return {
    values: {
      key,
      fields: written,
      before: before ?? {},
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

type Head = Omit<HttpDocument, 'value'>;

/** `header:location` is the last part of an address in the head. */
function idIn(answer: JsonValue, { headers }: Head, path: string): string | undefined {
  const header = /^header:\s*(.+)$/.exec(path)?.[1]?.toLowerCase();
  if (header === undefined) return scalarAt(answer, path);
  const [address = ''] = (headers[header] ?? '').split(/[?#]/);
  const last = address.split('/').findLast((part) => part !== '');
  return last === undefined ? undefined : decoded(last);
}

/** What is no code of a character stands for itself. */
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

function listOf(value: JsonValue): readonly JsonValue[] {
  return isList(value) ? value : [value];
}

/** What an answer says for sure; `undefined` where nobody knows what was done. */
function failureOf(error: unknown, action: ChangeAction): Failure | undefined {
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

function failure(code: Failure['code'], reason: string): Failure {
  return { done: false, code, reason };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
