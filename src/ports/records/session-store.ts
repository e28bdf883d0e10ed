/** How somebody logged in who is known elsewhere. */
export interface SessionSignIn {
  /** Id of the account by which it began. */
  readonly method: string;
  /** Who it is there. */
  readonly subject: string;
  /** How the other system names its session; empty where it has none. */
  readonly session: string;
  /** What that system is asked with, sealed; empty where nothing is needed. */
  readonly kept: string;
  /** When that system last vouched for the person. */
  readonly vouchedAt: Date;
  /** When it was last asked to. */
  readonly askedAt: Date;
}

/** A session of the admin interface: somebody who logged in and did not log out yet. */
export interface SessionRecord {
  /** SHA-256 of the session's secret, in hexadecimal: who reads the store cannot show a session by it. */
  readonly id: string;
  /** Id of the user's document. */
  readonly userId: string;
  /** Of the password by which it began; a session whose user has another one by now is over. */
  readonly credential: string;
  readonly begunAt: Date;
  /** When it was last used, to some minutes. */
  readonly seenAt: Date;
  readonly address: string;
  /** What the browser calls itself. */
  readonly client: string;
  /** Absent for who is known here. */
  readonly signIn?: SessionSignIn;
}

/**
 * The sessions that go on. One that ended is not there any more, on any node. They are no part of transfers: a copy or a
 * backup that is restored must not bring back what somebody has ended.
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
