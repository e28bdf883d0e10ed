import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { looksLikeToken } from '../../../app/users/token.ts';
import type { Credentials } from '../../../app/users/user-directory.ts';
import { AppError } from '../../../ports/index.ts';

/**
 * Returns the credentials of a request, or `undefined` if it carries none. `x-login-user` and `x-login-token` win over
 * `Authorization`, which a proxy may have set for its own purposes. `Authorization` may hold a token without a scheme. Throws if
 * there are credentials that cannot be understood.
 */
export function credentialsOf(headers: IncomingHttpHeaders): Credentials | undefined {
  const login = headers['x-login-user'];
  if (login !== undefined) return passwordOf(Buffer.from(String(login), 'latin1'), 'x-login-user');
  const token = headers['x-login-token'];
  if (token !== undefined) return { kind: 'token', token: String(token).trim() };
  const { authorization } = headers;
  if (authorization === undefined) return undefined;
  if (looksLikeToken(authorization)) return { kind: 'token', token: authorization.trim() };
  const space = authorization.indexOf(' ');
  const scheme = authorization.slice(0, Math.max(space, 0)).toLowerCase();
  const rest = authorization.slice(space + 1).trim();
  if (scheme === 'basic') return passwordOf(Buffer.from(rest, 'base64'), 'Authorization');
  if (scheme === 'bearer' && rest !== '') return { kind: 'token', token: rest };
  throw new AppError(
    'unauthenticated',
    'the Authorization header is not understood; send "Basic <base64 of user:password>" or "Bearer <token>"',
  );
}

/** Everything after the first colon is the password, colons too. */
function passwordOf(bytes: Buffer, header: string): Credentials {
  const colon = bytes.indexOf(0x3a);
  if (colon <= 0) {
    throw new AppError('unauthenticated', `the ${header} header has no credentials of the form user:password`);
  }
  const text = textOf(bytes);
  const at = text.indexOf(':');
  return { kind: 'password', name: text.slice(0, at), password: text.slice(at + 1) };
}

/** Current clients send UTF-8; other bytes are read as Latin-1, as older ones mean it. */
function textOf(bytes: Buffer): string {
  return bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1');
}
