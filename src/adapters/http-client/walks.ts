import { worded } from '../../kit/worded.ts';
import {
  type HttpDocument,
  HttpError,
  type HttpFault,
  type HttpPage,
  type HttpPagePlace,
  type HttpRequest,
  type HttpWalk,
  type JsonValue,
  type Wording,
} from '../../ports/index.ts';
import { linkOf } from './link-header.ts';
import { memberAt, withMember } from './member-at.ts';

export interface WalkDeps {
  json(request: HttpRequest): Promise<HttpDocument>;
  readonly maxPages: number;
  /** Throws for an address that pages must not be read from. Returns its form in requests. */
  nextAddress(target: string, from: string): string;
  /** How the list is called in messages. */
  readonly shown: string;
}

type PageRequest = HttpRequest | ((place: HttpPagePlace) => HttpRequest);

/** State of a walk: what has arrived so far, and what must not arrive again. */
interface Progress {
  number: number;
  records: number;
  /** Start of the next page: after the received records, and those of pages that failed. */
  offset: number;
  /** Records of the longest page: a server may give less than it is asked for. */
  longest: number;
  failuresInARow: number;
  /** Number of pages, as far as the server stated it. */
  of: number | undefined;
  total: number | undefined;
  readonly seen: Set<string>;
  lastPage: readonly JsonValue[] | undefined;
}

/**
 * Reads page after page until the list reports its end. Anything else that could look like the end throws: a list wrongly taken
 * for complete archives hosts.
 */
export async function* walkPages(
  deps: WalkDeps,
  request: PageRequest,
  walk: HttpWalk,
): AsyncGenerator<HttpPage, void, undefined> {
  const progress: Progress = {
    number: 0,
    records: 0,
    offset: 0,
    longest: 0,
    failuresInARow: 0,
    of: undefined,
    total: undefined,
    seen: new Set(),
    lastPage: undefined,
  };
  let next: HttpRequest | undefined = firstRequest(request, walk);
  while (next !== undefined) {
    if (progress.number >= deps.maxPages)
      throw endless(deps, worded`has more than ${{ count: String(deps.maxPages) }} pages; ask for larger ones`);
    const page: HttpPage | undefined = await onePage(deps, next, walk, progress);
    if (page === undefined) return;
    progress.number++;
    const following: HttpRequest | undefined =
      page.failure === undefined
        ? nextRequest(deps, request, walk, page, taken(page, progress))
        : behindFailure(request, walk, progress);
    yield progress.of === undefined ? page : { ...page, of: progress.of };
    next = following;
  }
}

/** `undefined` when the list is not changed at all. */
async function onePage(
  deps: WalkDeps,
  request: HttpRequest,
  walk: HttpWalk,
  progress: Progress,
): Promise<HttpPage | undefined> {
  try {
    const document = await deps.json(request);
    return document.notModified ? undefined : pageOf(deps, document, walk, progress);
  } catch (error) {
    if (isEnd(error, walk, progress)) return undefined;
    if (!isPassedOver(error, walk, progress)) throw error;
    const head = { status: error.status ?? 0, headers: {}, url: '', notModified: false };
    return { ...head, number: progress.number + 1, records: [], value: null, failure: error };
  }
}

const MOST_FAILURES = 3;
/** Faults that every other page would have too. */
const OF_ALL_PAGES: ReadonlySet<HttpFault> = new Set(['unauthenticated', 'tls', 'proxy', 'redirect', 'origin']);

function isEnd(error: unknown, walk: HttpWalk, { number, failuresInARow }: Progress): boolean {
  if (!(walk.by === 'page' || walk.by === 'offset') || walk.end === undefined) return false;
  return error instanceof HttpError && error.status === walk.end && number > 0 && failuresInARow === 0;
}

function isPassedOver(error: unknown, walk: HttpWalk, { number, failuresInARow }: Progress): error is HttpError {
  if (!(walk.by === 'page' || walk.by === 'offset') || walk.passes !== true || number === 0) return false;
  if (!(error instanceof HttpError) || OF_ALL_PAGES.has(error.fault) || error.status === 403) return false;
  return failuresInARow + 1 < MOST_FAILURES;
}

function taken({ records }: HttpPage, progress: Progress): Progress {
  progress.records += records.length;
  progress.offset += records.length;
  progress.longest = Math.max(progress.longest, records.length);
  progress.failuresInARow = 0;
  return progress;
}

