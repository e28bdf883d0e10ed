import { parseCookie, stringifySetCookie } from 'cookie';
import * as z from 'zod';
import type { SecretBox } from '../../ports/index.ts';
import { type CookiePlace, cookieName } from './cookie-place.ts';

const PURPOSE = 'a login elsewhere';
const MINUTES = 10;

const pendingSchema = z.object({
  method: z.string(),
  pending: z.string(),
  /** The page to go on with. */
  to: z.string(),
  until: z.number(),
});

/** A login at another system that is under way. The browser keeps it, sealed: it can be ended by that browser alone, on any node. */
export type PendingLogin = Omit<z.output<typeof pendingSchema>, 'until'>;

/** Lax, because the browser returns from another site. */
function cookie(name: string, value: string, maxAge: number, place: CookiePlace): string {
  return stringifySetCookie({
    name: cookieName(name, place),
    value,
    maxAge,
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: place.encrypted,
  });
}

function cookieNamed(header: string | undefined, name: string, place: CookiePlace): string | undefined {
  return header === undefined ? undefined : parseCookie(header)[cookieName(name, place)];
}

const PENDING = 'muster_login';
const PROBLEM = 'muster_login_problem';

export async function pendingCookie(
  login: PendingLogin,
  { secrets, now, place }: { readonly secrets: SecretBox; readonly now: number; readonly place: CookiePlace },
): Promise<string> {
  const text = JSON.stringify({ ...login, until: now + MINUTES * 60_000 });
  return cookie(PENDING, await secrets.seal(text, PURPOSE), MINUTES * 60, place);
}

/** Returns `undefined` if no login is under way, or if it took too long. */
export async function pendingIn(
  header: string | undefined,
  { secrets, now, place }: { readonly secrets: SecretBox; readonly now: number; readonly place: CookiePlace },
): Promise<PendingLogin | undefined> {
  const sealed = cookieNamed(header, PENDING, place);
  if (sealed === undefined) return undefined;
  try {
    const { until, ...login } = pendingSchema.parse(JSON.parse(await secrets.open(sealed, PURPOSE)));
    return now < until ? login : undefined;
  } catch {
    return undefined;
  }
}

export function noPendingCookie(place: CookiePlace): string {
  return cookie(PENDING, '', 0, place);
}

/** Describes a failed login elsewhere, for the login page that the browser returns to. */
export function problemCookie(message: string, place: CookiePlace): string {
  return cookie(PROBLEM, message.slice(0, 500), message === '' ? 0 : 60, place);
}

export function problemIn(header: string | undefined, place: CookiePlace): string {
  return cookieNamed(header, PROBLEM, place) ?? '';
}
