import { AppError, type AppErrorOptions, type Wording } from './errors.ts';
import type { HttpSettings } from './http-settings.ts';
import type { JsonValue } from './json.ts';

/** Other systems over HTTP. A client for each system; nothing is loaded or connected before its first request. */
export interface Http {
  /** Creates a client. Its first request reports settings that cannot work: `AppError('invalid_input')`. */
  client(settings: HttpSettings): HttpClient;
}

export interface HttpRequest {
  /** Default GET. */
  readonly method?: string;
  /** Below the url of the settings, with or without a slash in front; or a whole URL of the same system. Default: that url. */
  readonly path?: string;
  readonly query?: Readonly<Record<string, HttpQueryValue | readonly HttpQueryValue[] | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** At most one of these: a JSON document, fields of a form, text or bytes (give a `content-type`). */
  readonly json?: JsonValue;
  readonly form?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Uint8Array;
  /** The tag of an answer that the caller still has: the answer may be `notModified`. */
  readonly etag?: string;
  /** True: the request may be sent twice, whatever its method is, such as a search by POST. False: never. */
  readonly repeatable?: boolean;
  /** Statuses beyond 2xx that are an answer here and no error, such as 404. */
  readonly accept?: readonly number[];
  /**
   * Returns the error that a JSON document reports although its status is 2xx, as GraphQL and JSON-RPC do; nothing on success.
   * The document then counts as refused and is not requested again.
   */
  refusal?(document: JsonValue): string | undefined;
}

export type HttpQueryValue = string | number | boolean;

/** Aborting it ends whatever is under way; the error is `AppError('cancelled')`. */
export interface HttpContext {
  readonly signal: AbortSignal;
}

export interface HttpHead {
  readonly status: number;
  /** Names in lower case; several of one name are joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** URL of the answer, after redirects. */
  readonly url: string;
  readonly etag?: string;
  /** The caller's `etag` still holds: there is no content. */
  readonly notModified: boolean;
}

export interface HttpAnswer extends HttpHead {
  /** The unpacked content. Must be read to its end, left by `break`, or discarded: until then it holds a connection. */
  readonly body: AsyncIterable<Uint8Array>;
  discard(): void;
}

/** A whole answer. Numbers that JavaScript would change are texts with the same digits. */
export interface HttpDocument<T = JsonValue> extends HttpHead {
  /** `undefined` only for `notModified`, HEAD, and changes (POST, PUT, PATCH, DELETE) that answer nothing. */
  readonly value: T | undefined;
}

/** JSON Lines, in place of the path of a list. */
export interface HttpLines {
  readonly by: 'lines';
}

/** The rest of the content of an answer that was streamed: everything except its list. */
export interface HttpRest extends HttpHead {
  /** The document without the list, and without other members of more than 64 KiB. */
  readonly value: JsonValue;
  /** The path of the list. */
  readonly list: string;
  /** URL of the next page from a header `Link`, exactly as given there. */
  readonly next?: string;
}

/** Position of a walk at the time a page is requested. */
export interface HttpPagePlace {
  /** As the walk counts: from its `first`. */
  readonly page: number;
  /** Records before it. */
  readonly offset: number;
  /** Records that a page is asked for, when the walk says it. */
  readonly size: number | undefined;
  /** Null for the first page. */
  readonly cursor: string | number | null;
}

/**
 * The way one page leads to the next. Dotted paths name members of the answer; a `total` may also be `header:<name>`. A list of
 * several pages is read to its end, or the walk throws: on a repeated page or cursor, a link that leads elsewhere, too many
 * pages, or an end before the given total.
 */
