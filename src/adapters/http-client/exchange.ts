import { maskedError, maskedSaid } from '../../kit/masking/masked.ts';
import { saidBy, worded } from '../../kit/worded.ts';
import {
  AppError,
  type Clock,
  type HttpContext,
  HttpError,
  type HttpHead,
  type HttpRequest,
  type Wording,
} from '../../ports/index.ts';
import type { Credentials } from './auth/credentials.ts';
import { Deadline } from './deadline.ts';
import { excerptOf } from './excerpt.ts';
import { failedTry, RequestFailure, shownRequest } from './faults.ts';
import { type PreparedRequest, preparedRequest, sameOrigin } from './request.ts';
import { isPassingStatus, isRepeatable, secondsToNext } from './retry.ts';
import type { CheckedSettings } from './settings.ts';
import { statusFailure } from './status.ts';
import type { Transport, WireAnswer } from './transport.ts';
import type { Turns } from './turns.ts';
import { ACCEPT_ENCODING, unpacked } from './unpack.ts';

export interface ExchangeDeps {
  readonly settings: CheckedSettings;
  readonly credentials: Credentials;
  readonly transport: () => Promise<Transport>;
  readonly turns: Turns;
  readonly clock: Clock;
  readonly random: () => number;
  readonly sleep: (seconds: number, signal: AbortSignal) => Promise<void>;
}

/** An answer whose head is there. */
export interface OpenAnswer extends HttpHead {
  readonly body: AsyncGenerator<Uint8Array, void, undefined>;
  /** Gives back connection and turn. Idempotent. */
  discard(): void;
}

/** How an answer is taken. */
export interface Reading<T> {
  /** Accepted media types, unless the request names its own. */
  readonly accept: string;
  readonly seconds: number;
  /** Bytes, unpacked. */
  readonly limit: number;
  /** Failures in here count as failures of the try. */
  read(answer: OpenAnswer): Promise<T>;
  /** True if the answer is read later, by a caller who discards it. */
  readonly isLeftOpen?: boolean;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const EXCERPT_BYTES = 64 * 1024;

/** Performs one request from the view of its caller: with its tries, redirects and logins. */
export async function exchange<T>(
  deps: ExchangeDeps,
  request: HttpRequest,
  { signal }: HttpContext,
  reading: Reading<T>,
): Promise<T> {
  const { settings, clock } = deps;
  const prepared = preparedRequest(settings, request, reading.accept);
  const shown = shownRequest(prepared.method, prepared.url);
  const repeatable = isRepeatable(prepared.method, request.repeatable);
  const began = clock.now().getTime();
  for (let number = 1; ; number++) {
    const outcome = await oneTry(deps, prepared, signal, reading);
    if (outcome.done) return outcome.value;
    const failed = failedTry(outcome.error, shown, outcome.signal);
    if (failed instanceof AppError) throw maskedBy(settings, failed);
    const passed = (clock.now().getTime() - began) / 1000;
    const seconds = secondsToNext(failed, { number, repeatable, passed, random: deps.random }, settings.retry);
    if (seconds === undefined) throw maskedBy(settings, failed.error, number);
    settings.logger?.warn('a request failed and is tried again', {
      error: settings.mask.text(failed.error.message),
      try: number,
      seconds: Math.round(seconds * 10) / 10,
    });
    await deps.sleep(seconds, signal).catch((cause: unknown) => {
      throw new AppError('cancelled', worded`${{ what: shown }} was cancelled`, { cause });
    });
  }
}

/** Continues reading an answer that was left open, with errors in the same words. It is not tried again. */
export async function* withWordedErrors<T, End>(
  { settings }: ExchangeDeps,
  content: AsyncGenerator<T, End, undefined>,
  request: HttpRequest,
  { signal }: HttpContext,
): AsyncGenerator<T, End, undefined> {
  try {
    return yield* content;
  } catch (error) {
    const { method, url } = preparedRequest(settings, request, '*/*');
    const failed = failedTry(error, shownRequest(method, url), signal);
    throw maskedBy(settings, failed instanceof AppError ? failed : failed.error);
  }
}

type Outcome<T> =
  | { readonly done: true; readonly value: T }
  | { readonly done: false; readonly error: unknown; readonly signal: AbortSignal };

async function oneTry<T>(
  deps: ExchangeDeps,
  prepared: PreparedRequest,
  signal: AbortSignal,
  reading: Reading<T>,
): Promise<Outcome<T>> {
  let release = (): void => undefined;
  let inner = signal;
  try {
    const giveTurn = await deps.turns.take(signal);
    const deadline = new Deadline(signal, reading.seconds);
    inner = deadline.signal;
    release = () => {
      deadline.done();
      giveTurn();
    };
    // Also for an answer that is not read to its end.
    inner.addEventListener('abort', release, { once: true });
    const { answer, url } = await throughRedirects(deps, prepared, inner);
    const opened = openAnswer(answer, url, reading.limit, release);
    if (!isAccepted(opened, prepared)) throw await failureOfStatus(deps, answer, opened);
    const value = await reading.read(opened);
    if (reading.isLeftOpen !== true) opened.discard();
    return { done: true, value };
  } catch (error) {
    release();
    return { done: false, error, signal: inner };
  }
}

function openAnswer(answer: WireAnswer, url: URL, limit: number, release: () => void): OpenAnswer {
  const { status, headers } = answer;
  // A connection that breaks between reads is reported to the next reader.
  answer.body.on('error', () => undefined);
  const discard = (): void => {
    answer.body.destroy();
    release();
  };
  return {
    status,
    headers,
    url: url.href,
    ...(headers.etag === undefined ? {} : { etag: headers.etag }),
    notModified: status === 304,
    body: until(unpacked(answer.body, headers['content-encoding'], limit), discard),
    discard,
  };
}

async function* until(
  body: AsyncIterable<Uint8Array>,
  discard: () => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* body;
  } finally {
    discard();
  }
}

