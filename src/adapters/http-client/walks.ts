import {
  type HttpDocument,
  HttpError,
  type HttpPage,
  type HttpRequest,
  type HttpWalk,
  type JsonValue,
} from '../../ports/index.ts';
import { linkOf } from './link-header.ts';
import { memberAt, withMember } from './member-at.ts';

export interface WalkDeps {
  json(request: HttpRequest): Promise<HttpDocument>;
  readonly maxPages: number;
  /** Throws for an address that pages are not read from. Answers what a request calls it. */
  nextAddress(target: string, from: string): string;
  /** How the list is called in messages. */
  readonly shown: string;
}

/** Where a walk is: what has come so far, and what must not come again. */
interface Progress {
  number: number;
  records: number;
  readonly seen: Set<string>;
  lastPage: readonly JsonValue[] | undefined;
}

/**
 * Reads page after page until the list says that it is over. Whatever else could look like the end throws: a list that is taken for
 * whole and is not, archives hosts.
 */
export async function* walkPages(
  deps: WalkDeps,
  request: HttpRequest,
  walk: HttpWalk,
): AsyncGenerator<HttpPage, void, undefined> {
  const progress: Progress = { number: 0, records: 0, seen: new Set(), lastPage: undefined };
  let next: HttpRequest | undefined = firstRequest(request, walk);
  while (next !== undefined) {
    if (progress.number >= deps.maxPages)
      throw endless(deps, `has more than ${deps.maxPages} pages; ask for larger ones`);
    const document = await deps.json(next);
    if (document.notModified) return;
    const page = pageOf(deps, document, walk, progress);
    progress.number++;
    progress.records += page.records.length;
    const following: HttpRequest | undefined = nextRequest(deps, request, walk, page, progress);
    yield page;
    next = following;
  }
}

function firstRequest(request: HttpRequest, walk: HttpWalk): HttpRequest {
  if (walk.by === 'page') return withQuery(request, { [walk.parameter]: walk.first ?? 1, ...sizeOf(walk) });
  if (walk.by === 'offset') return withQuery(request, { [walk.parameter]: 0, ...sizeOf(walk) });
  return request;
}

function sizeOf({
  size,
}: {
  readonly size?: { readonly parameter: string; readonly value: number };
}): Record<string, number> {
  return size === undefined ? {} : { [size.parameter]: size.value };
}

/** A tag is for the first page only: the others are other answers. */
function withQuery(
  { etag, ...request }: HttpRequest,
  query: Record<string, string | number>,
  isFirst = true,
): HttpRequest {
  return { ...request, ...(isFirst && etag !== undefined ? { etag } : {}), query: { ...request.query, ...query } };
}

function pageOf(deps: WalkDeps, document: HttpDocument, walk: HttpWalk, { number }: Progress): HttpPage {
  const { value = null, ...head } = document;
  const items = memberAt(value, walk.items ?? '');
  if (!Array.isArray(items)) {
    const where = walk.items === undefined || walk.items === '' ? 'is no list' : `has no list at ${walk.items}`;
    throw new HttpError('content', `${deps.shown}: page ${number + 1} ${where}; check the path of the list`);
  }
  return { ...head, number: number + 1, records: items as readonly JsonValue[], value };
}

/** `undefined` at the end. */
function nextRequest(
  deps: WalkDeps,
  request: HttpRequest,
  walk: HttpWalk,
  page: HttpPage,
  progress: Progress,
): HttpRequest | undefined {
  switch (walk.by) {
    case 'link':
      return toAddress(deps, request, linkOf(page.headers.link ?? '', 'next'), page, progress);
    case 'next':
      return toAddress(deps, request, textAt(deps, page, walk.next), page, progress);
    case 'cursor':
      return toCursor(deps, request, walk, page, progress);
    case 'page': {
      const pages = walk.pages === undefined ? undefined : numberAt(deps, page, walk.pages);
      if (pages !== undefined && progress.number >= pages) return undefined;
      if (isOver(deps, walk.total, page, progress)) return undefined;
      refuseSamePage(deps, walk.parameter, page, progress);
      return withQuery(request, { [walk.parameter]: (walk.first ?? 1) + progress.number, ...sizeOf(walk) }, false);
    }
    case 'offset':
      if (isOver(deps, walk.total, page, progress)) return undefined;
      refuseSamePage(deps, walk.parameter, page, progress);
      return withQuery(request, { [walk.parameter]: progress.records, ...sizeOf(walk) }, false);
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
  if (seen.has(address)) throw endless(deps, `goes in circles: page ${number} leads to one that was read before`);
  seen.add(address);
  // The address has its parameters.
  const kept = { method, headers, json, form, body, repeatable, accept };
  return { ...Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined)), path: address };
}

function toCursor(
  deps: WalkDeps,
  request: HttpRequest,
  walk: HttpWalk & { readonly by: 'cursor' },
  page: HttpPage,
  { seen, number }: Progress,
): HttpRequest | undefined {
  const more = walk.more === undefined ? undefined : memberAt(page.value, walk.more);
  if (walk.more !== undefined && typeof more !== 'boolean') {
    throw new HttpError('pages', `${deps.shown}: page ${number} has no true or false at ${walk.more}; check that path`);
  }
  const cursor = textAt(deps, page, walk.cursor);
  if (more === false) return undefined;
  if (cursor === undefined || cursor === '') {
    if (more === undefined) return undefined;
    throw new HttpError(
      'pages',
      `${deps.shown}: page ${number} says that there are more, and has no cursor at ${walk.cursor}`,
    );
  }
  if (seen.has(cursor)) throw endless(deps, `goes in circles: the cursor of page ${number} came before`);
  seen.add(cursor);
  if ('query' in walk.into) return withQuery(request, { [walk.into.query]: cursor }, false);
  // Numbers stay numbers.
  const value = memberAt(page.value, walk.cursor) as JsonValue;
  return { ...withQuery(request, {}, false), json: withMember(request.json, walk.into.body, value) };
}

/** The total of the last page counts: records come and go while a list is read. */
function isOver(deps: WalkDeps, path: string | undefined, page: HttpPage, { records, number }: Progress): boolean {
  const total = path === undefined ? undefined : numberAt(deps, page, path);
  if (total !== undefined && records >= total) return true;
  if (page.records.length > 0) return false;
  if (total === undefined) return true;
  throw new HttpError(
    'pages',
    `${deps.shown}: page ${number} is empty after ${records} of ${total} records; run it again, and ask for smaller pages if it stays so`,
  );
}

/** A system that does not know the parameter gives the first page for ever. */
function refuseSamePage(deps: WalkDeps, parameter: string, { records }: HttpPage, progress: Progress): void {
  if (isSame(records, progress.lastPage)) {
    throw endless(deps, `gives the same page again; the system does not seem to know the parameter ${parameter}`);
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
  throw new HttpError('pages', `${deps.shown}: page ${page.number} has no text at ${path}; check that path`);
}

/** A total that is missing where one was promised is no end. */
function numberAt(deps: WalkDeps, page: HttpPage, path: string): number {
  const found = memberAt(page.value, path);
  const number = typeof found === 'string' && /^\d{1,15}$/.test(found) ? Number(found) : found;
  if (typeof number === 'number' && Number.isInteger(number) && number >= 0) return number;
  throw new HttpError('pages', `${deps.shown}: page ${page.number} has no number at ${path}; check that path`);
}

function endless({ shown }: WalkDeps, message: string): HttpError {
  return new HttpError('pages', `${shown} ${message}`);
}
