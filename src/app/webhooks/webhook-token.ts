import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const TOKEN_START = 'muster_hook_';

/** A new token of a group's webhook with what is kept of it. */
export function newWebhookToken(): { readonly token: string; readonly hash: string } {
  const token = `${TOKEN_START}${randomBytes(32).toString('base64url')}`;
  return { token, hash: hashOf(token).toString('hex') };
}

/** True when the token has that hash. A group without a token has the empty hash, which no token has. */
export function isWebhookToken(token: string, hash: string): boolean {
  const wanted = Buffer.from(hash, 'hex');
  const given = hashOf(token);
  return wanted.length === given.length && timingSafeEqual(wanted, given);
}

/** The token is random, so a fast hash is enough. */
function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
