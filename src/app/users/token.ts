import { createHash, randomBytes } from 'node:crypto';

const TOKEN_START = 'muster_';
/** Prefix of tokens issued by an installation of cmdbsyncer; they are kept as the same hash. */
const IMPORTED_TOKEN_START = 'cmdb_pat_';
const PREFIX_LENGTH = TOKEN_START.length + 8;
/** A new token with the two things that are kept of it. */
export function newToken(): { token: string; prefix: string; hash: string } {
  const token = `${TOKEN_START}${randomBytes(32).toString('base64url')}`;
  return { token, prefix: token.slice(0, PREFIX_LENGTH), hash: tokenHash(token) };
}

export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** True for texts that may be a token; anything else need not be looked up. */
export function looksLikeToken(text: string): boolean {
  return text.startsWith(TOKEN_START) || text.startsWith(IMPORTED_TOKEN_START);
}
