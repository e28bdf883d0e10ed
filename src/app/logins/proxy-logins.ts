import { AppError, type ExternalPerson, type ProxiedRequest, type SessionRecord } from '../../ports/index.ts';
import { growingCache } from '../users/growing-cache.ts';
import type { LoginServices } from './services.ts';
import type { Admitted, Kind, SignIns } from './sign-ins.ts';

const MINUTE_MS = 60_000;
const MOST_REMEMBERED = 10_000;

interface Named {
  readonly opened: Kind<'proxy'>;
  readonly person: ExternalPerson;
}

/** Logins of people whom a proxy names with each of their requests. */
export class ProxyLogins {
  readonly #signIns: SignIns;
  readonly #services: () => LoginServices;
  /** The proxy's statement about the person of a session when their rights were last checked, and the time. */
  readonly #said = growingCache<{ readonly text: string; readonly at: number }>(MOST_REMEMBERED);

  constructor(signIns: SignIns, services: () => LoginServices) {
    this.#signIns = signIns;
    this.#services = services;
  }

  /** Lets in the person that a proxy names, if any. Throws `forbidden` for a name from elsewhere, or a person not let in. */
  async logIn(request: ProxiedRequest): Promise<(Admitted & { readonly by: string }) | undefined> {
    for (const opened of await this.#signIns.ofKind('proxy')) {
      const named = await this.#named(opened, request);
      if (named === undefined) continue;
      const admitted = await this.#signIns.admit(opened, { person: named.person, session: '', kept: '' });
      return { ...admitted, by: opened.account.name };
    }
    return undefined;
  }

  /** Whether a session that a proxy began still belongs to the person it names now. True for all other sessions. */
  async isOf(session: SessionRecord, request: ProxiedRequest): Promise<boolean> {
    if (session.signIn === undefined) return true;
    const { accounts, plugins } = this.#services();
    const account = await accounts.byId(session.signIn.method);
    if (account === undefined || plugins.signInMethod(account.type)?.item.kind !== 'proxy') return true;
    const opened = await this.#signIns.methodOf(account.id);
    if (opened === undefined) return false;
    try {
      const named = await this.#named(opened as Kind<'proxy'>, request);
      if (named?.person.subject !== session.signIn.subject) return false;
      await this.#lookAgain(session, named);
      return true;
    } catch (error) {
      if (error instanceof AppError && error.code === 'forbidden') return false;
      throw error;
    }
  }

  /** Other groups give other rights at once; the same are written again so often that tokens of the person go on. */
  async #lookAgain({ id }: SessionRecord, { opened, person }: Named): Promise<void> {
    const text = JSON.stringify(person);
    const now = this.#services().clock.now().getTime();
    const before = this.#said.get(id);
    if (before?.text === text && now - before.at < opened.options.recheck_minutes * MINUTE_MS) return;
    await this.#signIns.admit(opened, { person, session: '', kept: '' });
    this.#said.set(id, { text, at: now });
  }

  async #named(opened: Kind<'proxy'>, request: ProxiedRequest): Promise<Named | undefined> {
    const person = await opened.call('asking who it is', () => opened.method.identify(request));
    return person === undefined ? undefined : { opened, person };
  }
}
