import { hash, randomBytes } from 'node:crypto';
import * as z from 'zod';
import { validUnicode } from '../../kit/unicode.ts';
import type {
  AccessStore,
  Clock,
  ProxiedRequest,
  SecretBox,
  SessionRecord,
  SessionSignIn,
  SessionStore,
} from '../../ports/index.ts';
import { mayEnter, type User } from './user.ts';
import type { Identity, UserDirectory } from './user-directory.ts';

/** The purpose for which the text in the browser is sealed. */
const PURPOSE = 'admin session';
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Least interval between two writes of the last use, so that a request costs a read. */
const SEEN_EVERY_MS = 5 * MINUTE_MS;
/** Wrong passwords that may be tried in one session; the next ends it. */
const MOST_FAILURES = 5;
const LONGEST_CLIENT = 120;
/** Sessions of one user that go on; with one more the one that was not used for the longest is over. */
const MOST_OF_USER = 200;
/** Letters of the hash by which people name a session. */
const HANDLE_LENGTH = 12;

const sealedSchema = z.object({
  /** Id of the user. */
  user: z.string(),
  /** The secret of the session; the store knows its hash. */
  session: z.string(),
  /** Time of the login, milliseconds. */
  issued: z.number(),
  /** When it ends at the latest, milliseconds; sessions of earlier versions do not say it. */
  until: z.number().optional(),
});

/** Logins of a user are kept as uses of a token of this id, as they outlive sessions and belong to no version of the user. */
export function loginId(userId: string): string {
  return `login:${userId}`;
}

export interface SessionsDeps {
  readonly store: SessionStore;
  readonly access: Pick<AccessStore, 'recordTokenUse'>;
  readonly users: UserDirectory;
  /**
   * Asks the system in which the person of a session is known, or checks what a proxy states in the request. False: the session
   * has ended. Throws if that cannot be found out.
   */
  readonly isStillConfirmed: (session: SessionRecord, user: User, request: ProxiedRequest) => Promise<boolean>;
  readonly secrets: () => SecretBox;
  readonly clock: Clock;
  /** How long a session lasts that is not used. */
  readonly idleHours: number;
  /** How long it lasts however much it is used. */
  readonly days: number;
}

export interface BegunSession {
  /** The text that the browser sends from now on. */
  readonly sealed: string;
  /** Seconds until it ends at the latest. */
  readonly maxAge: number;
}

export interface FoundSession {
  readonly id: string;
  readonly record: SessionRecord;
  readonly identity: Identity;
}

export interface LeftSession {
  readonly user: string;
  readonly signIn: SessionSignIn | undefined;
}

/**
 * Sessions of people at the admin interface. The browser keeps a sealed text with a random secret, and the store a record by its
 * hash: the session ends on every node once the record is gone, even if copies of the text remain.
 */
export class Sessions {
  readonly #deps: SessionsDeps;
  readonly #idleMs: number;
  readonly #longestMs: number;

  constructor(deps: SessionsDeps) {
    this.#deps = deps;
    this.#idleMs = deps.idleHours * HOUR_MS;
    this.#longestMs = deps.days * DAY_MS;
  }

