import { isJsonObject } from '../../kit/json/json-object.ts';
import { namesOfPath } from '../../kit/json/member-path.ts';
import { ahead } from '../../kit/records/heartbeat.ts';
import { valuesAt } from '../../kit/records/record-path.ts';
import { ANSWER_REMEDY, maySpeak, WholeList } from '../../kit/records/whole-list.ts';
import { phrase, type Said, saidBy, worded } from '../../kit/worded.ts';
import {
  AppError,
  type HttpClient,
  HttpError,
  type HttpFault,
  type HttpHead,
  type HttpPage,
  type HttpRest,
  type HttpWalk,
  type JsonValue,
  type SourceGap,
} from '../../ports/index.ts';
import { FIRST_PLACE, type ListRequest } from './list-request.ts';

/** Some records of a list, or what is missing of it. */
export type ListPart =
  | {
      readonly kind: 'records';
      readonly records: readonly JsonValue[];
      readonly page: number | undefined;
      /** The response that contains them; `null` until it has been read to its end. */
      readonly answer: JsonValue;
    }
  | SourceGap;

interface Context {
  readonly signal: AbortSignal;
}

/**
 * All records of a list. What cannot be read is a gap, unless it is the beginning: then nothing is known of the list, and it throws.
 * It also throws for what no other page would be free of.
 */
export async function* readList(
  client: HttpClient,
  list: ListRequest,
  context: Context,
): AsyncGenerator<ListPart, void, undefined> {
  if (list.walk !== undefined) yield* readPages(client, list, list.walk, context);
  else yield* readAnswer(client, list, context);
}

async function* readPages(
  client: HttpClient,
  list: ListRequest,
  walk: HttpWalk,
  context: Context,
): AsyncGenerator<ListPart, void, undefined> {
  const count = new Count(list);
  yield* pageParts(
    client.pages((place) => list.at(place), walk, context),
    count,
    1,
  );
  yield* count.missing();
}

/** The pages of a walk, the next one being asked for while one is worked on. */
async function* pageParts(
  pages: AsyncGenerator<HttpPage, void, undefined>,
  count: Count,
  first: number,
): AsyncGenerator<ListPart, void, undefined> {
  let last = first - 1;
  try {
    for await (const page of ahead(pages)) {
      const { number, of, records: elements, value, failure } = page;
      last = number + first - 1;
      if (failure === undefined) {
        const records = count.list.records(elements);
        yield { kind: 'records', records, page: last, answer: value };
        count.read(records.length, elements);
        yield* count.said(page, value);
      } else {
        count.hasGap = true;
        const reason = saidBy(failure);
        const isNoPage = failure.status === 404 || failure.status === 416;
        yield {
          kind: 'gap',
          what: pageText(last, of),
          reason: isNoPage
            ? worded`${{ reason }}; if the system answers so behind its last page, set end_status=${{ status: String(failure.status) }}`
            : reason,
        };
      }
    }
  } catch (error) {
    if (last === 0 || !isGap(error)) throw error;
    count.hasGap = true;
    yield { kind: 'gap', what: worded`page ${{ page: String(last + 1) }} and what follows it`, reason: saidBy(error) };
  }
}

function pageText(number: number, of: number | undefined): Said {
  const page = String(number);
  return of === undefined ? worded`page ${{ page }}` : worded`page ${{ page }} of ${{ count: String(of) }}`;
}

/** Faults that would affect every other request as well: nothing could be read. */
const OF_EVERYTHING: ReadonlySet<HttpFault> = new Set(['unauthenticated', 'tls', 'proxy']);

export function isGap(error: unknown): error is HttpError {
  return error instanceof HttpError && !OF_EVERYTHING.has(error.fault) && error.status !== 403;
}

/** One answer of any size, and the pages that it leads to. */
async function* readAnswer(
  client: HttpClient,
  list: ListRequest,
  context: Context,
): AsyncGenerator<ListPart, void, undefined> {
  const { paging } = list.options;
  const count = new Count(list);
  const request = list.at(FIRST_PLACE);
  const isLines = list.options.records === 'lines';
  const batches = client.records(request, isLines ? { by: 'lines' } : list.items, context);
  let rest: HttpRest | undefined;
  try {
    while (rest === undefined) {
      const step = await batches.next();
      if (step.done === true) rest = step.value;
      else {
        const elements = isLines ? step.value.filter((line) => !count.saidByLine(line)) : step.value;
        const records = list.records(elements);
        count.read(records.length, elements);
        yield { kind: 'records', records, page: undefined, answer: null };
      }
    }
  } finally {
    if (rest === undefined) await batches.return(undefined as never).catch(() => undefined);
  }
  yield* count.said(rest, rest.value);
  const next = paging === 'none' || isLines ? undefined : followed(rest, count.whole);
  if (next === undefined) {
    yield* count.missing();
    return;
  }
  const address = resolved(next.address, rest.url);
  if (address === rest.url)
    throw new AppError('failed', worded`${{ path: list.options.path || rest.url }} leads to itself as the next page`);
  // The address has the parameters.
  const { query: _, ...kept } = request;
  count.follows = true;
  yield* pageParts(client.pages({ ...kept, path: address }, next.walk, context), count, 2);
  yield* count.missing();
}

/** Returns the address and paging of the next pages, if the response declares them. */
function followed(
  rest: HttpRest,
  { next }: WholeList,
): { readonly address: string; readonly walk: HttpWalk } | undefined {
  const items = rest.list === '' ? {} : { items: rest.list };
  if (rest.next !== undefined) return { address: rest.next, walk: { by: 'link', ...items } };
  return next === undefined ? undefined : { address: next.address, walk: { by: 'next', next: next.path, ...items } };
}