export type HttpWalk =
  /** A header `Link: <…>; rel="next"` (RFC 8288). */
  | { readonly by: 'link'; readonly items?: string }
  /** The address of the next page is in the answer: `next`, `meta.links.next`. Null, empty or missing at the end. */
  | { readonly by: 'next'; readonly next: string; readonly items?: string }
  /** A cursor is in the answer, and goes into a parameter, or a member of the JSON body that is sent. */
  | {
      readonly by: 'cursor';
      readonly cursor: string;
      /** Absent: the request is built for each page and already contains the cursor. */
      readonly into?: { readonly query: string } | { readonly body: string };
      /** A flag that says whether there is more; without it a missing cursor is the end. */
      readonly more?: string;
      readonly items?: string;
    }
  /** Numbered pages: to an empty one, the number of pages (`pages`), or of records (`total`) that the answer says. */
  | {
      readonly by: 'page';
      /** Absent: the request is built for each page and already contains the number. */
      readonly parameter?: string;
      /** Default 1. */
      readonly first?: number;
      readonly size?: { readonly parameter?: string; readonly value: number };
      readonly items?: string;
      readonly total?: string;
      readonly pages?: string;
      /** The status of an answer that is the end, behind the first page. */
      readonly end?: number;
      /**
       * If true, a page that cannot be read despite retries is yielded with `failure`, and the walk continues after it. Still
       * throws for the first page, for the third failure in a row, and for errors that every page would share (a login, a right).
       */
      readonly passes?: boolean;
    }
  /** Records to skip: to an empty page or the `total`. A server may give less than `value`. */
  | {
      readonly by: 'offset';
      readonly parameter?: string;
      readonly size?: { readonly parameter?: string; readonly value: number };
      readonly items?: string;
      readonly total?: string;
      readonly end?: number;
      readonly passes?: boolean;
    };

export interface HttpPage extends HttpHead {
  /** From 1. */
  readonly number: number;
  /** How many there are, when the answers said it so far. */
  readonly of?: number;
  /** The list at `items`; without that the answer itself. */
  readonly records: readonly JsonValue[];
  readonly value: JsonValue;
  /** Why this page is missing; it has no records then. Only in walks that pass over such. */
  readonly failure?: HttpError;
}

/**
 * One system. Every method throws `HttpError`, whose message says what is wrong and what to do, with method, address and path, and
 * neither parameters nor secrets; `AppError('cancelled')` when the signal aborts. Statuses other than 2xx are errors, unless accepted.
 */
export interface HttpClient {
  /** The address of the settings. */
  readonly url: string;
  /** Answers when the head is there. A connection lost later is not tried again. */
  request(request: HttpRequest, context: HttpContext): Promise<HttpAnswer>;
  /** Throws for anything other than a complete JSON document. */
  json(request: HttpRequest, context: HttpContext): Promise<HttpDocument>;
  text(request: HttpRequest, context: HttpContext): Promise<HttpDocument<string>>;
  /**
   * With lines: each line is a document of its own, and an element. Otherwise: yields the elements of the list at a dotted path
   * (empty: the answer itself) as they arrive, in flat memory. Throws at the end if the answer was incomplete or had no such
   * list. Without a path, the list is the answer itself, or its only member that is a list; the answer is then held as a whole,
   * unless it is a list. The generator returns the content outside the list.
   */
  records(
    request: HttpRequest,
    path: string | HttpLines | undefined,
    context: HttpContext,
  ): AsyncGenerator<readonly JsonValue[], HttpRest, undefined>;
  /** Every page of a list, one after the other. Each is asked for when the one before is done with. */
  pages(
    request: HttpRequest | ((place: HttpPagePlace) => HttpRequest),
    walk: HttpWalk,
    context: HttpContext,
  ): AsyncGenerator<HttpPage, void, undefined>;
  /** Ends what is under way and lets go of connections. Idempotent. */
  close(): Promise<void>;
}

/** The type of an error, for programs. */
export type HttpFault =
  /** No connection: refused, no such name, no route; `lost`: it broke, or the answer was cut off; `proxy`: the proxy refused. */
  | 'unreachable'
  | 'lost'
  | 'timeout'
  | 'tls'
  | 'proxy'
  /** An answer with a status that is an error; `unauthenticated` is a 401, also of the server of tokens. */
  | 'status'
  | 'unauthenticated'
  /** No JSON, or not of the promised shape. */
  | 'content'
  /** An answer whose status means success but whose content reports an error, see `HttpRequest.refusal`. */
  | 'refused'
  | 'too_large'
  /** Too many redirects, or one that is not followed; another origin or address that requests do not go to. */
  | 'redirect'
  | 'origin'
  /** A walk over pages that does not end as it should. */
  | 'pages';

export class HttpError extends AppError {
  readonly fault: HttpFault;
  readonly status: number | undefined;

  constructor(
    fault: HttpFault,
    message: string | Wording,
    options: AppErrorOptions & { readonly status?: number } = {},
  ) {
    super('failed', message, options);
    this.fault = fault;
    this.status = options.status;
  }
}
