import { parseCookie, stringifySetCookie } from 'cookie';

/**
 * The cookie by which a browser shows its session. Over TLS its name makes the browser promise that this very host set it,
 * for all paths, over TLS; a browser refuses that name where nothing is encrypted, which is only this machine.
 */
const NAMES = { encrypted: '__Host-muster_session', plain: 'muster_session' } as const;

/** What the cookie of a request says, sealed. */
export function sessionIn(header: string | undefined, encrypted: boolean): string | undefined {
  return header === undefined ? undefined : parseCookie(header)[nameOf(encrypted)];
}

/** Sets the cookie for so many seconds. */
export function sessionCookie(sealed: string, maxAge: number, encrypted: boolean): string {
  return stringifySetCookie({
    name: nameOf(encrypted),
    value: sealed,
    maxAge,
    path: '/',
    httpOnly: true,
    sameSite: 'strict',
    secure: encrypted,
  });
}

/** Takes the cookie away. */
export function noSessionCookie(encrypted: boolean): string {
  return sessionCookie('', 0, encrypted);
}

function nameOf(encrypted: boolean): string {
  return encrypted ? NAMES.encrypted : NAMES.plain;
}
