import { headersOf } from '../../../app/kernel/options/http-headers.ts';
import {
  AppError,
  type Http,
  type HttpAuth,
  type HttpClient,
  type HttpContext,
  type HttpSettings,
  type Logger,
  type SourceAccount,
  type SourceFiles,
} from '../../../ports/index.ts';
import { certificatesOf } from '../connection/certificates.ts';
import type { HttpAccountOptions } from './options.ts';

export interface HttpAccountServices {
  readonly http: Http;
  /** Certificates are files that the account may read. */
  readonly files: Pick<SourceFiles, 'read'>;
  readonly logger: Logger;
}

/** What a type knows of its system beyond the account. */
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
  if (url === '') throw missing('url', 'the address of the system');
  const proxy = filled('http_proxy', options.http_proxy ?? '').trim();
  const auth = authOf(options, account);
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

/** What kind of login it is when nobody says. */
function kindOf({ username, password }: SourceAccount): NonNullable<HttpAccountOptions['auth']> {
  if (password === '') return 'none';
  return username === '' ? 'bearer' : 'basic';
}

function authOf(options: HttpAccountOptions, account: SourceAccount): HttpAuth | undefined {
  const { username, password } = account;
  const kind = options.auth ?? kindOf(account);
  if (kind === 'none') return undefined;
  if (password === '') throw missing('the password', `auth ${kind} needs it`);
  switch (kind) {
    case 'basic':
    case 'digest':
      if (username === '') throw missing('username', `auth ${kind} needs it`);
      return { kind, username, password };
    case 'bearer':
      return { kind, token: password };
    case 'header': {
      const [name = '', scheme] = options.auth_header.split(/:\s*/);
      return { kind, name, value: scheme === undefined ? password : `${scheme} ${password}` };
    }
    case 'oauth2': {
      const clientId = options.client_id ?? username;
      if (clientId === '') throw missing('client_id', 'auth oauth2 needs it');
      if (options.token_url === undefined) throw missing('token_url', 'auth oauth2 needs it');
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

const MACRO = /\{\{\s*ACCOUNT:([^:}]*):\s*([^}]*?)\s*\}\}/g;

/** `{{ACCOUNT:<account>:password}}` names the account's own password, so that it need not stand there twice. */
function withSecrets(option: string, text: string, { name, password }: SourceAccount): string {
  return text.replaceAll(MACRO, (_all, account: string, field: string) => {
    if (account.trim() === name && field === 'password') return password;
    throw new AppError(
      'invalid_input',
      `${option} names a field of an account that is not filled in here: write {{ACCOUNT:${name}:password}} for the password of this account, or the value itself`,
    );
  });
}

function missing(option: string, why: string): AppError {
  return new AppError('invalid_input', `${option} is missing: ${why}; muster account set changes it`);
}
