import { isSecretName } from '../../kit/masking/secret-names.ts';
import { refusedAddress } from '../../kit/names/addresses.ts';
import { worded } from '../../kit/worded.ts';
import {
  AppError,
  type HttpAuth,
  type HttpLimits,
  type HttpRetry,
  type HttpSettings,
  type HttpTls,
  type Logger,
  type Wording,
} from '../../ports/index.ts';
import { HiddenSecrets } from './hidden-secrets.ts';

const LIMITS: HttpLimits = {
  connectSeconds: 10,
  answerSeconds: 30,
  idleSeconds: 30,
  requestSeconds: 300,
  streamSeconds: 3_600,
  bytes: 32 * 1024 * 1024,
  streamBytes: 16 * 1024 * 1024 * 1024,
  redirects: 5,
  concurrent: 8,
  pages: 100_000,
};

const RETRY: HttpRetry = {
  attempts: 4,
  firstSeconds: 0.5,
  longestSeconds: 30,
  retryAfterSeconds: 120,
  totalSeconds: 300,
};

/** Settings that were checked, with everything in place that has a default. */
export interface CheckedSettings {
  readonly base: URL;
  readonly auth: HttpAuth | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly proxy: URL | undefined;
  readonly tls: HttpTls;
  readonly limits: HttpLimits;
  readonly retry: HttpRetry;
  readonly followsElsewhere: boolean;
  readonly logger: Logger | undefined;
  readonly mask: HiddenSecrets;
}

export function checkedSettings(settings: HttpSettings): CheckedSettings {
  const base = addressOf('url', settings.url);
  if (base.username !== '' || base.password !== '') {
    throw refused(worded`url must not contain a user name and password; give them as credentials of the account`);
  }
  base.hash = '';
  const proxy = settings.proxy === undefined ? undefined : addressOf('http_proxy', settings.proxy);
  const { auth, headers = {}, tls = {} } = settings;
  if (auth?.kind === 'oauth2') {
    const { username, password } = addressOf('token_url', auth.tokenUrl);
    if (username !== '' || password !== '') throw refused(worded`token_url must not contain a user name and password`);
  }
  const custom = auth?.kind === 'header' ? { ...headers, [auth.name]: auth.value } : headers;
  for (const [name, value] of Object.entries(custom)) checkHeader(name, value);
  if (auth?.kind === 'session') checkHeader(auth.header, auth.scheme ?? '');
  if ((tls.cert === undefined) !== (tls.key === undefined)) {
    throw refused(
      worded`a client certificate needs its key, and a key its certificate: set client_cert and client_key`,
    );
  }
  return {
    base,
    auth,
    headers,
    proxy,
    tls,
    limits: { ...LIMITS, ...given(settings.limits) },
    retry: { ...RETRY, ...given(settings.retry) },
    followsElsewhere: settings.otherOrigins === 'without_credentials',
    logger: settings.logger,
    mask: maskOf(settings, base, proxy),
  };
}

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Headers that belong to the connection, and would turn this request into another one. */
const OWN_HEADERS = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** A name or value with a line break would be another header, or another request. */
export function checkHeader(name: string, value: string): void {
  if (!HEADER_NAME.test(name)) throw refused(worded`${{ name: JSON.stringify(name) }} is not the name of a header`);
  if (OWN_HEADERS.has(name.toLowerCase()))
    throw refused(worded`the header ${{ name }} is set by the connection; remove it`);
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
    throw refused(
      worded`the value of the header ${{ name }} contains a line break or another character that headers cannot have`,
    );
  }
}

function addressOf(option: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw refused(worded`${{ option }} must be an address that begins with http:// or https://`);
  }
  const reason = refusedAddress(url.hostname);
  if (reason !== undefined) throw refused(worded`${{ option }}: ${{ reason }}`);
  return url;
}

function refused(message: Wording): AppError {
  return new AppError('invalid_input', message);
}

/** Returns the members that are set; members without a value count as absent. */
function given<T extends object>(values: Partial<T> | undefined): Partial<T> {
  return Object.fromEntries(Object.entries(values ?? {}).filter(([, value]) => value !== undefined)) as Partial<T>;
}

function maskOf(
  { auth, headers = {}, tls = {}, secrets = [] }: HttpSettings,
  base: URL,
  proxy: URL | undefined,
): HiddenSecrets {
  const logins = auth !== undefined && 'username' in auth ? [auth.username] : [];
  const texts = [
    ...credentialsOf(auth),
    ...Object.values(headers),
    ...[...base.searchParams].filter(([name]) => isSecretName(name)).map(([, value]) => value),
    ...(proxy === undefined ? [] : [decoded(proxy.password)]),
    ...(tls.passphrase === undefined ? [] : [tls.passphrase]),
    ...(tls.key === undefined ? [] : [tls.key]),
    ...secrets,
  ];
  return new HiddenSecrets(texts, logins);
}

function credentialsOf(auth: HttpAuth | undefined): readonly string[] {
  switch (auth?.kind) {
    case 'basic':
    case 'digest':
      return [auth.password];
    case 'bearer':
      return [auth.token];
    case 'header':
      // `Token 0123`: the scheme is not secret, and the part after it is a secret by itself.
      return [auth.value, auth.value.replace(/^\w+ /, '')];
    case 'oauth2':
      return [auth.clientSecret];
    case 'session':
      return auth.login.basic === undefined ? [] : [auth.login.basic.password];
    default:
      return [];
  }
}

/** Decodes parts of an address; a percent sign that begins no code is kept. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
