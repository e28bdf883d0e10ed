import { isJsonObject } from '../../app/kernel/json/json-object.ts';
import { phrase, type Said, saidBy, worded } from '../../app/kernel/worded.ts';
import {
  AppError,
  type HttpClient,
  HttpError,
  type HttpFault,
  type HttpPage,
  type HttpRest,
  type HttpWalk,
  type JsonValue,
  type SourceGap,
} from '../../ports/index.ts';
import { ahead } from '../shared/records/beats.ts';
import { FIRST_PLACE, type ListRequest } from './list-request.ts';
import { nextAddress, saidTotal, saysMore, totalAt, valueAt } from './recognised.ts';

/** Some records of a list, or what is missing of it. */
export type ListPart =
  | {
      readonly kind: 'records';
      readonly records: readonly JsonValue[];
      readonly page: number | undefined;
      /** The answer that they stand in; nothing while that is not read to its end. */
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
    for await (const { number, of, records: elements, value, headers, failure } of ahead(pages)) {
      last = number + first - 1;
      if (failure === undefined) {
        const records = count.list.records(elements);
        count.page(records.length, value, headers);
        yield { kind: 'records', records, page: last, answer: value };
      } else {
        count.hasGap = true;
        yield { kind: 'gap', what: pageText(last, of), reason: saidBy(failure) };
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

/** What cannot be another way for anything else that is asked for: nothing of it would be read. */
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
  const batches = client.records(request, list.items, context);
  let rest: HttpRest | undefined;
  try {
    while (rest === undefined) {
      const step = await batches.next();
      if (step.done === true) rest = step.value;
      else {
        const records = list.records(step.value);
        count.read += records.length;
        yield { kind: 'records', records, page: undefined, answer: null };
      }
    }
  } finally {
    if (rest === undefined) await batches.return(undefined as never).catch(() => undefined);
  }
  count.said(rest.value, rest.headers);
  const next = followed(rest);
  if (next === undefined) {
    const more = saysMore(rest.value);
    if (more !== undefined)
      yield count.gap(
        worded`more than this answer (${{ more }})`,
        worded`how to ask for the rest is not known: set paging of the account to how the system pages`,
      );
  } else if (paging === 'none') {
    yield count.gap(
      phrase`the pages behind the first`,
      phrase`the answer leads to a next page, and paging is none: set paging of the account to how the system pages`,
    );
  } else {
    const address = resolved(next.address, rest.url);
    if (address === rest.url)
      throw new AppError('failed', worded`${{ path: list.options.path || rest.url }} leads to itself as the next page`);
    // The address has the parameters.
    const { query: _, ...kept } = request;
    yield* pageParts(client.pages({ ...kept, path: address }, next.walk, context), count, 2);
  }
  yield* count.missing();
}

/** How the pages go on, where the answer tells. */
function followed(rest: HttpRest): { readonly address: string; readonly walk: HttpWalk } | undefined {
  const items = rest.list === '' ? {} : { items: rest.list };
  if (rest.next !== undefined) return { address: rest.next, walk: { by: 'link', ...items } };
  const found = nextAddress(rest.value);
  return found === undefined ? undefined : { address: found.address, walk: { by: 'next', next: found.path, ...items } };
}

function resolved(address: string, base: string): string {
  return URL.canParse(address, base) ? new URL(address, base).href : address;
}

/** Compares what was read with what the answers say there is. */
class Count {
  read = 0;
  hasGap = false;
  readonly list: ListRequest;
  #said: { readonly path: string; readonly total: number } | undefined;

  constructor(list: ListRequest) {
    this.list = list;
  }

  page(records: number, value: JsonValue, headers: Readonly<Record<string, string>>): void {
    this.read += records;
    this.said(value, headers);
  }

  /** The last answer counts: records come and go while a list is read. */
  said(value: JsonValue, headers: Readonly<Record<string, string>>): void {
    const { total_key } = this.list.options;
    if (total_key === 'none') return;
    if (total_key !== undefined) {
      const total = totalAt(value, headers, total_key);
      if (total === undefined)
        throw new AppError(
          'failed',
          worded`the answer has no number at total_key ${{ path: total_key }}; correct that path, or set it to none`,
        );
      this.#said = { path: total_key, total };
      return;
    }
    this.#said = saidTotal(value, headers) ?? this.#besideList(value);
  }

  #besideList(value: JsonValue): { readonly path: string; readonly total: number } | undefined {
    const parent = (this.list.items ?? '').split('.').slice(0, -1).join('.');
    const inner = parent === '' ? undefined : valueAt(value, parent);
    return isJsonObject(inner) ? saidTotal(inner, {}) : undefined;
  }

  gap(what: Said, reason: Said): SourceGap {
    this.hasGap = true;
    return { kind: 'gap', what, reason };
  }

  *missing(): Generator<SourceGap> {
    if (this.hasGap || this.#said === undefined || this.read >= this.#said.total) return;
    const { path } = this.#said;
    const total = String(this.#said.total);
    yield this.gap(
      worded`${{ count: String(this.#said.total - this.read) }} of ${{ total }} records`,
      worded`the system says that there are ${{ total }} (${{ path }}) and gave ${{ count: String(this.read) }}: check paging, and what the user may see; total_key=none compares nothing`,
    );
  }
}
