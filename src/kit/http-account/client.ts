import {
  AppError,
  type Http,
  type HttpAuth,
  type HttpClient,
  type HttpContext,
  type HttpSessionAuth,
  type HttpSettings,
  type Logger,
  type SourceAccount,
  type SourceFiles,
  type Wording,
} from '../../ports/index.ts';
import { certificatesOf } from '../connection/certificates.ts';
import { headersOf } from '../options/http-headers.ts';
import { type Said, worded } from '../worded.ts';
import type { HttpAccountOptions } from './options.ts';

export interface HttpAccountServices {
  readonly http: Http;
  /** Certificates are files that the account may read. */
  readonly files: Pick<SourceFiles, 'read'>;
  readonly logger: Logger;
}

/** HTTP settings that an account type fixes for its system, independent of the account. */
export type HttpTypeSettings = Pick<HttpSettings, 'limits' | 'retry' | 'headers' | 'otherOrigins'>;

/** The client of an account: with its login, proxy, headers, certificates and time limits. */
export async function httpClientOf(
  options: HttpAccountOptions,
  account: SourceAccount,
  { http, files, logger }: HttpAccountServices,
  { signal }: HttpContext,
  type: HttpTypeSettings = {},
): Promise<HttpClient> {
  const filled = (option: string, text: string): string => withSecrets(option, text, account);
  const headersIn = (option: 'custom_headers' | 'request_headers') =>
    headersOf(option, filled(option, options[option] ?? ''));
  const url = options.url ?? account.address;
  if (url === '') throw missing('url', worded`the address of the system`);
  const proxy = filled('http_proxy', options.http_proxy ?? '').trim();
  const auth = await authOf(options, account);
  return http.client({
    url,
    logger,
    ...(auth === undefined ? {} : { auth }),
    ...(proxy === '' || proxy.toLowerCase() === 'direct' ? {} : { proxy }),
    tls: { verify: options.verify_cert, ...(await certificatesOf(options, files, signal)) },
    secrets: account.password === '' ? [] : [account.password],
    ...type,
    headers: { ...type.headers, ...headersIn('custom_headers'), ...headersIn('request_headers') },
    limits: { answerSeconds: options.request_timeout, idleSeconds: options.request_timeout, ...type.limits },
  });
}

/** Names the system at an address, as `ObjectTarget.system`: encryption and logins are not part of it. */
export function systemAt(address: string): { readonly system?: string } {
  const text = address.trim();
  if (!URL.canParse(text)) return {};
  const { host, pathname } = new URL(text);
  return { system: `${host}${pathname}`.replace(/\/+$/, '') };
}

/** Returns the kind of login if the account does not set one. */
function kindOf({ username, password }: SourceAccount): NonNullable<HttpAccountOptions['auth']> {
  if (password === '') return 'none';
  return username === '' ? 'bearer' : 'basic';
}

async function authOf(options: HttpAccountOptions, account: SourceAccount): Promise<HttpAuth | undefined> {
  const { username, password } = account;
  const kind = options.auth ?? kindOf(account);
  if (kind === 'none') return undefined;
  if (password === '') throw missing(worded`the password`, neededBy(kind));
  switch (kind) {
    case 'basic':
    case 'digest':
      if (username === '') throw missing('username', neededBy(kind));
      return { kind, username, password };
    case 'bearer':
      return { kind, token: password };
    case 'header': {
      const { header, scheme } = headerAndScheme(options.auth_header);
      return { kind, name: header, value: scheme === undefined ? password : `${scheme} ${password}` };
    }
    case 'session':
      return sessionOf(options, account);
    case 'oauth2': {
      const clientId = options.client_id ?? username;
      if (clientId === '') throw missing('client_id', neededBy(kind));
      if (options.token_url === undefined) throw missing('token_url', neededBy(kind));
      return {
        kind,
        tokenUrl: options.token_url,
        clientId,
        clientSecret: password,
        style: options.token_auth,
        ...(options.scope === undefined ? {} : { scope: options.scope }),
        ...(options.audience === undefined ? {} : { audience: options.audience }),
      };
    }
  }
}

async function sessionOf(options: HttpAccountOptions, account: SourceAccount): Promise<HttpSessionAuth> {
  const { login_path, login_body, logout_path, token_path } = options;
  if (login_path === undefined) throw missing('login_path', neededBy('session'));
  const { name, username, password } = account;
  const kind = options.login_auth ?? (login_body === undefined ? 'basic' : 'none');
  if (kind === 'basic' && username === '') throw missing('username', worded`the login needs it`);
  // The template engine is loaded by those who log in so, and not with every command.
  const { compileBody } = await import('./request-template.ts');
  const body = compileBody('login_body', login_body ?? '')({ account: name, username, password });
  const { header, scheme } = headerAndScheme(options.token_header);
  return {
    kind: 'session',
    login: {
      method: options.login_method,
      path: login_path,
      ...body,
      ...(kind === 'basic' ? { basic: { username, password } } : {}),
    },
    token: tokenPlace(token_path),
    header,
    ...(scheme === undefined ? {} : { scheme }),
    ...(logout_path === undefined ? {} : { logout: { method: options.logout_method, path: logout_path } }),
  };
}

function tokenPlace(path: string): HttpSessionAuth['token'] {
  if (path === 'cookies' || path === 'text') return path;
  return path.startsWith('header:') ? { header: path.slice('header:'.length).trim() } : { member: path };
}

function headerAndScheme(text: string): { readonly header: string; readonly scheme: string | undefined } {
  const [header = '', scheme] = text.split(/:\s*/);
  return { header, scheme };
}

const MACRO = /\{\{\s*ACCOUNT:([^:}]*):\s*([^}]*?)\s*\}\}/g;

/** Replaces `{{ACCOUNT:<account>:password}}` with the account's own password, so that it need not be repeated. */
function withSecrets(option: string, text: string, { name, password }: SourceAccount): string {
  return text.replaceAll(MACRO, (_all, account: string, field: string) => {
    if (account.trim() === name && field === 'password') return password;
    throw new AppError(
      'invalid_input',
      worded`${{ option }} names a field of an account that is not filled in here: write ${{ macro: `{{ACCOUNT:${name}:password}}` }} for the password of this account, or the value itself`,
    );
  });
}

function neededBy(auth: string): Wording {
  return worded`auth ${{ auth }} needs it`;
}

function missing(option: Said, why: Wording): AppError {
  return new AppError('invalid_input', worded`${{ option }} is missing: ${{ why }}; muster account set changes it`);
}
