import { parseCookie, stringifySetCookie } from 'cookie';
import { type CookiePlace, cookieName } from './cookie-place.ts';

/** The cookie by which a browser shows its session. */
const NAME = 'muster_session';

/** Returns the sealed content of the cookie of a request. */
export function sessionIn(header: string | undefined, place: CookiePlace): string | undefined {
  return header === undefined ? undefined : parseCookie(header)[cookieName(NAME, place)];
}

/** Sets the cookie with its lifetime in seconds. */
export function sessionCookie(sealed: string, maxAge: number, place: CookiePlace): string {
  return stringifySetCookie({
    name: cookieName(NAME, place),
    value: sealed,
    maxAge,
    path: '/',
    httpOnly: true,
    sameSite: 'strict',
    secure: place.encrypted,
  });
}

/** Takes the cookie away. */
export function noSessionCookie(place: CookiePlace): string {
  return sessionCookie('', 0, place);
}
