import { compileQuery, type RequestValues } from '../../../kit/http-account/request-template.ts';
import { isJsonObject } from '../../../kit/json/json-object.ts';
import { isList, valuesAt } from '../../../kit/records/record-path.ts';
import {
  AppError,
  type ChangeAction,
  type ChangeOutcome,
  type HttpRequest,
  type JsonValue,
} from '../../../ports/index.ts';
import { REFUSALS } from '../refusals.ts';
import type { KindDeclaration, WriteRequest } from './declaration.ts';
import type { TargetOptions } from './options.ts';
import { compileText, type TextTemplate } from './text-template.ts';
import { compileValue, textOfValue, type ValueTemplate } from './value-template.ts';

type Failure = Extract<ChangeOutcome, { done: false }>;

/** A request that writes, ready to be filled in. */
export interface WriteStep {
  /** Only for changes that write one of these; `undefined`: for all. */
  readonly when: readonly string[] | undefined;
  readonly many:
    | {
        readonly size: number;
        readonly each: ValueTemplate;
        readonly answers: string;
        readonly position?: string | undefined;
      }
    | undefined;
  /** `data` comes from hosts and the system: it never becomes syntax of a path, a document or a header. */
  request(data: RequestValues, etag: string | undefined): HttpRequest;
  /** Returns the failure that a response reports despite a status that does not indicate an error. */
  fault(answer: JsonValue, data: RequestValues): Failure | undefined;
  readonly id: string | undefined;
  readonly etag: string | undefined;
  /** Values of the response for later requests of the change: their names, and their paths. */
  readonly as: Readonly<Record<string, string>>;
}

/** The requests of each action; none: the system does not take it. */
export type Writes = Readonly<Record<ChangeAction, readonly WriteStep[]>>;

const METHODS: Readonly<Record<ChangeAction, string>> = {
  create: 'POST',
  update: 'PATCH',
  move: 'PATCH',
  adopt: 'PATCH',
  delete: 'DELETE',
};

export function compileWrites(
  { kind, id, etag, create, update, move, adopt, delete: remove }: KindDeclaration,
  options: TargetOptions,
  values: RequestValues,
): Writes {
  const requests = { create, update, move: move ?? update, adopt: adopt ?? update, delete: remove };
  // Unless one of them says it, the first of several makes the object.
  const usualId = requests.create?.some((request) => request.id !== undefined) === true ? undefined : id;
  const steps = (action: ChangeAction): readonly WriteStep[] =>
    (requests[action] ?? []).map((request, index, all) => {
      const place = `objects ${kind}.${action}${all.length === 1 ? '' : `[${index}]`}`;
      if ((request.many === undefined) !== (all[0]?.many === undefined))
        throw new AppError('invalid_input', `${place}: either all requests of ${action} have many, or none has`);
      const known = { ...request, id: request.id ?? (action === 'create' && index === 0 ? usualId : undefined) };
      return compileStep(place, { ...known, etag: request.etag ?? etag }, METHODS[action], options, values);
    });
  return {
    create: steps('create'),
    update: steps('update'),
    move: steps('move'),
    adopt: steps('adopt'),
    delete: steps('delete'),
  };
}

function compileStep(
  place: string,
  step: WriteRequest,
  usual: string,
  options: TargetOptions,
  values: RequestValues,
): WriteStep {
  const { when, many, id, etag, as } = step;
  const protocol = step.protocol ?? options.protocol;
  const method = step.method ?? (protocol === 'json' ? usual : 'POST');
  const refusal = REFUSALS[protocol];
  const path = compilePath(`${place}.path`, step.path, values);
  const query = compileQuery(`${place}.query`, step.query);
  const content = compileContent(`${place}.body`, step.body);
  const headers = Object.entries(step.headers).map(
    ([name, value]) => [name.toLowerCase(), compileHeader(`${place}.headers.${name}`, value)] as const,
  );
  return {
    when,
    id,
    etag,
    as,
    many: many === undefined ? undefined : { ...many, each: withOwn(values, compileValue(`${place}.each`, many.each)) },
    request(data, tag) {
      const all = { ...values, ...data };
      const repeatable = step.repeatable ?? (method === 'PUT' && tag === undefined ? undefined : false);
      return {
        method,
        path: path(data),
        query: query(all),
        ...content(all),
        headers: {
          ...(tag === undefined ? {} : { 'if-match': tag }),
          ...Object.fromEntries(headers.map(([name, render]) => [name, render(all)])),
        },
        ...(repeatable === undefined ? {} : { repeatable }),
        ...(refusal === undefined ? {} : { refusal }),
      };
    },
    fault: compileFault(place, step, values),
  };
}

