import { headersOf } from '../../../app/kernel/options/http-headers.ts';
import {
  AppError,
  type Http,
  type HttpAuth,
  type HttpClient,
  type HttpContext,
  type HttpSettings,
  type HttpTls,
  type Logger,
  type SourceAccount,
  type SourceFiles,
} from '../../../ports/index.ts';
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
  const read = (path: string | undefined): Promise<string> => fileText(files, path, signal);
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
    tls: await tlsOf(options, read),
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

async function tlsOf(
  options: HttpAccountOptions,
  read: (path: string | undefined) => Promise<string>,
): Promise<HttpTls> {
  const authorities = [await read(options.ca_cert_chain), await read(options.ca_root_cert)].filter((pem) => pem !== '');
  const cert = await read(options.client_cert);
  const key = options.client_key === undefined ? cert : await read(options.client_key);
  return {
    verify: options.verify_cert,
    ...(authorities.length === 0 ? {} : { ca: authorities.join('\n') }),
    ...(cert === '' ? {} : { cert }),
    ...(key === '' ? {} : { key }),
    ...(options.client_key_passphrase === undefined ? {} : { passphrase: options.client_key_passphrase }),
  };
}

const MOST_BYTES = 1024 * 1024;

async function fileText(
  files: Pick<SourceFiles, 'read'>,
  path: string | undefined,
  signal: AbortSignal,
): Promise<string> {
  if (path === undefined || path === '') return '';
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of files.read(path, { signal, progress: () => undefined })) {
    size += piece.length;
    if (size > MOST_BYTES) throw new AppError('failed', `${path} is too large for certificates`);
    // It is overwritten when the next one comes.
    pieces.push(Buffer.from(piece));
  }
  return Buffer.concat(pieces).toString('utf8');
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
