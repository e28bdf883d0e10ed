import { hash } from 'node:crypto';
import { parseCookie, stringifySetCookie } from 'cookie';
import * as z from 'zod';
import type { Services } from '../../app/services.ts';
import { mayEnter, type User } from '../../app/users/user.ts';
import type { Identity } from '../../app/users/user-directory.ts';

const COOKIE = 'muster_session';
const PATH = '/admin';
const HOUR_MS = 60 * 60 * 1000;
/** What the cookie is sealed for. */
const PURPOSE = 'admin session';
/** However much it is used, a session ends after so many times the time that it lasts without use. */
const MOST_LIFETIMES = 14;

/**
 * What a session cookie holds, sealed under the instance key: nothing is kept on the server, so any node answers and a
 * restart ends no session.
 */
const sessionSchema = z.object({
  /** User id. */
  user: z.string(),
  /** When somebody logged in, milliseconds. */
  begun: z.number(),
  /** When it ends if it is not used, milliseconds. */
  until: z.number(),
  /** Of the password: whoever changes it ends all sessions of the user. */
  password: z.string(),
});

export interface Session {
  readonly identity: Identity;
  /** A cookie to set in the answer: the session was used, and half of its time was over. */
  readonly renewal: string | undefined;
}

export interface SessionDeps {
  readonly services: Pick<Services, 'secrets' | 'users' | 'clock' | 'storage' | 'config'>;
}

/** Sessions of people at the admin interface. */
export class Sessions {
  readonly #services: SessionDeps['services'];
  readonly #lifetimeMs: number;

  constructor({ services }: SessionDeps) {
    this.#services = services;
    this.#lifetimeMs = services.config.SESSION_HOURS * HOUR_MS;
  }

  /** The cookie by which the user is known from now on. */
  async begin(name: string, encrypted: boolean): Promise<string> {
    const user = await this.#services.users.byName(name);
    return user === undefined ? ended(encrypted) : this.#cookieOf(user, this.#now(), encrypted);
  }

  /** Who the cookie says, `undefined` without a cookie that holds. Disabled and changed users are found out at once. */
  async find(cookieHeader: string | undefined, encrypted: boolean): Promise<Session | undefined> {
    const sealed = cookieHeader === undefined ? undefined : parseCookie(cookieHeader)[COOKIE];
    const session = sealed === undefined ? undefined : await this.#open(sealed);
    const now = this.#now();
    if (session === undefined || session.until <= now || session.until > now + this.#lifetimeMs) return undefined;
    if (session.begun + MOST_LIFETIMES * this.#lifetimeMs <= now) return undefined;
    const user = await this.#services.users.byId(session.user);
    if (user === undefined || !mayEnter(user) || fingerprint(user) !== session.password) return undefined;
    const isHalfOver = session.until - now < this.#lifetimeMs / 2;
    return {
      identity: await this.#services.users.identityOf(user),
      renewal: isHalfOver ? await this.#cookieOf(user, session.begun, encrypted) : undefined,
    };
  }

  async #open(sealed: string): Promise<z.infer<typeof sessionSchema> | undefined> {
    try {
      return sessionSchema.parse(JSON.parse(await this.#services.secrets.open(sealed, PURPOSE)));
    } catch {
      // Made up, damaged, or of another instance key: whoever shows it logs in again.
      return undefined;
    }
  }

  #now(): number {
    return this.#services.clock.now().getTime();
  }

  async #cookieOf(user: User, begun: number, encrypted: boolean): Promise<string> {
    const until = this.#now() + this.#lifetimeMs;
    const value = await this.#services.secrets.seal(
      JSON.stringify({ user: user.id, begun, until, password: fingerprint(user) } satisfies z.infer<
        typeof sessionSchema
      >),
      PURPOSE,
    );
    return cookie(value, this.#lifetimeMs / 1000, encrypted);
  }
}

/** The cookie that takes a session away. */
export function ended(encrypted: boolean): string {
  return cookie('', 0, encrypted);
}

function cookie(value: string, maxAge: number, encrypted: boolean): string {
  return stringifySetCookie({
    name: COOKIE,
    value,
    maxAge,
    path: PATH,
    httpOnly: true,
    sameSite: 'strict',
    secure: encrypted,
  });
}

function fingerprint(user: User): string {
  return hash('sha256', `${user.id} ${user.passwordHash}`, 'base64').slice(0, 22);
}