function behindFailure(request: PageRequest, walk: HttpWalk, progress: Progress): HttpRequest | undefined {
  progress.failuresInARow++;
  progress.offset += progress.longest;
  const isOver =
    (progress.of !== undefined && progress.number >= progress.of) ||
    (progress.total !== undefined && progress.offset >= progress.total);
  return isOver ? undefined : numberedRequest(request, walk, progress);
}

export function firstRequest(request: PageRequest, walk: HttpWalk): HttpRequest {
  const first = { page: walk.by === 'page' ? (walk.first ?? 1) : 1, offset: 0, cursor: null };
  return requestAt(request, walk, { ...first, size: 'size' in walk ? walk.size?.value : undefined }, true);
}

/** The request of the page that comes next. */
function numberedRequest(request: PageRequest, walk: HttpWalk, { number, offset }: Progress): HttpRequest {
  const page = (walk.by === 'page' ? (walk.first ?? 1) : 1) + number;
  const size = 'size' in walk ? walk.size?.value : undefined;
  return requestAt(request, walk, { page, offset, size, cursor: null }, false);
}

/** A tag is for the first page only: the others are other answers. */
function requestAt(request: PageRequest, walk: HttpWalk, place: HttpPagePlace, isFirst: boolean): HttpRequest {
  const { etag, ...made } = typeof request === 'function' ? request(place) : request;
  const kept = isFirst && etag !== undefined ? { ...made, etag } : made;
  if (walk.by !== 'page' && walk.by !== 'offset') return kept;
  const query: Record<string, number> = {};
  if (walk.parameter !== undefined) query[walk.parameter] = walk.by === 'page' ? place.page : place.offset;
  if (walk.size?.parameter !== undefined) query[walk.size.parameter] = walk.size.value;
  return { ...kept, query: { ...kept.query, ...query } };
}

function pageOf(deps: WalkDeps, document: HttpDocument, walk: HttpWalk, { number }: Progress): HttpPage {
  const { value = null, ...head } = document;
  const items = memberAt(value, walk.items ?? '');
  if (!Array.isArray(items)) {
    const page = String(number + 1);
    const said =
      walk.items === undefined || walk.items === ''
        ? worded`page ${{ page }} is not a list; check the path of the list`
        : worded`page ${{ page }} has no list at ${{ path: walk.items }}; check the path of the list`;
    throw pageFault(deps, said, 'content');
  }
  return { ...head, number: number + 1, records: items as readonly JsonValue[], value };
}

/** `undefined` at the end. */
function nextRequest(
  deps: WalkDeps,
  request: PageRequest,
  walk: HttpWalk,
  page: HttpPage,
  progress: Progress,
): HttpRequest | undefined {
  switch (walk.by) {
    case 'link':
      return toAddress(deps, firstRequest(request, walk), linkOf(page.headers.link ?? '', 'next'), page, progress);
    case 'next':
      return toAddress(deps, firstRequest(request, walk), textAt(deps, page, walk.next), page, progress);
    case 'cursor':
      return toCursor(deps, request, walk, page, progress);
    case 'page': {
      const pages = walk.pages === undefined ? undefined : numberAt(deps, page, walk.pages);
      const isTotal = isOver(deps, walk.total, page, progress);
      progress.of = pages ?? progress.of;
      if ((pages !== undefined && progress.number >= pages) || isTotal) return undefined;
      refuseSamePage(deps, walk.parameter, page, progress);
      return numberedRequest(request, walk, progress);
    }
    case 'offset':
      if (isOver(deps, walk.total, page, progress)) return undefined;
      refuseSamePage(deps, walk.parameter, page, progress);
      return numberedRequest(request, walk, progress);
  }
}

function toAddress(
  deps: WalkDeps,
  { method, headers, json, form, body, repeatable, accept }: HttpRequest,
  target: string | undefined,
  page: HttpPage,
  { seen, number }: Progress,
): HttpRequest | undefined {
  if (target === undefined || target === '') return undefined;
  const address = deps.nextAddress(target, page.url);
  seen.add(page.url);
  if (seen.has(address))
    throw endless(deps, worded`goes in circles: page ${{ page: String(number) }} leads to one that was read before`);
  seen.add(address);
  // The address has its parameters.
  const kept = { method, headers, json, form, body, repeatable, accept };
  return { ...Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined)), path: address };
}

