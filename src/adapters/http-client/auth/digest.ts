import { createHash, randomBytes } from 'node:crypto';
import type { Challenge } from './challenges.ts';

/** Names of RFC 7616, the strongest first, and the hash each means. */
const ALGORITHMS: readonly (readonly [name: string, hash: string])[] = [
  ['SHA-512-256', 'sha512-256'],
  ['SHA-512-256-sess', 'sha512-256'],
  ['SHA-256', 'sha256'],
  ['SHA-256-sess', 'sha256'],
  ['MD5', 'md5'],
  ['MD5-sess', 'md5'],
];

const MOST_NONCES = 100;

interface Nonce {
  readonly realm: string;
  readonly nonce: string;
  readonly opaque: string | undefined;
  readonly algorithm: string;
  readonly hash: string;
  /** False for servers of RFC 2069, which knew no counts. */
  readonly counted: boolean;
  readonly userhash: boolean;
}

export interface DigestUser {
  readonly username: string;
  readonly password: string;
}

/**
 * Digest access authentication (RFC 7616). A challenge is remembered, and further requests are signed with it, each with the next
 * count, until the server gives another.
 */
export class DigestLogin {
  readonly #user: DigestUser;
  readonly #newCnonce: () => string;
  /** How often each nonce was used: a server may give one again that it gave to another request before. */
  readonly #counts = new Map<string, number>();
  #current: Nonce | undefined;

  constructor(user: DigestUser, newCnonce: () => string = () => randomBytes(16).toString('base64url')) {
    this.#user = user;
    this.#newCnonce = newCnonce;
  }

  /** The header for a request; `undefined` before the first challenge. */
  authorization(method: string, uri: string): string | undefined {
    const challenge = this.#current;
    if (challenge === undefined) return undefined;
    const number = (this.#counts.get(challenge.nonce) ?? 0) + 1;
    this.#counts.delete(challenge.nonce);
    this.#counts.set(challenge.nonce, number);
    const [oldest = ''] = this.#counts.keys();
    if (this.#counts.size > MOST_NONCES) this.#counts.delete(oldest);
    const count = number.toString(16).padStart(8, '0');
    return headerOf(challenge, this.#user, { method, uri, count, cnonce: this.#newCnonce() });
  }

  /**
   * Takes the strongest challenge that can be answered; false if there is none, or if a challenge of this very request was
   * answered in vain: then the password is wrong, unless the server reports a stale nonce.
   */
  challenged(challenges: readonly Challenge[], wasAnswered: boolean): boolean {
    const offered = challenges.filter(({ scheme }) => scheme === 'digest').flatMap((challenge) => readable(challenge));
    const [best] = offered.toSorted((a, b) => strength(a.nonce) - strength(b.nonce));
    if (best === undefined || (wasAnswered && !best.stale)) return false;
    this.#current = best.nonce;
    return true;
  }

  /** `Authentication-Info` may contain the nonce for the next request. */
  informed(header: string | undefined): void {
    const next = /(?:^|[\s,])nextnonce="((?:[^"\\]|\\.)*)"/i.exec(header ?? '')?.[1];
    if (next === undefined || this.#current === undefined) return;
    const nonce = next.replaceAll(/\\(.)/g, '$1');
    this.#current = { ...this.#current, nonce };
  }
}

function readable({ parameters }: Challenge): { readonly nonce: Nonce; readonly stale: boolean }[] {
  const named = (parameters.get('algorithm') ?? 'MD5').toLowerCase();
  const known = ALGORITHMS.find(([name]) => name.toLowerCase() === named);
  const nonce = parameters.get('nonce');
  const qop = parameters.get('qop');
  const options = qop?.split(',').map((option) => option.trim().toLowerCase());
  if (known === undefined || nonce === undefined || options?.includes('auth') === false) return [];
  return [
    {
      nonce: {
        realm: parameters.get('realm') ?? '',
        nonce,
        opaque: parameters.get('opaque'),
        algorithm: known[0],
        hash: known[1],
        counted: options !== undefined,
        userhash: parameters.get('userhash')?.toLowerCase() === 'true',
      },
      stale: parameters.get('stale')?.toLowerCase() === 'true',
    },
  ];
}

function strength({ algorithm }: Nonce): number {
  return ALGORITHMS.findIndex(([name]) => name === algorithm);
}

function headerOf(
  { realm, nonce, opaque, algorithm, hash, counted, userhash }: Nonce,
  { username, password }: DigestUser,
  {
    method,
    uri,
    count,
    cnonce,
  }: { readonly method: string; readonly uri: string; readonly count: string; readonly cnonce: string },
): string {
  const h = (text: string): string => createHash(hash).update(text).digest('hex');
  const isSession = algorithm.endsWith('-sess');
  const plain = h(`${username}:${realm}:${password}`);
  const a1 = isSession ? h(`${plain}:${nonce}:${cnonce}`) : plain;
  const a2 = h(`${method}:${uri}`);
  const response = h(counted ? `${a1}:${nonce}:${count}:${cnonce}:auth:${a2}` : `${a1}:${nonce}:${a2}`);
  const said = {
    username: userhash ? quoted(h(`${username}:${realm}`)) : quoted(username),
    realm: quoted(realm),
    nonce: quoted(nonce),
    uri: quoted(uri),
    algorithm,
    response: quoted(response),
    ...(opaque === undefined ? {} : { opaque: quoted(opaque) }),
    ...(counted ? { qop: 'auth', nc: count } : {}),
    ...(counted || isSession ? { cnonce: quoted(cnonce) } : {}),
    ...(userhash ? { userhash: 'true' } : {}),
  };
  // Quoted strings cannot hold names beyond Latin-1; RFC 5987 spells them.
  const isPlain = userhash || /^[\x20-\x7e]*$/.test(username);
  const parts = Object.entries(said).map(([name, value]) =>
    name === 'username' && !isPlain ? `username*=UTF-8''${extended(username)}` : `${name}=${value}`,
  );
  return `Digest ${parts.join(', ')}`;
}

function quotable(text: string): string {
  return text.replaceAll(/["\\]/g, '\\$&');
}

function quoted(text: string): string {
  return `"${quotable(text)}"`;
}

function extended(text: string): string {
  return encodeURIComponent(text).replaceAll(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
