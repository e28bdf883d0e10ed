import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { LRUCache } from 'lru-cache';
import { userNameKey } from '../../kit/users/user-names.ts';
import { worded } from '../../kit/worded.ts';
import {
  AppError,
  type Clock,
  type PasswordHasher,
  type Revisions,
  type RuleRecord,
  type Storage,
} from '../../ports/index.ts';
import { addressClass } from '../kernel/address-class.ts';
import type { Caller } from '../kernel/caller.ts';
import { RevisionCache } from '../kernel/revision-cache.ts';
import type { RuleAccounts } from '../rules/services.ts';
import { growingCache } from './growing-cache.ts';
import { HashingQueue } from './hashing-queue.ts';
import type { RefusalLimit, ShownCredentials } from './refusal-limit.ts';
import { TemplateDirectory } from './template-directory.ts';
import { looksLikeToken, tokenHash } from './token.ts';
import { isLimited, sharedNames, tokenRights } from './token-rights.ts';
import { mayEnter, readUser, type User, type UserLogin, type UserToken } from './user.ts';

export type Credentials = PasswordCredentials | { readonly kind: 'token'; readonly token: string };

interface PasswordCredentials {
  readonly kind: 'password';
  readonly name: string;
  readonly password: string;
}

/** The rights of a user, regardless of where the call comes from. */
export type Identity = Pick<
  Caller,
  'name' | 'roles' | 'readOnly' | 'globalAdmin' | 'scope' | 'scopeNames' | 'templates' | 'templateNames' | 'token'
>;

interface Found {
  readonly user: User;
  /** The token, where that is what was shown. */
  readonly token?: UserToken;
}

interface Verified {
  readonly identity: Identity;
  /** Whether a second factor is required in addition to these credentials. */
  readonly isHalf: boolean;
  /** When the credentials end; `null` when they do not. */
  readonly until: Date | null;
}

const WRONG_FOR_MS = 10 * 60 * 1000;

interface UserIndex {
  readonly byName: ReadonlyMap<string, User>;
  /** By what of a name counts; several only where names of old collide. */
  readonly byKey: ReadonlyMap<string, readonly User[]>;
  /** By e-mail address, as its key; several where addresses collide. */
  readonly byEmail: ReadonlyMap<string, readonly User[]>;
  /** By who they are in another system. */
  readonly byLogin: ReadonlyMap<string, User>;
}

export interface UserDirectoryDeps {
  readonly storage: Storage;
  readonly accounts: Pick<RuleAccounts, 'namesOf' | 'scopeOf'>;
  readonly passwords: PasswordHasher;
  readonly refusals: RefusalLimit;
  readonly clock: Clock;
  /** Whether the system in which a user is known still confirms the user. Throws if that cannot be found out. */
  isConfirmed(user: User): Promise<boolean>;
  /** How long verified credentials are remembered; 0 verifies each time. */
  readonly rememberSeconds: number;
  /** Whether the user shows more than a password at a login. */
  needsSecondFactor(user: User): boolean;
  /** Whether a password alone opens what asks for no second factor, whatever the user needs at a login. */
  readonly allowsPasswordAlone: boolean;
}

/** The use of the credentials: calls of programs, or the login of the pages, which may ask for a second factor. */
type Door = 'calls' | 'login';

/**
 * Users and their credentials. Verified credentials are remembered for a short time under a keyed hash and together with
 * the revision of users, accounts and templates, so that a changed user is forgotten at once.
 */
export class UserDirectory {
  readonly #deps: UserDirectoryDeps;
  readonly #index: RevisionCache<UserIndex>;
  readonly #templates: TemplateDirectory;
  readonly #key = randomBytes(32).toString('hex');
  readonly #remembered: LRUCache<string, { revision: string; verified: Verified }> | undefined;
  /** Wrong credentials with the revision at which they were checked: hashing them again would give the same result. */
  readonly #wrong = growingCache<string>(10_000, { ttl: WRONG_FOR_MS });
  readonly #countedNames = growingCache<string>(1_000);
  readonly #verifying = new Map<string, Promise<Verified | undefined>>();
  readonly #hashing = new HashingQueue();

