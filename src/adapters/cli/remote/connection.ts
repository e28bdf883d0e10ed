/** How a person is known at a service. */
export type RemoteLogin =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'password'; readonly user: string; readonly password: string };

/** A service that commands are sent to. */
export interface Connection {
  /** Ends with a slash, so that paths go below it. */
  readonly base: URL;
  readonly login: RemoteLogin;
  /** PEM: authorities that are trusted in addition to those of the machine. */
  readonly authorities?: string;
  /** The profile that it comes from, if any. */
  readonly profile?: string;
}
