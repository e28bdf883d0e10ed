import { optionDocument } from '../../kit/account-options/option-document.ts';
import { setOwn } from '../../kit/file-source/own-property.ts';
import { compileBody, compileQuery, compileText, type RequestValues } from '../../kit/http-account/request-template.ts';
import { isJsonObject } from '../../kit/json/json-object.ts';
import { isList, valuesAt } from '../../kit/records/record-path.ts';
import {
  AppError,
  type HttpPagePlace,
  type HttpRequest,
  type HttpWalk,
  type JsonObject,
  type JsonValue,
} from '../../ports/index.ts';
import { type RestOptions, readOuterField } from './options.ts';
import { REFUSALS } from './refusals.ts';

/** The options that say how one list is asked for. */
export type ListOptions = Pick<
  RestOptions,
  | 'path'
  | 'method'
  | 'query'
  | 'body'
  | 'protocol'
  | 'data_key'
  | 'paging'
  | 'page_parameter'
  | 'page_size'
  | 'page_size_parameter'
  | 'first_page'
  | 'next_key'
  | 'cursor_key'
  | 'more_key'
  | 'total_key'
  | 'pages_key'
  | 'ignored_members'
  | 'end_status'
> &
  Partial<Pick<RestOptions, 'outer_fields' | 'records'>>;

/** A list that can be asked for, page by page. */
export interface ListRequest {
  readonly options: ListOptions;
  /** The dotted path of the list; empty for the answer itself. */
  readonly items: string | undefined;
  /** The dotted path of a list in each of its elements; empty where the elements are the records. */
  readonly inner: string;
  /** The records in elements of that list: those themselves, or of lists in them, where `data_key` steps on. */
  records(elements: readonly JsonValue[]): readonly JsonValue[];
  at(place: HttpPagePlace): HttpRequest;
  /** How many records one answer is asked for, and what asks it. */
  readonly asked: { readonly member: string; readonly value: number } | undefined;
  /** The paging of the list; `undefined` if the response itself leads to the next page. */
  readonly walk: HttpWalk | undefined;
}

export const FIRST_PLACE: HttpPagePlace = { page: 1, offset: 0, size: undefined, cursor: null };

const NO_BODY = new Set(['GET', 'HEAD']);
/** Ours is what a body is by itself; a system may call its JSON otherwise. */
const CONTENT_TYPE = 'content-type';

export function listRequest(
  options: ListOptions,
  values: RequestValues,
  headers: Readonly<Record<string, string>> = {},
): ListRequest {
  const body = options.protocol === 'graphql' ? graphqlBody(options.body) : options.body;
  const method = options.method ?? (body.trim() === '' ? 'GET' : 'POST');
  const path = compileText('path', options.path);
  const query = compileQuery('query', options.query);
  const refusal = REFUSALS[options.protocol];
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === CONTENT_TYPE)?.[1];
  const sent = NO_BODY.has(method) ? '' : body;
  // With any other content type, a text is sent unchanged.
  const isJson = type === undefined || /\bjson\b/i.test(type);
  const content = isJson ? compileBody('body', sent, optionDocument) : compileBody('body', sent);
  const size = options.page_size;
  const [items, inner] = splitKey(options.data_key);
  const outer = (options.outer_fields ?? []).flatMap((text) => readOuterField(text) ?? []);
  return {
    options,
    items,
    inner,
    records: (elements) => (inner === '' ? elements : elements.flatMap((element) => within(element, inner, outer))),
    walk: walkOf(options, items, [options.path, options.query, body].join(' ')),
    asked: askedSize(options, [options.path, options.query, body].join('&')),
    at(place) {
      const filled = { ...values, PAGE: place.page, OFFSET: place.offset, CURSOR: place.cursor, LIMIT: size ?? null };
      const asked = query(filled);
      return {
        method,
        path: String(path(filled)),
        // Only the page walkers say a size by themselves.
        query: sizedQuery(asked, options),
        ...content(filled),
        ...(type === undefined ? {} : { headers: { [CONTENT_TYPE]: type } }),
        // A source only asks, whatever the method is.
        repeatable: true,
        ...(refusal === undefined ? {} : { refusal }),
      };
    },
  };
}

function sizedQuery(
  query: Readonly<Record<string, string | readonly string[]>>,
  { page_size, page_size_parameter }: ListOptions,
): NonNullable<HttpRequest['query']> {
  return page_size === undefined || page_size_parameter === undefined
    ? query
    : { ...query, [page_size_parameter]: page_size };
}