  /** A new session with a secret of its own. `undefined` when there is no such user (any more). */
  async begin(
    name: string,
    from: {
      readonly address: string;
      readonly client: string;
      /** The login of a person who is known elsewhere. */
      readonly signIn?: Omit<SessionSignIn, 'vouchedAt' | 'askedAt'>;
      /** Seconds after which it ends, where that is earlier than usual. */
      readonly seconds?: number;
    },
  ): Promise<BegunSession | undefined> {
    const { store, access, users, secrets, clock } = this.#deps;
    const user = await users.byName(name);
    if (user === undefined) return undefined;
    const session = randomBytes(32).toString('base64url');
    const now = clock.now();
    await store.begin({
      id: sessionId(session),
      userId: user.id,
      credential: credentialOf(user),
      begunAt: now,
      seenAt: now,
      address: from.address,
      client: validUnicode(from.client.slice(0, LONGEST_CLIENT)),
      ...(from.signIn === undefined ? {} : { signIn: { ...from.signIn, vouchedAt: now, askedAt: now } }),
    });
    await access.recordTokenUse([{ tokenId: loginId(user.id), at: now }]);
    // A user who logs in again and again without logging out must not fill the storage.
    const others = (await store.ofUser(user.id)).filter(({ id }) => id !== sessionId(session));
    for (const { id } of others.slice(MOST_OF_USER - 1)) await store.end(id);
    const seconds = Math.min(from.seconds ?? Number.POSITIVE_INFINITY, this.#longestMs / 1000);
    const until = now.getTime() + seconds * 1000;
    const text: z.infer<typeof sealedSchema> = { user: user.id, session, issued: now.getTime(), until };
    return { sealed: await secrets().seal(JSON.stringify(text), PURPOSE), maxAge: seconds };
  }

  /** Returns the session of the text that came with the request; `undefined` if there is none, or no longer. */
  async find(sealed: string, request: ProxiedRequest): Promise<FoundSession | undefined> {
    const { store, users, clock } = this.#deps;
    const record = await this.#recordOf(sealed);
    if (record === undefined) return undefined;
    const user = await users.byId(record.userId);
    if (user === undefined || !this.#isAlive(record, user)) {
      // Whatever happens to the user later, it does not begin again.
      await store.end(record.id);
      return undefined;
    }
    if (record.signIn !== undefined && !(await this.#deps.isStillConfirmed(record, user, request))) {
      await store.end(record.id);
      return undefined;
    }
    const now = clock.now();
    if (now.getTime() - record.seenAt.getTime() >= SEEN_EVERY_MS) await store.seen(record.id, now);
    // The answer of the other system may have changed the user.
    const current = record.signIn === undefined ? user : await users.byId(user.id);
    if (current === undefined || !mayEnter(current)) return undefined;
    return { id: record.id, identity: await users.identityOf(current), record };
  }

  /** Ends the session of the text. Answers whose it was. */
  async leave(sealed: string): Promise<LeftSession | undefined> {
    const record = await this.#recordOf(sealed);
    if (record === undefined || !(await this.#deps.store.end(record.id))) return undefined;
    const user = await this.#deps.users.byId(record.userId);
    return user === undefined ? undefined : { user: user.name, signIn: record.signIn };
  }

  /** The sessions of a user that go on, last used first. */
  async ofUser(user: User): Promise<readonly SessionRecord[]> {
    return (await this.#deps.store.ofUser(user.id)).filter((record) => this.#isAlive(record, user));
  }

  async end(id: string): Promise<boolean> {
    return this.#deps.store.end(id);
  }

  async endOfUser(userId: string, except?: string): Promise<number> {
    return this.#deps.store.endOfUser(userId, except);
  }

  /** Counts a wrong password in a session, which ends with too many of them. */
  async countFailure(id: string): Promise<void> {
    if ((await this.#deps.store.countFailure(id)) >= MOST_FAILURES) await this.#deps.store.end(id);
  }

  /** Takes away what is over. */
  async prune(): Promise<number> {
    const now = this.#deps.clock.now().getTime();
    const seenBefore = new Date(now - this.#idleMs - SEEN_EVERY_MS);
    return this.#deps.store.prune({ seenBefore, begunBefore: new Date(now - this.#longestMs) });
  }

  async #recordOf(sealed: string): Promise<SessionRecord | undefined> {
    try {
      const text = await this.#deps.secrets().open(sealed, PURPOSE);
      const { user, session, issued, until } = sealedSchema.parse(JSON.parse(text));
      if (until !== undefined && until <= this.#deps.clock.now().getTime()) return undefined;
      const record = await this.#deps.store.find(sessionId(session));
      return record?.userId === user && record.begunAt.getTime() === issued ? record : undefined;
    } catch (error) {
      // Made up, damaged, sealed under another instance key or by an older version: the client has to log in again.
      if (isUnavailable(error)) throw error;
      return undefined;
    }
  }

  #isAlive(record: SessionRecord, user: User): boolean {
    const now = this.#deps.clock.now().getTime();
    if (!mayEnter(user) || credentialOf(user) !== record.credential) return false;
    return now < record.seenAt.getTime() + this.#idleMs && now < record.begunAt.getTime() + this.#longestMs;
  }
}

/** How people name a session. */
export function sessionHandle({ id }: Pick<SessionRecord, 'id'>): string {
  return id.slice(0, HANDLE_LENGTH);
}

function sessionId(secret: string): string {
  return hash('sha256', secret, 'hex');
}

/** Returns a hash of the password: if that changes, the sessions of the user end. */
export function credentialOf(user: Pick<User, 'id' | 'passwordHash'>): string {
  return hash('sha256', `${user.id} ${user.passwordHash}`, 'base64').slice(0, 22);
}

function isUnavailable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'unavailable';
}
