import { hash, randomBytes } from 'node:crypto';
import { userNameKey } from '../../kit/users/user-names.ts';
import { worded } from '../../kit/worded.ts';
import {
  AppError,
  type ExternalLogin,
  type ExternalPerson,
  type SessionRecord,
  type SessionSignIn,
  type SignInMethod,
} from '../../ports/index.ts';
import type { Account } from '../accounts/account-directory.ts';
import { addressClass } from '../kernel/address-class.ts';
import { HashingQueue } from '../users/hashing-queue.ts';
import type { User } from '../users/user.ts';
import { admit, withdraw } from './admit.ts';
import { type OpenedMethod, openMethod } from './opened-method.ts';
import type { LoginServices } from './services.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Time after which a system that did not answer is asked again. */
const AGAIN_MS = 30_000;
/** Passwords that one system is asked about at a time. As many can be wrong before the limit is known to be reached. */
const VERIFIED_AT_ONCE = 4;
/** The purpose for which the data for later requests to the other system is sealed. */
const KEPT = 'sign-in of a session';

/** A way to log in, as the login page shows it. */
export interface OfferedMethod {
  readonly name: string;
  readonly label: string;
  readonly kind: SignInMethod['kind'];
}

/** A user who may log in, and the data that their session is to remember. */
export interface Admitted {
  readonly user: User;
  readonly signIn: {
    readonly method: string;
    readonly subject: string;
    readonly session: string;
    readonly kept: string;
  };
}

export type Kind<K extends SignInMethod['kind']> = OpenedMethod & {
  readonly method: Extract<SignInMethod, { kind: K }>;
};

/** The systems that know people, who they let in, and whether they still do. */
export class SignIns {
  readonly #services: () => LoginServices;
  readonly #key = randomBytes(32).toString('hex');
  /** Names and passwords that wait to be verified, by account: one system that is slow holds up no other. */
  readonly #verifying = new Map<string, HashingQueue>();
  readonly #asked = new Map<string, Promise<boolean | undefined>>();

  constructor(services: () => LoginServices) {
    this.#services = services;
  }