const SIZE =
  /[?&{,\s("$]((?:[a-z]+_)?(?:limit|top|per_?page|page_?size|max_?(?:results|items)|rows|size|first|count))"?\s*[=:]\s*"?(\d{1,6})(?![\w.])/i;

/** The number that the account asks for, by an option or as systems usually call it. */
function askedSize({ page_size, page_size_parameter }: ListOptions, texts: string): ListRequest['asked'] {
  if (page_size !== undefined && (page_size_parameter !== undefined || /\bLIMIT\b/.test(texts)))
    return { member: 'page_size', value: page_size };
  const [, member, size] = SIZE.exec(`&${texts}`) ?? [];
  return member === undefined || Number(size) === 0 ? undefined : { member, value: Number(size) };
}

/** Text other than a JSON document is the query itself. */
function graphqlBody(body: string): string {
  const text = body.trim();
  if (text === '') return '';
  try {
    JSON.parse(text);
    return text;
  } catch {
    return JSON.stringify({ query: text });
  }
}

/** The list that is read as it comes, and the path within its elements. */
function splitKey(key: string | undefined): readonly [items: string | undefined, inner: string] {
  if (key === undefined || key === '.') return [key === undefined ? undefined : '', ''];
  const brackets = key.indexOf('[]');
  return brackets === -1 ? [key, ''] : [key.slice(0, brackets), key.slice(brackets + 2).replace(/^\./, '')];
}

/** The records in an element, with what they have of that. */
function within(
  element: JsonValue,
  path: string,
  outer: readonly { readonly name: string; readonly path: string }[],
): readonly JsonValue[] {
  const records = listAt(element, path);
  if (outer.length === 0) return records;
  const taken = outer.map(({ name, path: member }) => [name, valuesAt(element, member)?.[0] ?? null] as const);
  return records.map((record) => (isJsonObject(record) ? withMembers(record, taken) : record));
}

function withMembers(record: JsonObject, members: readonly (readonly [name: string, value: JsonValue])[]): JsonObject {
  const made: Record<string, JsonValue> = { ...record };
  for (const [name, value] of members) setOwn(made, name, value);
  return made;
}

function listAt(element: JsonValue, path: string): readonly JsonValue[] {
  return (valuesAt(element, path) ?? []).flatMap((found) => (isList(found) ? found : [found]));
}

function walkOf(options: ListOptions, list: string | undefined, texts: string): HttpWalk | undefined {
  if (options.records === 'lines' && !['auto', 'none'].includes(options.paging))
    throw invalid(`records=lines is one answer; paging must be auto or none, and is ${options.paging}`);
  const { page_parameter, page_size, total_key, pages_key } = options;
  const items = list === undefined || list === '' ? {} : { items: list };
  const total = total_key === undefined || total_key === 'none' ? {} : { total: total_key };
  const size = page_size === undefined ? {} : { size: { value: page_size } };
  const end = options.end_status === undefined ? {} : { end: options.end_status };
  const parameter = (name: string): { readonly parameter?: string } => {
    if (page_parameter !== undefined) return { parameter: page_parameter };
    if (texts.includes(name)) return {};
    throw invalid(`paging ${options.paging} needs page_parameter, or {{ ${name} }} in path, query or body`);
  };
  switch (options.paging) {
    case 'link':
      return { by: 'link', ...items };
    case 'next':
      return { by: 'next', next: options.next_key, ...items };
    case 'cursor': {
      if (options.cursor_key === undefined) throw invalid('paging cursor needs cursor_key');
      const into = parameter('CURSOR').parameter;
      return {
        by: 'cursor',
        cursor: options.cursor_key,
        ...(into === undefined ? {} : { into: { query: into } }),
        ...(options.more_key === undefined ? {} : { more: options.more_key }),
        ...items,
      };
    }
    case 'page': {
      const pages = pages_key === undefined ? {} : { pages: pages_key };
      const first = { first: options.first_page };
      return {
        by: 'page',
        ...parameter('PAGE'),
        ...first,
        ...size,
        ...items,
        ...total,
        ...pages,
        ...end,
        passes: true,
      };
    }
    case 'offset':
      return { by: 'offset', ...parameter('OFFSET'), ...size, ...items, ...total, ...end, passes: true };
    default:
      return undefined;
  }
}

function invalid(message: string): AppError {
  return new AppError('invalid_input', message);
}