function resolved(address: string, base: string): string {
  return URL.canParse(address, base) ? new URL(address, base).href : address;
}

/** Members that say what kind of line it is. */
const OF_LINES = /^(?:[@$_].*|type|kind|event)$/;

/** Compares what was read with what the answers say of the list. */
class Count {
  hasGap = false;
  /** Pages were asked for as the answers lead. */
  follows: boolean;
  whole = new WholeList([]);
  readonly list: ListRequest;
  readonly #path: readonly string[];
  readonly #inner: readonly string[];
  /** Reports of list elements about the lists of records inside them. */
  readonly #within: WholeList;
  readonly #ignored: readonly string[];
  readonly #reported = new Set<string>();
  readonly #lines: JsonValue[] = [];
  /** The largest number of all records, by the member that states it. */
  readonly #stated = new Map<string, number>();
  #records = 0;
  #elements = 0;
  /** Number of those on this page. */
  #ofPage = 0;
  #steps = 0;
  #pages = 0;

  constructor(list: ListRequest) {
    this.list = list;
    const { paging, cursor_key, next_key, more_key, ignored_members } = list.options;
    this.follows = paging === 'link' || paging === 'next' || paging === 'cursor';
    this.#path = list.items === undefined || list.items === '' ? [] : namesOfPath(list.items);
    // The walk has asked them.
    const asked = paging === 'cursor' ? [cursor_key, more_key] : paging === 'next' ? [next_key] : [];
    this.#ignored = [...ignored_members, ...asked.flatMap((member) => member ?? [])];
    this.#inner = list.inner === '' ? [] : list.inner.replaceAll('[]', '').split('.');
    this.#within = new WholeList(this.#ignored, list.inner);
  }

  read(records: number, elements: readonly JsonValue[]): void {
    this.#records += records;
    for (const element of this.#inner.length === 0 ? [] : elements)
      this.#within.document(element, this.#inner, [...this.#path, this.#steps++]);
    this.#elements += elements.length;
    this.#ofPage += Math.max(records, elements.length);
  }

  /** Whether a line is not a record but describes the list. */
  saidByLine(line: JsonValue): boolean {
    if (!isJsonObject(line) || Object.hasOwn(line, 'name')) return false;
    const members = Object.entries(line).filter(([name]) => !OF_LINES.test(name));
    const speaks =
      members.length > 0 &&
      members.every(([name, value]) => maySpeak(name, isJsonObject(value ?? null) ? 'object' : 'scalar'));
    if (speaks) this.#lines.push(line);
    return speaks;
  }

  /** The last answer counts: records come and go while a list is read. What went wrong with any counts. */
  *said({ status, headers }: HttpHead, value: JsonValue): Generator<SourceGap> {
    this.#pages++;
    this.whole = new WholeList(this.#ignored, this.list.items).document(value, this.#path).head(status, headers);
    for (const line of this.#lines) this.whole.document(line, []);
    const { total_key } = this.list.options;
    if (total_key !== undefined) this.whole.forgetTotals();
    if (total_key !== undefined && total_key !== 'none')
      this.whole.total(total_key, totalAt(value, headers, total_key));
    for (const list of [this.whole, this.#within]) {
      for (const gap of list.failures(this.#reported)) {
        this.hasGap = true;
        yield gap;
      }
    }
    yield* this.#removed();
    this.#ofPage = 0;
  }

  /** When a record is removed, those behind it move up, one of them to a page that was read before. The last total fits then. */
  *#removed(): Generator<SourceGap> {
    const all = this.whole.all();
    if (all === undefined) return;
    const { member, value } = all;
    const before = this.#stated.get(member) ?? 0;
    // A number up to the size of the page may be that of the page.
    if (value > Math.max(this.#ofPage, before)) this.#stated.set(member, value);
    if (value >= before || this.#reported.has(member)) return;
    this.#reported.add(member);
    this.hasGap = true;
    yield {
      kind: 'gap',
      what: phrase`records that may have moved to a page that was read before`,
      reason: worded`${{ member }} fell from ${{ before: String(before) }} to ${{ now: String(value) }}, so records were removed during the read; the next run reads them all; if that is another number, name ${{ member }} in ignored_members`,
    };
  }

  *missing(): Generator<SourceGap> {
    if (this.hasGap) return;
    const isWalked = this.list.walk !== undefined || this.follows;
    const read = {
      records: this.#records,
      elements: this.#elements,
      asked: this.list.asked,
      ...(isWalked ? { pages: this.#pages, followed: this.follows } : {}),
      remedy: ANSWER_REMEDY,
    };
    const ofElements = this.list.options.total_key === undefined ? this.#within : undefined;
    const gap = this.whole.missing(read) ?? ofElements?.missing({ records: read.records, remedy: ANSWER_REMEDY });
    if (gap !== undefined) yield gap;
  }
}

/** The number of all records where the account says it is. */
function totalAt(value: JsonValue, headers: Readonly<Record<string, string>>, path: string): number {
  const header = /^header:\s*(.+)$/.exec(path)?.[1]?.toLowerCase();
  const found = header === undefined ? valuesAt(value, path)?.[0] : headers[header]?.replace(/^.*\//, '').trim();
  const total = typeof found === 'string' && /^\d{1,15}$/.test(found) ? Number(found) : found;
  if (typeof total === 'number' && Number.isInteger(total) && total >= 0) return total;
  throw new AppError(
    'failed',
    worded`the answer has no number at total_key ${{ path }}; correct that path, or set it to none`,
  );
}
