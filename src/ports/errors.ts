/**
 * The closed set of things that can go wrong, in words of the domain. Each driving adapter translates a code into what
 * its transport has for it (status, exit code, tool error); nothing here knows a transport.
 */
export type ErrorCode =
  /** The input does not fit: wrong shape, refused value, unknown name in a body. */
  | 'invalid_input'
  /** No credentials, or credentials that are not valid. */
  | 'unauthenticated'
  /** Credentials came over a transport that may not carry them. */
  | 'insecure_transport'
  /** The user holds no role that grants the operation. */
  | 'role_missing'
  /** The user may read only. */
  | 'read_only'
  /** The user may do this, but not to that: outside of scope, or more than the user holds. */
  | 'forbidden'
  /** The host is bound to another account. */
  | 'account_conflict'
  /** The thing does not exist, or not for this caller. */
  | 'not_found'
  /** The store itself does not exist yet, and this call makes none. */
  | 'store_missing'
  /** It existed but is no longer kept: the caller has to start again from the beginning. */
  | 'gone'
  /** The host was archived by an operator and only an operator brings it back. */
  | 'archived'
  /** The thing was changed by someone else in the meantime, or it is still in use. */
  | 'conflict'
  /** The body, or a part of it, is larger than allowed. */
  | 'too_large'
  | 'unsupported_media_type'
  | 'rate_limited'
  /** The storage, a full queue in front of it, or a plugin that rules need is not there now; the same call may work later. */
  | 'unavailable'
  /** The work was tried and failed for a reason outside of the program: a source, a file, a remote system. */
  | 'failed'
  /** The caller went away or the service stops. */
  | 'cancelled'
  /** A fault of the program. Its message is never shown to a caller. */
  | 'internal';

/** One detail of an error: `path` names the place in the input (`objects.3.labels.os`), `message` what is wrong there. */
export interface ErrorDetail {
  readonly path: string;
  readonly message: string;
  /** The parts of the message, if it has values: only pages get them. A message without values is its own template. */
  readonly wording?: WordingParts;
}

/** A sentence with its parts: pages that speak another language look the template up and put the values in. */
export interface Wording {
  /** The sentence in English, with its values. */
  readonly text: string;
  /** The same sentence with `{name}` in place of each value. */
  readonly template: string;
  readonly values: Readonly<Record<string, string | number | Wording>>;
  /** The sentence for callers restricted to accounts or templates; absent: they read this one. */
  readonly restricted?: Wording;
}

/** The parts of a sentence whose text is kept next to them. */
export type WordingParts = Pick<Wording, 'template' | 'values'>;

export interface AppErrorOptions {
  readonly details?: readonly ErrorDetail[];
  /** Members that the contract requires in the answer in addition to message and code, such as `{status: 'account_conflict'}`. */
  readonly members?: Readonly<Record<string, unknown>>;
  /** Seconds after which the same call is worth another try. */
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
}

/** An expected failure. `message` says what is wrong and what to do, and never holds a secret. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly details: readonly ErrorDetail[];
  readonly members: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds: number | undefined;
  /** The parts of the message, if it was given with them. */
  readonly wording: Wording | undefined;

  constructor(code: ErrorCode, message: string | Wording, options: AppErrorOptions = {}) {
    super(
      typeof message === 'string' ? message : message.text,
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.code = code;
    this.details = options.details ?? [];
    this.members = options.members ?? {};
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.wording = typeof message === 'string' ? undefined : message;
  }
}
