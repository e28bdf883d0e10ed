import type { HttpRequest } from './http-client.ts';
import type { Logger } from './logger.ts';

/** The settings shared by all requests to one system. */
export interface HttpSettings {
  /**
   * The prefix of all paths: `https://cmdb.example.org/api/v1`. Credentials are sent to its scheme, host and port, and nowhere
   * else.
   */
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
   * The treatment of a redirect to another scheme, host or port: refused (default), or followed without credentials, headers of
   * the settings and client certificate. Links to next pages are refused in any case.
   */
  readonly otherOrigins?: 'refuse' | 'without_credentials';
  /** Further texts to hide in messages. What `auth`, `headers`, `proxy` and `tls` hold is hidden without that. */
  readonly secrets?: readonly string[];
  /** Receives an entry for each request that is retried. */
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
      /** Place of id and secret in the request for a token; default `basic`. */
      readonly style?: 'basic' | 'body';
    }
  | HttpSessionAuth;

/**
 * A login that answers a token, which the other requests carry. It is sent when the first of them is, once more upon a 401 to one, and
 * ended when the client is closed.
 */
export interface HttpSessionAuth {
  readonly kind: 'session';
  /**
   * Default POST. `basic`: this request carries user and password in its header. Its other secret values belong in `secrets` of
   * the settings.
   */
  readonly login: HttpSessionRequest & { readonly basic?: { readonly username: string; readonly password: string } };
  /** Place of the token in the answer: a member, by its dotted path, a header, its cookies, or all of its text. */
  readonly token: { readonly member: string } | { readonly header: string } | 'cookies' | 'text';
  /**
   * The header that carries the token, after a word if there is one: `X-Auth-Token`, or `Authorization` and `Bearer`. Cookies are
   * sent as cookies.
   */
  readonly header: string;
  readonly scheme?: string;
  /** Ends the session. Default POST. What happens to it is not looked at. */
  readonly logout?: HttpSessionRequest;
}

export type HttpSessionRequest = Pick<HttpRequest, 'method' | 'path' | 'headers' | 'json' | 'form' | 'body'>;

export interface HttpTls {
  /** Certificates (PEM) that are trusted in addition to those of the system. */
  readonly ca?: string;
  /** False trusts any certificate, and so anybody on the way. Default true. */
  readonly verify?: boolean;
  /** The client's certificate with its chain, and its key (PEM). */
  readonly cert?: string;
  readonly key?: string;
  readonly passphrase?: string;
}

export interface HttpLimits {
  /** Time to establish the connection, TLS included. Default 10. */
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
 * Retries, after a delay that doubles and is randomised: for lost connections and timeouts, 429, 500, 502, 503 and 504, with
 * methods that may be repeated (GET, HEAD, OPTIONS, PUT, DELETE) and requests marked as repeatable. `Retry-After` is obeyed. If
 * no connection was established, any request is retried.
 */
export interface HttpRetry {
  /** Total number of tries; 1 means no retry. Default 4. */
  readonly attempts: number;
  /** The first time to wait; it doubles up to `longestSeconds`. Default 0.5 and 30. */
  readonly firstSeconds: number;
  readonly longestSeconds: number;
  /** A `Retry-After` beyond it ends the request. Default 120. */
  readonly retryAfterSeconds: number;
  /** All tries with the time between them; after that there is no other. Default 300. */
  readonly totalSeconds: number;
}