/** A value that no header can have is the fault of one change, and not of the connection. */
function compileHeader(place: string, source: string): TextTemplate {
  const render = compileText(place, source);
  return (values) => {
    const value = render(values);
    if (/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) return value;
    throw new Error(`${place}: a value has a line break or another character that headers cannot have`);
  };
}

function withOwn(values: RequestValues, render: ValueTemplate): ValueTemplate {
  return (data) => render({ ...values, ...data });
}

type Content = (values: RequestValues) => Pick<HttpRequest, 'json' | 'form'>;

/** Documents and fields of forms alone: in another text a value could become syntax. */
function compileContent(place: string, body: JsonValue | undefined): Content {
  if (body === undefined) return () => ({});
  if (typeof body !== 'string') return jsonContent(compileValue(place, body));
  const text = body.trim();
  if (/^\{\{[^{}]*\}\}$/.test(text)) return jsonContent(compileValue(place, text));
  if (/^[[{]/.test(text)) {
    try {
      return jsonContent(compileValue(place, JSON.parse(text) as JsonValue));
    } catch (error) {
      if (error instanceof AppError) throw error;
    }
  }
  if (!/^[\w.[\]-]+=[^\n]*$/.test(text)) {
    throw new AppError('invalid_input', `${place} must be a document, or fields of a form: name=value&name=value`);
  }
  const fields = compileQuery(place, text);
  return (values) => ({ form: fields(values) });
}

function jsonContent(render: ValueTemplate): Content {
  return (values) => ({ json: render(values) ?? null });
}

function compileFault(place: string, { error, expect }: WriteRequest, values: RequestValues): WriteStep['fault'] {
  const expected = expect.map(({ member, is, else: code, reason }) => ({
    member,
    code,
    reason,
    is: is.map((text): TextTemplate => compileText(`${place}.expect`, text)),
  }));
  return (answer, data) => {
    const said = error === undefined ? [] : elementsAt(answer, error).filter((one) => one !== null && one !== '');
    if (said.length > 0) {
      return {
        done: false,
        code: 'refused',
        reason: `the system says: ${said.map(textOfValue).join('; ').slice(0, 500)}`,
      };
    }
    for (const { member, code, is, reason } of expected) {
      const found = elementsAt(answer, member).map(textOfValue);
      const known = is.map((render) => render({ ...values, ...data }));
      if (known.length === 0 ? found.length === 0 : found.length > 0 && found.every((one) => known.includes(one)))
        continue;
      if (reason !== undefined) return { done: false, code, reason };
      const shown = found.length === 0 ? 'nothing' : found.join(', ').slice(0, 200);
      return {
        done: false,
        code,
        reason: `the answer has ${shown} at ${member}, and not ${known.join(' or ') || 'nothing'}`,
      };
    }
    return undefined;
  };
}

/** Returns the values at a path, with lists expanded. */
export function elementsAt(value: JsonValue, path: string): readonly JsonValue[] {
  return (valuesAt(value, path) ?? []).flatMap((found) => (isList(found) ? found : [found]));
}

/**
 * Compiles the path of a request. Values that come from the account are inserted unchanged; data is encoded, and refused if it
 * would lead elsewhere (`..`, or an empty part).
 */
function compilePath(place: string, source: string, values: RequestValues): (data: RequestValues) => string {
  const render = compileText(place, source);
  const isOpen = hasEmptyPart(source.replaceAll(/\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}/g, 'x'));
  return (data) => {
    const path = render({ ...values, ...encodedMembers(data) });
    const leadsUp = path.split(/[/\\]/).some((part) => /^(?:\.|%2e){1,2}$/i.test(part));
    if (leadsUp || (!isOpen && hasEmptyPart(path))) {
      throw new Error(`${place}: a value is missing, or cannot be used in a path: ${path}`);
    }
    return path;
  };
}

function hasEmptyPart(path: string): boolean {
  const [address = ''] = path.split(/[?#]/);
  return address.slice(1).includes('//') || (address !== '' && address.endsWith('/'));
}

function encoded(value: JsonValue): JsonValue {
  if (typeof value === 'string') return encodeURIComponent(value);
  if (isList(value)) return value.map(encoded);
  return isJsonObject(value) ? encodedMembers(value as RequestValues) : value;
}

function encodedMembers(data: RequestValues): RequestValues {
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, encoded(value ?? null)]));
}
