import type { HttpRequest } from './http-client.ts';
import type { Logger } from './logger.ts';

/** What the requests to one system have in common. */
export interface HttpSettings {
  /** What all paths begin with: `https://cmdb.example.org/api/v1`. Credentials go to its scheme, host and port, and nowhere else. */
  readonly url: string;
  readonly auth?: HttpAuth;
  /** Sent with every request, to this system only. The values count as secrets. */
  readonly headers?: Readonly<Record<string, string>>;
  /** `http://user:password@proxy.example.org:3128`. Variables of the environment are not asked. */
  readonly proxy?: string;
  readonly tls?: HttpTls;
  readonly limits?: Partial<HttpLimits>;
  readonly retry?: Partial<HttpRetry>;
  /**
   * What happens to a redirect to another scheme, host or port: refused (default), or followed without credentials, headers of
   * the settings and client certificate. Links to next pages are refused in any case.
   */
  readonly otherOrigins?: 'refuse' | 'without_credentials';
  /** Further texts to hide in messages. What `auth`, `headers`, `proxy` and `tls` hold is hidden without that. */
  readonly secrets?: readonly string[];
  /** Is told of requests that are tried again. */
  readonly logger?: Logger;
}

export type HttpAuth =
  | { readonly kind: 'basic' | 'digest'; readonly username: string; readonly password: string }
  | { readonly kind: 'bearer'; readonly token: string }
  /** A header with a key: `X-API-Key`, or `Authorization` with the value `Token 0123`. */
  | { readonly kind: 'header'; readonly name: string; readonly value: string }
  /** OAuth 2 client credentials. The token is fetched when it is needed, kept until it expires, and renewed once upon a 401. */
  | {
      readonly kind: 'oauth2';
      readonly tokenUrl: string;
      readonly clientId: string;
      readonly clientSecret: string;
      readonly scope?: string;
      readonly audience?: string;
      /** Where id and secret stand in the request for a token; default `basic`. */
      readonly style?: 'basic' | 'body';
    }
  | HttpSessionAuth;

/**
 * A login that answers a token, which the other requests carry. It is sent when the first of them is, once more upon a 401 to one, and
 * ended when the client is closed.
 */
export interface HttpSessionAuth {
  readonly kind: 'session';
  /** Default POST. `basic`: user and password stand in the header of this one. What else it holds is in `secrets` of the settings. */
  readonly login: HttpSessionRequest & { readonly basic?: { readonly username: string; readonly password: string } };
  /** Where the answer has it: a member, by its dotted path, a header, its cookies, or all of its text. */
  readonly token: { readonly member: string } | { readonly header: string } | 'cookies' | 'text';
  /** Carries the token, behind a word where there is one: `X-Auth-Token`, or `Authorization` and `Bearer`. Cookies go as cookies. */
  readonly header: string;
  readonly scheme?: string;
  /** Ends the session. Default POST. What happens to it is not looked at. */
  readonly logout?: HttpSessionRequest;
}

export type HttpSessionRequest = Pick<HttpRequest, 'method' | 'path' | 'headers' | 'json' | 'form' | 'body'>;

export interface HttpTls {
  /** Certificates (PEM) that are trusted besides those of the system. */
  readonly ca?: string;
  /** False trusts any certificate, and so anybody on the way. Default true. */
  readonly verify?: boolean;
  /** The client's certificate with its chain, and its key (PEM). */
  readonly cert?: string;
  readonly key?: string;
  readonly passphrase?: string;
}

export interface HttpLimits {
  /** Until the connection stands, TLS included. Default 10. */
  readonly connectSeconds: number;
  /** From the request to the head of the answer. Default 30. */
  readonly answerSeconds: number;
  /** Between two pieces of an answer. Default 30. */
  readonly idleSeconds: number;
  /** One request with its answer, each try by itself. Default 300; an answer that is read as a stream has 3,600. */
  readonly requestSeconds: number;
  readonly streamSeconds: number;
  /** Bytes of an answer, unpacked. Default 32 MiB; as a stream 16 GiB. */
  readonly bytes: number;
  readonly streamBytes: number;
  /** Default 5. */
  readonly redirects: number;
  /** Requests at the same time. Default 8. */
  readonly concurrent: number;
  /** Pages of one walk. Default 100,000. */
  readonly pages: number;
}

/**
 * What is tried again, after a time that doubles and is left to chance: lost connections and timeouts, 429, 500, 502, 503 and
 * 504, for methods that may be repeated (GET, HEAD, OPTIONS, PUT, DELETE) and requests that say so. `Retry-After` is obeyed.
 * Where no connection came about, any request is.
 */
export interface HttpRetry {
  /** Tries in all; 1 is none again. Default 4. */
  readonly attempts: number;
  /** The first time to wait; it doubles up to `longestSeconds`. Default 0.5 and 30. */
  readonly firstSeconds: number;
  readonly longestSeconds: number;
  /** A `Retry-After` beyond it ends the request. Default 120. */
  readonly retryAfterSeconds: number;
  /** All tries with the time between them; after that there is no other. Default 300. */
  readonly totalSeconds: number;
}
