/** The login of a user who is known to another system. */
export interface SessionSignIn {
  /** Id of the account by which it began. */
  readonly method: string;
  /** Id of the person there. */
  readonly subject: string;
  /** The other system's name for its session; empty if it has none. */
  readonly session: string;
  /** Data for requests to that system, sealed; empty if none is needed. */
  readonly kept: string;
  /** When that system last vouched for the person. */
  readonly vouchedAt: Date;
  /** When it was last asked to. */
  readonly askedAt: Date;
}

/** A session of the admin interface: a user who logged in and has not logged out yet. */
export interface SessionRecord {
  /** SHA-256 of the session's secret, in hexadecimal: who reads the store cannot show a session by it. */
  readonly id: string;
  /** Id of the user's document. */
  readonly userId: string;
  /** Digest of the password with which it began; a session whose user has a different one by now is over. */
  readonly credential: string;
  readonly begunAt: Date;
  /** When it was last used, to some minutes. */
  readonly seenAt: Date;
  readonly address: string;
  /** The browser's name for itself. */
  readonly client: string;
  /** Absent for users who are known here. */
  readonly signIn?: SessionSignIn;
}

/**
 * The active sessions. A session that ended is gone, on every node. They are not part of transfers: a copy or a backup that is
 * restored must not bring back sessions that were ended.
 */
export interface SessionStore {
  /** Keeps a new session. An id that is taken is a `conflict`. */
  begin(session: SessionRecord): Promise<void>;
  /** `undefined` when it ended or never was. */
  find(id: string): Promise<SessionRecord | undefined>;
  /** Notes a later use; an older time is ignored, and a session that ended does not come back. */
  seen(id: string, at: Date): Promise<void>;
  /** Counts a wrong password that was tried in the session. Answers how many there were by now; 0 when it is not there. */
  countFailure(id: string): Promise<number>;
  /** Sessions of the user, last used first, then by id. */
  ofUser(userId: string): Promise<readonly SessionRecord[]>;
  /** True when it was there. */
  end(id: string): Promise<boolean>;
  /** Ends all of the user but one, when that is given. Answers how many. */
  endOfUser(userId: string, except?: string): Promise<number>;
  /**
   * Takes the turn to ask the other system, when it was not asked since the time. Of many at once, on any node, one gets true. False
   * for sessions of users who are known here, and for those that ended.
   */
  ask(id: string, request: { readonly notSince: Date; readonly at: Date }): Promise<boolean>;
  /** Notes that the other system vouches for the person, and what it is asked with from now on. Nothing where the session ended. */
  vouch(id: string, vouched: { readonly at: Date; readonly kept: string }): Promise<void>;
  /** Ends those that began by the method, all that is given of the login being the same. Nothing given ends none. Answers how many. */
  endOfLogin(login: {
    readonly method: string;
    readonly subject?: string | undefined;
    readonly session?: string | undefined;
  }): Promise<number>;
  /** Takes away what was not used since the first date, or begun before the second. Answers how many. */
  prune(request: { readonly seenBefore: Date; readonly begunBefore: Date }): Promise<number>;
}