function isAccepted({ status }: HttpHead, { request }: PreparedRequest): boolean {
  if (status === 304) return request.etag !== undefined || request.accept?.includes(304) === true;
  return (status >= 200 && status < 300) || request.accept?.includes(status) === true;
}

async function failureOfStatus(
  { settings, clock }: ExchangeDeps,
  { status, headers }: WireAnswer,
  opened: OpenAnswer,
): Promise<RequestFailure> {
  const said = excerptOf(await beginning(opened.body, EXCERPT_BYTES), settings.mask);
  return new RequestFailure(
    statusFailure(status, headers, { said, settings, now: clock.now(), passing: isPassingStatus(status) }),
  );
}

/** Returns the readable beginning of an answer that is an error anyway. */
async function beginning(body: AsyncIterable<Uint8Array>, limit: number): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const piece of body) {
      pieces.push(piece);
      size += piece.length;
      if (size >= limit) break;
    }
  } catch {
    // Only its status matters.
  }
  return Buffer.concat(pieces).toString('utf8').slice(0, limit);
}

interface Located {
  readonly answer: WireAnswer;
  readonly url: URL;
}

async function throughRedirects(deps: ExchangeDeps, prepared: PreparedRequest, signal: AbortSignal): Promise<Located> {
  const { settings } = deps;
  let current = prepared;
  for (let followed = 0; ; followed++) {
    const answer = await loggedIn(deps, current, signal);
    if (!REDIRECTS.has(answer.status) || prepared.request.accept?.includes(answer.status) === true) {
      return { answer, url: current.url };
    }
    answer.body.on('error', () => undefined);
    answer.body.destroy();
    if (followed >= settings.limits.redirects) {
      throw redirectFailure(
        worded`is redirected more than ${{ count: String(settings.limits.redirects) }} times; check the address`,
      );
    }
    current = redirected(current, answer, settings);
  }
}

function redirected(current: PreparedRequest, answer: WireAnswer, settings: CheckedSettings): PreparedRequest {
  const { location = '' } = answer.headers;
  const status = String(answer.status);
  const url = location !== '' && URL.canParse(location, current.url.href) ? new URL(location, current.url) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw redirectFailure(worded`is redirected (${{ status }}) to no address; check the address`);
  }
  const isRead = current.method === 'GET' || current.method === 'HEAD';
  const where = `${url.protocol}//${url.host}${url.pathname}`;
  if (!isRead && (answer.status < 307 || !sameOrigin(url, settings.base))) {
    throw redirectFailure(
      worded`is redirected (${{ status }}) to ${{ where }}, where a ${{ method: current.method }} is not sent again; set the address to where it leads`,
    );
  }
  url.username = '';
  url.password = '';
  if (!sameOrigin(url, settings.base) && !settings.followsElsewhere) {
    throw redirectFailure(
      worded`is redirected to ${{ where }}, which is not ${{ origin: settings.base.origin }}: credentials go there only, so it is not followed. If that is the system, set its address; if it is a login page, check the credentials`,
    );
  }
  return { ...current, url };
}

function redirectFailure(message: Wording): RequestFailure {
  return new RequestFailure({ fault: 'redirect', message });
}

/** More are never needed: the first without a login, one with it, and one more with a fresh nonce. */
const MOST_LOGINS = 3;

async function loggedIn(
  { settings, credentials, transport }: ExchangeDeps,
  { method, url, headers, body }: PreparedRequest,
  signal: AbortSignal,
): Promise<WireAnswer> {
  const trusted = sameOrigin(url, settings.base);
  for (let sent = 1; ; sent++) {
    const login = trusted ? await credentials.headers(method, `${url.pathname}${url.search}`, signal) : {};
    const answer = await (await transport()).send({
      url,
      method,
      headers: {
        'accept-encoding': ACCEPT_ENCODING,
        'user-agent': 'muster',
        ...(trusted ? { ...lowerCased(settings.headers), ...headers, ...login } : { accept: headers.accept ?? '*/*' }),
      },
      body: trusted ? body : undefined,
      signal,
      trusted,
    });
    const isRefused = trusted && answer.status === 401 && sent < MOST_LOGINS;
    if (!isRefused || !credentials.refused(answer.headers['www-authenticate'], login, sent > 1)) {
      if (trusted && answer.status < 400) credentials.accepted(answer.headers);
      return answer;
    }
    answer.body.on('error', () => undefined);
    answer.body.destroy();
  }
}

function lowerCased(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function maskedBy({ mask }: CheckedSettings, error: AppError, tries = 1): AppError {
  const hide = (text: string): string => mask.text(text);
  const masked = maskedError(error, hide);
  if (!(error instanceof HttpError)) return masked;
  const { fault, status } = error;
  const failure = saidBy(error);
  const said = tries === 1 ? failure : worded`${{ failure }} (tried ${{ tries: String(tries) }} times)`;
  return new HttpError(fault, maskedSaid(said, hide), {
    ...(masked.cause === undefined ? {} : { cause: masked.cause }),
    ...(status === undefined ? {} : { status }),
    ...(masked.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: masked.retryAfterSeconds }),
  });
}