function toCursor(
  deps: WalkDeps,
  request: PageRequest,
  walk: HttpWalk & { readonly by: 'cursor' },
  page: HttpPage,
  { seen, number, offset }: Progress,
): HttpRequest | undefined {
  const more = walk.more === undefined ? undefined : memberAt(page.value, walk.more);
  if (walk.more !== undefined && typeof more !== 'boolean') {
    throw pageFault(
      deps,
      worded`page ${{ page: String(number) }} has no true or false at ${{ path: walk.more }}; check that path`,
    );
  }
  const cursor = textAt(deps, page, walk.cursor);
  if (more === false) return undefined;
  if (cursor === undefined || cursor === '') {
    if (more === undefined) return undefined;
    throw pageFault(
      deps,
      worded`page ${{ page: String(number) }} says that there are more, and has no cursor at ${{ path: walk.cursor }}`,
    );
  }
  if (seen.has(cursor))
    throw endless(deps, worded`goes in circles: the cursor of page ${{ page: String(number) }} is repeated`);
  seen.add(cursor);
  // Numbers stay numbers.
  const value = memberAt(page.value, walk.cursor) as string | number;
  const made = requestAt(request, walk, { page: number + 1, offset, size: undefined, cursor: value }, false);
  if (walk.into === undefined) return made;
  if ('query' in walk.into) return { ...made, query: { ...made.query, [walk.into.query]: cursor } };
  return { ...made, json: withMember(made.json, walk.into.body, value) };
}

/** The total of the last page counts: records come and go while a list is read. */
function isOver(deps: WalkDeps, path: string | undefined, page: HttpPage, progress: Progress): boolean {
  const { records, offset, number, longest } = progress;
  const total = path === undefined ? undefined : numberAt(deps, page, path);
  progress.total = total;
  if (total !== undefined) progress.of = longest === 0 ? undefined : Math.ceil(total / longest);
  if (total !== undefined && offset >= total) return true;
  if (page.records.length > 0) return false;
  if (total === undefined) return true;
  const [empty, came, promised] = [String(number), String(records), String(total)];
  throw pageFault(
    deps,
    worded`page ${{ page: empty }} is empty after ${{ count: came }} of ${{ total: promised }} records; run it again, and ask for smaller pages if it stays so`,
  );
}

/** A system that does not know the parameter gives the first page for ever. */
function refuseSamePage(
  deps: WalkDeps,
  parameter: string | undefined,
  { records }: HttpPage,
  progress: Progress,
): void {
  if (isSame(records, progress.lastPage)) {
    throw endless(
      deps,
      parameter === undefined
        ? worded`gives the same page again; the system does not seem to know what it is asked for`
        : worded`gives the same page again; the system does not seem to know the parameter ${{ parameter }}`,
    );
  }
  progress.lastPage = records;
}

/** Writing a page as text takes as long as reading it, so its ends are compared first. */
function isSame(a: readonly JsonValue[], b: readonly JsonValue[] | undefined): boolean {
  if (b === undefined || a.length !== b.length) return false;
  const text = (value: unknown): string => JSON.stringify(value) ?? '';
  return text(a[0]) === text(b[0]) && text(a.at(-1)) === text(b.at(-1)) && text(a) === text(b);
}

function textAt(deps: WalkDeps, page: HttpPage, path: string): string | undefined {
  const found = memberAt(page.value, path);
  if (found === undefined || found === null || found === false) return undefined;
  if (typeof found === 'string') return found;
  if (typeof found === 'number') return String(found);
  throw pageFault(deps, worded`page ${{ page: String(page.number) }} has no text at ${{ path }}; check that path`);
}

/** A promised total that is missing does not count as the end. */
function numberAt(deps: WalkDeps, page: HttpPage, path: string): number {
  const header = /^header:\s*(.+)$/.exec(path)?.[1]?.toLowerCase();
  // `Content-Range: 0-499/1234`
  const found = header === undefined ? memberAt(page.value, path) : page.headers[header]?.replace(/^.*\//, '').trim();
  const number = typeof found === 'string' && /^\d{1,15}$/.test(found) ? Number(found) : found;
  if (typeof number === 'number' && Number.isInteger(number) && number >= 0) return number;
  throw pageFault(deps, worded`page ${{ page: String(page.number) }} has no number at ${{ path }}; check that path`);
}

function endless({ shown }: WalkDeps, problem: Wording): HttpError {
  return new HttpError('pages', worded`${{ request: shown }} ${{ problem }}`);
}

function pageFault({ shown }: WalkDeps, problem: Wording, fault: HttpFault = 'pages'): HttpError {
  return new HttpError(fault, worded`${{ request: shown }}: ${{ problem }}`);
}