  constructor(deps: UserDirectoryDeps) {
    this.#deps = deps;
    this.#index = new RevisionCache(deps.storage, ['rules/users'], async () =>
      indexUsers(await deps.storage.rules.list('users')),
    );
    this.#templates = new TemplateDirectory(deps.storage);
    this.#remembered =
      deps.rememberSeconds > 0 ? growingCache(10_000, { ttl: deps.rememberSeconds * 1000 }) : undefined;
  }

  /**
   * By the exact name, else by one that differs in case, white space or ways of writing a character only. Where several
   * users of old have such names, none of them is meant.
   */
  async byName(name: string): Promise<User | undefined> {
    const { byName, byKey } = await this.#index.get();
    const exact = byName.get(name);
    if (exact !== undefined) return exact;
    const alike = byKey.get(userNameKey(name)) ?? [];
    return alike.length === 1 ? alike[0] : undefined;
  }

  /** The user who logs in by that text: a name, else the e-mail address of one user alone. */
  async byLogin(login: string): Promise<User | undefined> {
    const named = await this.byName(login);
    if (named !== undefined || !login.includes('@')) return named;
    const owners = (await this.#index.get()).byEmail.get(userNameKey(login)) ?? [];
    return owners.length === 1 ? owners[0] : undefined;
  }

  /** The user who is that person in another system. */
  async byExternalLogin({ method, subject }: UserLogin): Promise<User | undefined> {
    return (await this.#index.get()).byLogin.get(loginKey(method, subject));
  }

  async byId(id: string): Promise<User | undefined> {
    const record = await this.#deps.storage.rules.get('users', id);
    return record === undefined ? undefined : readUser(record);
  }

  async list(): Promise<readonly User[]> {
    return [...(await this.#index.get()).byName.values()];
  }

  /**
   * Returns the identity of these credentials, or `undefined`. Throws `rate_limited` if they must not be verified because of
   * earlier refusals, `unavailable` if there is no room to verify them. Invalid ones count; see `RefusalLimit.counted`. Several
   * calls with the same credentials share one verification. Without an address (commands, standard streams) nothing is limited.
   * Throws `unauthenticated` for the right password of a user who needs a second factor, except at the login.
   */
  async authenticate(given: Credentials, address = '', door: Door = 'calls'): Promise<Identity | undefined> {
    const { refusals } = this.#deps;
    const credentials = isEmail(given) ? await this.#named(given) : given;
    const key = this.#keyOf(credentials);
    const shown = address === '' ? undefined : this.#shown(credentials, key, address);
    if (shown !== undefined) refusals.admit(shown);
    const revision = revisionOfIdentities(await this.#deps.storage.revisions());
    const known = this.#remembered?.get(key);
    if (known?.revision === revision) {
      if (shown !== undefined && !refusals.knows(shown)) refusals.succeeded(shown);
      return this.#opened(known.verified, door);
    }
    const verified = await this.#verifyOnce(credentials, { key, revision, shown });
    if (verified === undefined) {
      if (shown !== undefined) refusals.failed(shown);
      return undefined;
    }
    this.#remember(key, revision, verified);
    if (shown !== undefined) refusals.succeeded(shown);
    return this.#opened(verified, door);
  }

  #opened({ identity, isHalf }: Verified, door: Door): Identity {
    if (isHalf && door === 'calls' && !this.#deps.allowsPasswordAlone) throw HALF();
    return identity;
  }

  /** Whether this is the password of the user, who is known by other means. Throws and counts as `authenticate` does. */
  async confirmPassword(user: User, password: string, address: string): Promise<boolean> {
    const { refusals, passwords } = this.#deps;
    const key = this.#keyOf({ kind: 'password', name: user.name, password });
    const shown =
      address === '' ? undefined : this.#shown({ kind: 'password', name: user.name, password }, key, address);
    const isValid = await this.#hash(shown, () => passwords.verify(user.passwordHash, password));
    if (!isValid && shown !== undefined) refusals.failed(shown);
    return isValid;
  }

  /** Returns the present rights of a user, or of a token of this user. */
  async identityOf(user: User, token?: UserToken): Promise<Identity> {
    const { accounts } = this.#deps;
    const { roles, readOnly, globalAdmin } = token === undefined ? user : tokenRights(user, token);
    // Documents may name an account by its id; only the names show whether two references mean the same one.
    const namesOf = async (given: readonly string[] | null) => (given === null ? null : accounts.namesOf(given));
    const restrictedTo = sharedNames(await namesOf(user.restrictedTo), await namesOf(token?.restrictedTo ?? null));
    const templates = sharedNames(
      await this.#templates.namesOf(user.restrictedToTemplates),
      await this.#templates.namesOf(token?.restrictedToTemplates ?? null),
    );
    return {
      name: user.name,
      roles,
      readOnly,
      globalAdmin,
      scope: restrictedTo === null ? null : await accounts.scopeOf(restrictedTo),
      scopeNames: restrictedTo,
      templates: templates === null ? null : await this.#templates.referencesOf(templates),
      templateNames: templates,
      ...(token === undefined ? {} : { token: { prefix: token.prefix, limited: isLimited(token, user) } }),
    };
  }

  /** Replaces an e-mail address by the name of its user, so that wrong tries with either count for the same user. */
  async #named(credentials: PasswordCredentials): Promise<Credentials> {
    const user = await this.byLogin(credentials.name);
    return user === undefined ? credentials : { ...credentials, name: user.name };
  }

  #remember(key: string, revision: string, verified: Verified): void {
    const { until } = verified;
    const left = until === null ? Number.POSITIVE_INFINITY : until.getTime() - this.#deps.clock.now().getTime();
    const ttl = Math.min(this.#deps.rememberSeconds * 1000, left);
    if (ttl >= 1) this.#remembered?.set(key, { revision, verified }, { ttl });
  }

  /** Another spelling of a name counts as the same user. Folding it costs as much as the rest of a known user's request. */
  #shown(credentials: Credentials, key: string, address: string): ShownCredentials {
    if (credentials.kind === 'token') return { address, user: undefined, key };
    const name = credentials.name.slice(0, 200);
    let user = this.#countedNames.get(name);
    if (user === undefined) {
      user = userNameKey(name);
      this.#countedNames.set(name, user);
    }
    return { address, user, key };
  }

  async #verifyOnce(credentials: Credentials, check: Check): Promise<Verified | undefined> {
    const { key, revision, shown } = check;
    if (this.#wrong.get(key) === revision) return undefined;
    // Shared by calls from one address only: another address waits for its own turn, and is counted by itself.
    const shared = `${revision}:${key}:${shown?.address ?? ''}`;
    let verification = this.#verifying.get(shared);
    if (verification === undefined) {
      verification = this.#verify(credentials, shown).finally(() => this.#verifying.delete(shared));
      this.#verifying.set(shared, verification);
    }
    const verified = await verification;
    if (verified === undefined) this.#wrong.set(key, revision);
    return verified;
  }

  async #verify(credentials: Credentials, shown: ShownCredentials | undefined): Promise<Verified | undefined> {
    const found =
      credentials.kind === 'token'
        ? await this.#byToken(credentials.token)
        : await this.#byPassword(credentials, shown);
    if (found === undefined || !mayEnter(found.user)) return undefined;
    const { user, token } = found;
    if (user.login !== undefined && !(await this.#deps.isConfirmed(user))) return undefined;
    return {
      identity: await this.identityOf(user, token),
      isHalf: token === undefined && this.#deps.needsSecondFactor(user),
      until: token?.expiresAt ?? null,
    };
  }

  /** An unknown user costs what a known one costs. */
  async #byPassword(
    credentials: { readonly name: string; readonly password: string },
    shown: ShownCredentials | undefined,
  ): Promise<Found | undefined> {
    const user = await this.byName(credentials.name);
    const valid = await this.#hash(shown, () =>
      this.#deps.passwords.verify(user?.passwordHash ?? '', credentials.password),
    );
    // If another system verifies the passwords of a user, a password stored here grants no access.
    return valid && user !== undefined && user.login === undefined ? { user } : undefined;
  }

  /** Waits for a turn, and looks again then whether the credentials may be looked at: of many at once the first ones may not have been right. */
  #hash(shown: ShownCredentials | undefined, verify: () => Promise<boolean>): Promise<boolean> {
    const { refusals } = this.#deps;
    const turn = { share: addressClass(shown?.address ?? ''), known: shown === undefined || refusals.knows(shown) };
    return this.#hashing.run(turn, async () => {
      if (shown !== undefined) refusals.admit(shown);
      return verify();
    });
  }

  /** The last use is stored each time a token is verified again, so at most once in the time that credentials are remembered. */
  async #byToken(token: string): Promise<Found | undefined> {
    if (!looksLikeToken(token)) return undefined;
    const hash = Buffer.from(tokenHash(token), 'hex');
    const now = this.#deps.clock.now();
    for (const user of await this.list()) {
      const found = user.tokens.find((candidate) => equalBytes(Buffer.from(candidate.hash, 'hex'), hash));
      if (found === undefined) continue;
      if (found.expiresAt !== null && found.expiresAt <= now) return undefined;
      await this.#deps.storage.access.recordTokenUse([{ tokenId: found.hash, at: now }]);
      return { user, token: found };
    }
    return undefined;
  }

  /**
   * A keyed hash in one call: a prefix is as good as an HMAC where only this object ever sees the result, and an HMAC object
   * for each request costs ten times as much, most of it garbage collection.
   */
  #keyOf(credentials: Credentials): string {
    const text =
      credentials.kind === 'token'
        ? `t${credentials.token}`
        : `p${credentials.name.length}:${credentials.name}${credentials.password}`;
    return hash('sha256', this.#key + text, 'base64');
  }
}

