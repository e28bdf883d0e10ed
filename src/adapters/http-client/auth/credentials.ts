import type { HttpAuth, HttpSessionAuth } from '../../../ports/index.ts';
import { challengesOf } from './challenges.ts';
import { DigestLogin } from './digest.ts';
import type { TokenKeeper } from './token-keeper.ts';

/** Adds the identity of a user to requests to the system. */
export interface Credentials {
  /** Headers for one request. */
  headers(method: string, uri: string, signal: AbortSignal): Promise<Readonly<Record<string, string>>>;
  /** After a 401 to a request with these headers: true when it is worth being sent once more. `again`: it was already. */
  refused(challenge: string | undefined, sent: Readonly<Record<string, string>>, again: boolean): boolean;
  /** Called after an answer that was not a refusal. */
  accepted(headers: Readonly<Record<string, string>>): void;
}

/** Logins that begin with a request of their own, which answers a token. */
export type IssuedAuth = HttpAuth & { readonly kind: 'oauth2' | 'session' };

export function credentialsOf(auth: HttpAuth | undefined, tokens: (auth: IssuedAuth) => TokenKeeper): Credentials {
  switch (auth?.kind) {
    case 'basic':
      return fixed({ authorization: `Basic ${Buffer.from(`${auth.username}:${auth.password}`).toString('base64')}` });
    case 'bearer':
      return fixed({ authorization: `Bearer ${auth.token}` });
    case 'header':
      return fixed({ [auth.name.toLowerCase()]: auth.value });
    case 'digest':
      return digest(new DigestLogin(auth));
    case 'oauth2':
      return issued(tokens(auth), 'authorization', 'Bearer ');
    case 'session':
      return issued(tokens(auth), sessionHeader(auth), sessionPrefix(auth));
    default:
      return fixed({});
  }
}

function fixed(headers: Readonly<Record<string, string>>): Credentials {
  return { headers: async () => headers, refused: () => false, accepted: () => undefined };
}

function digest(login: DigestLogin): Credentials {
  return {
    async headers(method, uri) {
      const authorization = login.authorization(method, uri);
      return authorization === undefined ? {} : { authorization };
    },
    refused: (challenge, _sent, again) => login.challenged(challengesOf(challenge ?? ''), again),
    accepted: (headers) => login.informed(headers['authentication-info']),
  };
}

function issued(tokens: TokenKeeper, header: string, prefix: string): Credentials {
  return {
    headers: async (_method, _uri, signal) => ({ [header]: `${prefix}${await tokens.token(signal)}` }),
    refused(_challenge, sent, again) {
      tokens.forget((sent[header] ?? '').slice(prefix.length));
      return !again;
    },
    accepted: () => undefined,
  };
}

export function sessionHeader({ token, header }: HttpSessionAuth): string {
  return token === 'cookies' ? 'cookie' : header.toLowerCase();
}

export function sessionPrefix({ token, scheme }: HttpSessionAuth): string {
  return token === 'cookies' || scheme === undefined ? '' : `${scheme} `;
}
