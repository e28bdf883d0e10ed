import { worded } from '../../kit/worded.ts';
import {
  type Clock,
  type Http,
  type HttpAnswer,
  type HttpClient,
  type HttpContext,
  type HttpDocument,
  HttpError,
  type HttpRequest,
  type HttpRest,
  type HttpSettings,
  type JsonValue,
} from '../../ports/index.ts';
import { credentialsOf, type IssuedAuth } from './auth/credentials.ts';
import { fetchToken } from './auth/fetch-token.ts';
import { endSession, openSession } from './auth/session.ts';
import { TokenKeeper } from './auth/token-keeper.ts';
import { emptyAnswer, jsonOf, textOf, wholeBody } from './content.ts';
import { excerptOf } from './excerpt.ts';
import { type ExchangeDeps, exchange, type OpenAnswer, type Reading, withWordedErrors } from './exchange.ts';
import { RequestFailure, shownRequest } from './faults.ts';
import type { HiddenSecrets } from './hidden-secrets.ts';
import { linkOf } from './link-header.ts';
import { onAbort } from './on-abort.ts';
import { recordsOf } from './record-stream.ts';
import { preparedRequest, sameOrigin } from './request.ts';
import { type CheckedSettings, checkedSettings } from './settings.ts';
import { openTransport, type Transport } from './transport.ts';
import { Turns } from './turns.ts';
import { firstRequest, walkPages } from './walks.ts';

export interface HttpClientsDeps {
  readonly clock: Clock;
  /** Returns a number from 0 to 1, for the times between tries. */
  readonly random?: () => number;
  readonly sleep?: (seconds: number, signal: AbortSignal) => Promise<void>;
}

/** Clients over undici. Nothing is connected before the first request. */
export function httpClients(deps: HttpClientsDeps): Http {
  return { client: (settings) => httpClient(settings, deps) };
}

const JSON_ACCEPTED = 'application/json, */*;q=0.1';

function httpClient(
  given: HttpSettings,
  { clock, random = Math.random, sleep: wait = pause }: HttpClientsDeps,
): HttpClient {
  const settings = checkedSettings(given);
  const { limits, mask } = settings;
  let transport: Transport | undefined;
  let isClosed = false;
  const opened = (): Transport => {
    if (isClosed) throw new HttpError('lost', worded`the client of ${{ origin: settings.base.origin }} is closed`);
    transport ??= openTransport(settings);
    return transport;
  };
  const common = { transport: async () => opened(), turns: new Turns(limits.concurrent), clock, random, sleep: wait };
  let keeper: TokenKeeper | undefined;
  const tokens = (auth: IssuedAuth): TokenKeeper => {
    keeper = new TokenKeeper(
      () => (auth.kind === 'oauth2' ? fetchToken(auth, settings, common) : openSession(auth, settings, common)),
      () => clock.now().getTime(),
    );
    return keeper;
  };
  const credentials = credentialsOf(settings.auth, tokens);
  const deps: ExchangeDeps = { ...common, settings, credentials };
  const whole = { seconds: limits.requestSeconds, limit: limits.bytes };

  const open = (request: HttpRequest, accept: string, context: HttpContext): Promise<OpenAnswer> =>
    exchange(deps, request, context, {
      accept,
      seconds: limits.streamSeconds,
      limit: limits.streamBytes,
      read: async (answer) => answer,
      isLeftOpen: true,
    });

  const document = <T>(
    request: HttpRequest,
    accept: string,
    context: HttpContext,
    read: (bytes: Uint8Array, type: string | undefined, status: number) => T | undefined,
  ): Promise<HttpDocument<T>> => {
    const reading: Reading<HttpDocument<T>> = {
      accept,
      ...whole,
      async read({ body, discard: _, ...head }) {
        const bytes = await wholeBody(body);
        const isEmpty = head.notModified || request.method?.toUpperCase() === 'HEAD';
        return { ...head, value: isEmpty ? undefined : read(bytes, head.headers['content-type'], head.status) };
      },
    };
    return exchange(deps, request, context, reading);
  };

  const json = (request: HttpRequest, context: HttpContext): Promise<HttpDocument> =>
    document<JsonValue>(request, JSON_ACCEPTED, context, (bytes, type, status) => {
      // A status that the caller accepts is the answer; a page of a proxy may come with it.
      if (status >= 300 && !isJsonType(type)) return undefined;
      if (bytes.length > 0) {
        const found = jsonOf(textOf(bytes, type), { type, mask });
        refuseErrors(request, found, mask);
        return found;
      }
      if (/^(?:get|options)$/i.test(request.method ?? 'get') || request.repeatable === true) throw emptyAnswer();
      return undefined;
    });

  return {
    url: given.url,
    async request(request, context): Promise<HttpAnswer> {
      const { body, ...answer } = await open(request, '*/*', context);
      return { ...answer, body: withWordedErrors(deps, body, request, context) };
    },
    json,
    text: (request, context) => document(request, 'text/plain, */*;q=0.1', context, textOf),
    async *records(request, path, context): AsyncGenerator<readonly JsonValue[], HttpRest, undefined> {
      const { body, discard: _, ...head } = await open(request, JSON_ACCEPTED, context);
      const content = { type: head.headers['content-type'], mask };
      const records = recordsOf(body, path, content, (document) => refuseErrors(request, document, mask));
      const rest = yield* withWordedErrors(deps, records, request, context);
      const next = linkOf(head.headers.link ?? '', 'next');
      return { ...head, ...rest, ...(next === undefined ? {} : { next }) };
    },
    async *pages(request, walk, context) {
      const { method, url } = preparedRequest(settings, firstRequest(request, walk), JSON_ACCEPTED);
      const shown = mask.text(shownRequest(method, url));
      yield* walkPages(
        {
          json: (one) => json(one, context),
          maxPages: limits.pages,
          shown,
          nextAddress: (target, from) => nextAddress(settings, target, from, shown),
        },
        request,
        walk,
      );
    },
    async close() {
      if (isClosed) return;
      const token = keeper?.known;
      if (settings.auth?.kind === 'session' && token !== undefined) {
        keeper?.forget(token);
        await endSession(settings.auth, token, settings, common);
      }
      isClosed = true;
      await transport?.close();
    },
  };
}

/** Throws if the caller finds an error reported in a document. */
function refuseErrors(request: HttpRequest, document: JsonValue, mask: HiddenSecrets): void {
  const said = request.refusal?.(document);
  if (said === undefined) return;
  const shown = excerptOf(said, mask);
  throw new RequestFailure({
    fault: 'refused',
    message:
      shown === ''
        ? worded`is refused by the system`
        : worded`is refused by the system, which says: ${{ said: shown }}`,
  });
}

function isJsonType(type: string | undefined): boolean {
  return /^application\/(?:[\w.-]+\+)?json\b/i.test(type ?? '');
}

function nextAddress({ base }: CheckedSettings, target: string, from: string, shown: string): string {
  const url = URL.canParse(target, from) ? new URL(target, from) : undefined;
  if (url !== undefined && sameOrigin(url, base)) {
    url.hash = '';
    return url.href;
  }
  const where = url === undefined ? worded`no address` : `${url.protocol}//${url.host}`;
  throw new HttpError(
    'origin',
    worded`${{ request: shown }} leads to a next page at ${{ where }}: credentials go to ${{ origin: base.origin }} only, so it is not read. If the system calls itself so, set its address to that, or correct its own address there`,
  );
}

function pause(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      stay();
      resolve();
    }, seconds * 1000);
    const stay = onAbort(signal, () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