function indexUsers(records: readonly RuleRecord[]): UserIndex {
  const byName = new Map<string, User>();
  const byKey = new Map<string, User[]>();
  const byEmail = new Map<string, User[]>();
  const byLogin = new Map<string, User>();
  for (const record of records) {
    // The first by id, should a store hold two of one name.
    if (byName.has(record.name)) continue;
    const user = readUser(record);
    byName.set(user.name, user);
    const key = userNameKey(user.name);
    byKey.set(key, [...(byKey.get(key) ?? []), user]);
    if (user.login !== undefined) byLogin.set(loginKey(user.login.method, user.login.subject), user);
    if (user.email === '') continue;
    const email = userNameKey(user.email);
    byEmail.set(email, [...(byEmail.get(email) ?? []), user]);
  }
  return { byName, byKey, byEmail, byLogin };
}

const HALF = (): AppError =>
  new AppError(
    'unauthenticated',
    worded`this user logs in with a second factor, so the password alone opens nothing here; create an API token in the profile and send that`,
  );

/** The revision of what a remembered identity was made of. */
function revisionOfIdentities(revisions: Revisions): string {
  const of = (name: string): number => revisions.get(name) ?? 0;
  return `${of('rules/users')}.${of('rules/accounts')}.${of('rules/cmdb_templates')}`;
}

function isEmail(credentials: Credentials): credentials is PasswordCredentials {
  return credentials.kind === 'password' && credentials.name.includes('@');
}

function loginKey(method: string, subject: string): string {
  return `${method} ${subject}`;
}

/** The subject of a verification. */
interface Check {
  readonly key: string;
  readonly revision: string;
  readonly shown: ShownCredentials | undefined;
}

function equalBytes(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
