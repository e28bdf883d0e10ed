import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  None,
  type ServerMetadata,
} from 'openid-client';
import { certificatesOf } from '../../kit/connection/certificates.ts';
import { AppError, HttpError, type SignInContext, type SignInServices, type SourceAccount } from '../../ports/index.ts';
import type { KnownProviders } from './known-providers.ts';
import type { OidcOptions } from './options.ts';

/** A provider, and Muster as its client. */
export interface OidcProvider {
  readonly options: OidcOptions;
  /** Its address is the issuer, its user name the id of the client, its password the secret. */
  readonly account: SourceAccount;
  readonly services: SignInServices;
  readonly known: KnownProviders;
}

/** More than tokens and keys of a provider have. */
const MOST_BYTES = 1024 * 1024;
/** Statuses that the library reads itself. */
const READ_STATUSES = Array.from({ length: 200 }, (_, index) => 400 + index);

/**
 * Returns the provider's metadata and the settings for requests to it. Throws an `AppError` that describes the problem. `isFresh`
 * asks the provider even if the metadata is known.
 */
export async function discovered(
  provider: OidcProvider,
  context: SignInContext,
  { isFresh = false }: { readonly isFresh?: boolean } = {},
): Promise<Configuration> {
  const { account, options, known } = provider;
  const metadata = await known.metadata(placeOf(provider), () => discover(provider), isFresh);
  const configuration = new Configuration(metadata, account.username, undefined, loginOf(provider));
  configuration[customFetch] = await providerFetch(provider, context);
  configuration.timeout = options.request_timeout;
  // If certificates are not checked, or the connection is unencrypted, only the signature proves the origin of a token. Keys are
  // read for each login, so that new ones are accepted at once.
  enableNonRepudiationChecks(configuration);
  if (isUnencrypted(provider)) allowInsecureRequests(configuration);
  return configuration;
}

/** Requests the provider's metadata for all waiting callers: one that gives up does not abort it for the others. */
async function discover(provider: OidcProvider): Promise<ServerMetadata> {
  const { account, options } = provider;
  const fetch = await providerFetch(provider, ownTime(provider));
  const found = await inWords(provider, () =>
    discovery(new URL(account.address), account.username, undefined, loginOf(provider), {
      [customFetch]: fetch,
      timeout: options.request_timeout,
      ...(isUnencrypted(provider) ? { execute: [allowInsecureRequests] } : {}),
    }),
  );
  return found.serverMetadata();
}

function loginOf({ account, options }: OidcProvider): ClientAuth {
  if (account.password === '') return None();
  return options.client_auth === 'post' ? ClientSecretPost(account.password) : ClientSecretBasic(account.password);
}

/** Whether that is taken was decided when the account was opened. */
export function isUnencrypted({ account }: OidcProvider): boolean {
  return new URL(account.address).protocol === 'http:';
}

/** By what a provider is known: who it is, and how it is reached. */
export function placeOf({ account, options }: OidcProvider): string {
  return JSON.stringify([account.address, options]);
}

/** The time of one question to the provider, headers and all of the answer. */
export function ownTime({ options }: OidcProvider): SignInContext {
  return { signal: AbortSignal.timeout(options.request_timeout * 1000) };
}

type Fetch = (
  url: string,
  options: { readonly body?: unknown; readonly headers: Record<string, string>; readonly method: string },
) => Promise<Response>;

/** Requests of the library go by the client of the program: with its certificates, limits and proxy. */
export async function providerFetch(
  { options, account, services }: OidcProvider,
  { signal }: SignInContext,
): Promise<Fetch> {
  const certificates = await certificatesOf(options, services.files, signal);
  return async (url, { method, headers, body }) => {
    const client = services.http.client({
      url: new URL(url).origin,
      tls: { verify: options.verify_cert, ...certificates },
      ...(options.http_proxy === undefined ? {} : { proxy: options.http_proxy }),
      limits: { answerSeconds: options.request_timeout },
      retry: { attempts: 1 },
      secrets: account.password === '' ? [] : [account.password],
    });
    try {
      const sent = body === undefined || body === null ? {} : { body: String(body) };
      const answer = await client.request(
        { method, path: url, headers: { ...headers, ...formType(body, headers) }, ...sent, accept: READ_STATUSES },
        { signal },
      );
      const pieces: Uint8Array[] = [];
      let size = 0;
      for await (const piece of answer.body) {
        size += piece.length;
        if (size > MOST_BYTES) throw new AppError('failed', `${account.address} answers too much`);
        pieces.push(Uint8Array.from(piece));
      }
      const hasNoBody = answer.status === 204 || answer.status === 304;
      return new Response(hasNoBody ? null : Buffer.concat(pieces), { status: answer.status, headers: answer.headers });
    } finally {
      await client.close();
    }
  };
}

function formType(body: unknown, headers: Readonly<Record<string, string>>): Record<string, string> {
  return body instanceof URLSearchParams && headers['content-type'] === undefined
    ? { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' }
    : {};
}

/** Errors of the library say what it expected, and not what to do. */
export async function inWords<T>({ account }: OidcProvider, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    throw problemOf(account.address, cause);
  }
}

function problemOf(issuer: string, cause: unknown): AppError {
  const known = causesOf(cause).find((error): error is AppError => error instanceof AppError);
  if (known instanceof HttpError) return new AppError('unavailable', `${issuer}: ${known.message}`, { cause });
  if (known !== undefined) return known;
  const said = saidBy(cause);
  if (said !== undefined) {
    const advice = ADVICE[said.error] ?? 'look into the log of the provider';
    const more = said.description === '' ? '' : ` (${said.description})`;
    const code = said.error === 'access_denied' ? 'forbidden' : 'failed';
    return new AppError(code, `${issuer} refuses the login: ${said.error}${more}; ${advice}`, { cause });
  }
  const reasons = causesOf(cause).map((error) => (error instanceof Error ? error.message : String(error)));
  const reason = plain(reasons.join(': '));
  return new AppError('failed', `${issuer} does not answer as an OpenID provider should: ${reason}`, { cause });
}

/** Codes of OAuth 2 and OpenID Connect. */
const ADVICE: Readonly<Record<string, string>> = {
  access_denied: 'it was refused or cancelled there',
  invalid_client: 'check username and password of the account: id and secret of the client',
  invalid_grant: 'log in again',
  invalid_scope: 'check scopes of the account',
  unauthorized_client: 'let the client use the authorisation code there',
  redirect_uri_mismatch: 'register the address of return there',
};

/** Returns the provider's own error. */
export function saidBy(error: unknown): { readonly error: string; readonly description: string } | undefined {
  if (typeof error !== 'object' || error === null || !('error' in error) || typeof error.error !== 'string')
    return undefined;
  const description = 'error_description' in error ? String(error.error_description ?? '') : '';
  return { error: plain(error.error), description: plain(description) };
}

function plain(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, ' ').slice(0, 200);
}

function causesOf(error: unknown): readonly unknown[] {
  const causes: unknown[] = [];
  for (let at = error; at !== undefined && causes.length < 10; at = at instanceof Error ? at.cause : undefined) {
    causes.push(at);
  }
  return causes;
}