  /** The usable methods, by name. One that is disabled, waits for an administrator, or is incomplete is not offered. */
  async offered(): Promise<readonly OfferedMethod[]> {
    const methods = await Promise.all((await this.accounts()).map((account) => this.#openable(account)));
    return methods.flatMap((opened) =>
      opened === undefined
        ? []
        : [
            {
              name: opened.account.name,
              label: opened.options.label === '' ? opened.account.name : opened.options.label,
              kind: opened.type.kind,
            },
          ],
    );
  }

  /** All accounts by which people log in, by name. */
  async accounts(): Promise<readonly Account[]> {
    const services = this.#services();
    const accounts = await services.accounts.list(null);
    return accounts
      .filter(({ type }) => services.plugins.signInMethod(type) !== undefined)
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Returns the method of that name and kind. Clients that are not logged in learn only that it cannot be used. */
  async method<K extends SignInMethod['kind']>(name: string, kind: K): Promise<Kind<K>> {
    const account = (await this.accounts()).find((each) => each.name === name);
    const opened = account === undefined ? undefined : await this.#openable(account);
    if (opened === undefined || opened.method.kind !== kind) {
      throw new AppError('not_found', worded`there is no such way to log in; go back to the login page`);
    }
    return opened as Kind<K>;
  }

  /** All methods of a kind that can be used, by name. */
  async ofKind<K extends SignInMethod['kind']>(kind: K): Promise<readonly Kind<K>[]> {
    const { plugins } = this.#services();
    const accounts = (await this.accounts()).filter(({ type }) => plugins.signInMethod(type)?.item.kind === kind);
    const opened = await Promise.all(accounts.map((account) => this.#openable(account)));
    return opened.filter((method): method is Kind<K> => method?.method.kind === kind);
  }

  /** Lets in the person whom a method vouches for. Throws `forbidden` for a person who is not let in. */
  async admit(opened: OpenedMethod, login: ExternalLogin): Promise<Admitted> {
    const services = this.#services();
    const user = await admit(services, opened, login.person);
    return {
      user,
      signIn: {
        method: opened.account.id,
        subject: login.person.subject,
        session: login.session,
        kept: await this.#seal(login.kept),
      },
    };
  }

  /** Lets in whose name and password a method verifies. Refusals are limited and counted as those of passwords of this service. */
  async logIn(
    method: string,
    given: { readonly name: string; readonly password: string },
    address: string,
  ): Promise<Admitted> {
    const { refusals, anonymousRefusals, newId, clock } = this.#services();
    const opened = await this.method(method, 'password');
    const shown = {
      address,
      user: `${opened.account.id} ${userNameKey(given.name.slice(0, 200))}`,
      key: hash(
        'sha256',
        `${this.#key}${opened.account.id} ${given.name.length}:${given.name}${given.password}`,
        'base64',
      ),
    };
    if (address !== '') refusals.admit(shown);
    const turn = { share: addressClass(address), known: address === '' || refusals.knows(shown) };
    const person = await this.#queueOf(opened).run(turn, async () => {
      // If many wait at once, the first ones may have been wrong.
      if (address !== '') refusals.admit(shown);
      const found = await opened.call('logging in', (signal) => opened.method.verify(given, { signal }));
      if (found !== undefined) return found;
      anonymousRefusals.audit({
        id: newId(),
        at: clock.now(),
        actor: given.name.slice(0, 100),
        entrance: 'admin',
        address,
        operation: 'session/log-in',
        subject: method,
        outcome: 'unauthenticated',
        requestId: '',
      });
      if (address !== '') refusals.failed(shown);
      throw refusals.counted(new AppError('unauthenticated', worded`the credentials are not valid`));
    });
    if (address !== '') refusals.succeeded(shown);
    return this.admit(opened, { person, session: '', kept: '' });
  }

  /** The address where a browser logs out at the other system too; `null` if that is not offered, or not known now. */
  async logoutAddress(signIn: SessionSignIn, returnAddress: string): Promise<string | null> {
    try {
      const opened = await this.methodOf(signIn.method);
      if (opened?.method.kind !== 'redirect') return null;
      const { method } = opened;
      const kept = await this.#kept(signIn.kept);
      const found = await opened.call('logging out', (signal) =>
        method.logoutAddress?.({ kept, returnAddress }, { signal }),
      );
      return found ?? null;
    } catch (error) {
      this.#services().logger.warn('a sign-in method does not say where to log out', { error });
      return null;
    }
  }

  /** Ends the sessions that the other system says are over. Answers how many. */
  async endLogins(opened: Kind<'redirect'>, body: string): Promise<number> {
    const { method, account } = opened;
    const { storage, clock } = this.#services();
    if (method.endedBy === undefined)
      throw new AppError('not_found', worded`${{ name: account.name }} ends no sessions`);
    const ended = await opened.call('ending sessions', (signal) => method.endedBy?.(body, { signal }));
    if (ended === undefined) return 0;
    const once = { key: `sign-in ended ${account.id} ${ended.message}`, now: clock.now(), until: ended.until };
    if (!(await storage.access.useOnce(once))) throw new AppError('forbidden', worded`this message came before`);
    const { subject, session } = ended;
    if (session === undefined && subject !== undefined) {
      const user = await this.#services().users.byExternalLogin({ method: account.id, subject });
      if (user !== undefined) await storage.signIns.withdraw(user.id);
    }
    return storage.sessions.endOfLogin({ method: account.id, subject, session });
  }

  #queueOf({ account: { id } }: OpenedMethod): HashingQueue {
    const queue = this.#verifying.get(id) ?? new HashingQueue({ atOnce: VERIFIED_AT_ONCE });
    this.#verifying.set(id, queue);
    return queue;
  }

  async #kept(sealed: string): Promise<string> {
    return sealed === '' ? '' : this.#services().secrets.open(sealed, KEPT);
  }

  /** The method of a session, if it can still be used. */
  async methodOf(id: string): Promise<OpenedMethod | undefined> {
    const account = await this.#services().accounts.byId(id);
    return account === undefined ? undefined : this.#openable(account);
  }

  /**
   * Whether the other system still confirms the person of the session. It is asked when `recheck_minutes` are over, by one of
   * all requests of the session. Without an answer, the session continues for that time once more, and is then refused.
   */
  async isStillConfirmed(session: SessionRecord, user: User): Promise<boolean> {
    const { signIn } = session;
    if (signIn === undefined) return true;
    if (user.login?.method !== signIn.method || user.login.subject !== signIn.subject) return false;
    const opened = await this.methodOf(signIn.method);
    if (opened === undefined) return false;
    // A proxy says with each request who sends it, which `ProxyLogins` looks at.
    if (opened.method.kind === 'proxy') return true;
    const { storage, clock } = this.#services();
    const now = clock.now();
    const age = now.getTime() - signIn.vouchedAt.getTime();
    const recheckMs = opened.options.recheck_minutes * MINUTE_MS;
    if (age < recheckMs) return true;
    if (await storage.sessions.ask(session.id, { notSince: new Date(now.getTime() - AGAIN_MS), at: now })) {
      const answer = await this.#ask(opened, user, () => this.#renew(opened, session));
      if (answer !== undefined) return answer;
    }
    if (age < 2 * recheckMs) return true;
    throw noAnswer(opened);
  }

  /** Whether API tokens of the user still count. */
  async isConfirmed(user: User): Promise<boolean> {
    if (user.login === undefined) return true;
    const opened = await this.methodOf(user.login.method);
    if (opened === undefined) return false;
    const { storage, clock } = this.#services();
    const vouchedAt = await storage.signIns.vouchedAt(user.id);
    if (vouchedAt === undefined) return false;
    const age = clock.now().getTime() - vouchedAt.getTime();
    const recheckMs = opened.options.recheck_minutes * MINUTE_MS;
    if (age < recheckMs) return true;
    const { method } = opened;
    if (method.kind !== 'password') return age < opened.options.token_hours * HOUR_MS;
    const { subject } = user.login;
    const asked = this.#asked.get(user.id) ?? this.#askOnce(opened, user, subject);
    return (await asked) ?? age < 2 * recheckMs;
  }

  #askOnce(opened: OpenedMethod, user: User, subject: string): Promise<boolean | undefined> {
    const asking = this.#ask(opened, user, () => this.#find(opened, subject)).finally(() =>
      this.#asked.delete(user.id),
    );
    this.#asked.set(user.id, asking);
    return asking;
  }

  /** `undefined` when there is no answer now. */
  async #ask(
    opened: OpenedMethod,
    user: User,
    ask: () => Promise<ExternalPerson | undefined>,
  ): Promise<boolean | undefined> {
    const services = this.#services();
    try {
      const person = await ask();
      if (person?.subject !== user.login?.subject || person === undefined) {
        await withdraw(services, opened, user);
        return false;
      }
      await admit(services, opened, person);
      return true;
    } catch (error) {
      if (error instanceof AppError && error.code === 'forbidden') return false;
      services.logger.warn('a sign-in method does not say whether a user may still log in', {
        account: opened.account.name,
        user: user.name,
        error,
      });
      return undefined;
    }
  }

  async #renew(opened: OpenedMethod, session: SessionRecord): Promise<ExternalPerson | undefined> {
    const { method } = opened;
    const { signIn } = session;
    if (signIn === undefined) return undefined;
    if (method.kind !== 'redirect')
      return this.#confirm(session, await this.#find(opened, signIn.subject), signIn.kept);
    const kept = await this.#kept(signIn.kept);
    const login = await opened.call('asking for a login', (signal) => method.renew(kept, { signal }));
    return login === undefined ? undefined : this.#confirm(session, login.person, await this.#seal(login.kept));
  }

  async #confirm(
    session: SessionRecord,
    person: ExternalPerson | undefined,
    kept: string,
  ): Promise<ExternalPerson | undefined> {
    const { storage, clock } = this.#services();
    if (person !== undefined) await storage.sessions.vouch(session.id, { at: clock.now(), kept });
    return person;
  }

  async #find(opened: OpenedMethod, subject: string): Promise<ExternalPerson | undefined> {
    const { method } = opened;
    if (method.kind !== 'password') return undefined;
    return opened.call('looking for a person', (signal) => method.find(subject, { signal }));
  }

  async #openable(account: Account): Promise<OpenedMethod | undefined> {
    const services = this.#services();
    if (!account.enabled) return undefined;
    try {
      return await openMethod(services, account);
    } catch (error) {
      services.logger.warn('a sign-in method cannot be used', { account: account.name, error });
      return undefined;
    }
  }

  async #seal(kept: string): Promise<string> {
    return kept === '' ? '' : this.#services().secrets.seal(kept, KEPT);
  }
}

function noAnswer({ account }: OpenedMethod): AppError {
  return new AppError(
    'unavailable',
    worded`${{ name: account.name }} does not answer, so it is not known whether you may still log in; try again later`,
    { retryAfterSeconds: AGAIN_MS / 1000 },
  );
}
