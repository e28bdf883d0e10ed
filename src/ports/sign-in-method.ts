import type * as z from 'zod';
import type { SourceFiles } from './files.ts';
import type { Http } from './http-client.ts';
import type { Logger } from './logger.ts';
import type { AccountField, AccountFieldTitles, SourceAccount } from './source.ts';

/** A person as another system knows them. */
export interface ExternalPerson {
  /** A permanent identifier that no other person of that system ever gets; not empty. */
  readonly subject: string;
  /** The name that the user gets here. */
  readonly name: string;
  /** Empty if unknown. */
  readonly email: string;
  /** Groups of the person, as the system writes them. */
  readonly groups: readonly string[];
}

/** A person who logged in at the other system. */
export interface ExternalLogin {
  readonly person: ExternalPerson;
  /** The other system's name for the session there; empty if it has none. */
  readonly session: string;
  /** Data that `renew` and `logoutAddress` need. It is stored encrypted. */
  readonly kept: string;
}

export interface SignInContext {
  /** Ends whatever is under way. */
  readonly signal: AbortSignal;
}

export interface CheckedMethod {
  /** Connects, logs in no user, and describes in one sentence to what and as whom. Throws if it could not. */
  check?(context: SignInContext): Promise<string>;
}

/** Name and password are entered here and verified elsewhere, as by a directory. */
export interface PasswordSignIn extends CheckedMethod {
  readonly kind: 'password';
  /**
   * Returns the person with these credentials. `undefined` if they are wrong, or the person may not log in there. Must throw if
   * that is not certain. An empty password must never be right.
   */
  verify(
    login: { readonly name: string; readonly password: string },
    context: SignInContext,
  ): Promise<ExternalPerson | undefined>;
  /** The person as the system knows them now; `undefined` for one that is gone, or may not log in any more. */
  find(subject: string, context: SignInContext): Promise<ExternalPerson | undefined>;
}

export interface RedirectSignIn extends CheckedMethod {
  readonly kind: 'redirect';
  /**
   * Returns the address at which the browser logs in. `pending` is returned with the answer; it is kept by that browser,
   * encrypted.
   */
  begin(
    request: { readonly returnAddress: string },
    context: SignInContext,
  ): Promise<{ readonly address: string; readonly pending: string }>;
  /**
   * Returns the person who logged in, given the address that the browser returned to. Must throw for an answer that does not
   * belong to `pending`.
   */
  finish(
    answer: { readonly address: string; readonly pending: string; readonly returnAddress: string },
    context: SignInContext,
  ): Promise<ExternalLogin>;
  /** The person as the system knows them now. `undefined` when it vouches for the login no more. Must throw when that is not certain. */
  renew(kept: string, context: SignInContext): Promise<ExternalLogin | undefined>;
  /** Returns the address at which the browser also logs out there; `undefined` if there is no such place. */
  logoutAddress?(
    request: { readonly kept: string; readonly returnAddress: string },
    context: SignInContext,
  ): Promise<string | undefined>;
  /** Whose sessions a message says are over, which the other system sends by POST. Must throw for a message that is not from it. */
  endedBy?(body: string, context: SignInContext): Promise<EndedLogin>;
}

/** The known facts about the login. Sessions to which all of them apply are over. */
export interface EndedLogin {
  readonly subject?: string;
  readonly session?: string;
  /** The name of the message, which counts once. */
  readonly message: string;
  /** Until when the message would be taken. */
  readonly until: Date;
}

/** A request as a proxy passed it on. */
export interface ProxiedRequest {
  /** By name in lower case; several of one name are joined by a line break, which none holds. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The certificate shown by the sender, signed by an authority of `TLS_CLIENT_CA`; `undefined` for any other. */
  readonly certificate: ClientCertificate | undefined;
}

export interface ClientCertificate {
  /** SHA-256 in hexadecimal, lower case, without colons. */
  readonly fingerprint: string;
  /** The common name and the DNS names. */
  readonly names: readonly string[];
}

/** A proxy says who sends a request. */
export interface ProxySignIn extends CheckedMethod {
  readonly kind: 'proxy';
  /**
   * Returns the person. `undefined` if the request names none. Must throw `AppError('forbidden')` for a name that does not come
   * from the proxy.
   */
  identify(request: ProxiedRequest): ExternalPerson | undefined;
}

export type SignInMethod = PasswordSignIn | RedirectSignIn | ProxySignIn;

export interface SignInServices {
  readonly logger: Logger;
  readonly http: Http;
  readonly files: Pick<SourceFiles, 'read'>;
}

/** An account type through which people known to another system log in. */
export interface SignInMethodType<Options = unknown> {
  /** The account type, `oidc`. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly kind: SignInMethod['kind'];
  /** The options of an account of this type. A strict object; options come as text. */
  readonly options: z.ZodType<Options>;
  /** See `SourceType`. */
  readonly unusedFields?: readonly AccountField[];
  /** See `SourceType`. */
  readonly fieldTitles?: AccountFieldTitles;
  /** Whether two texts name the same group; absent: when they are equal. */
  sameGroup?(a: string, b: string): boolean;
  /** Must not connect. Throws `AppError('invalid_input')` for an account that lacks something. */
  open(options: Options, account: SourceAccount, services: SignInServices): SignInMethod;
}
