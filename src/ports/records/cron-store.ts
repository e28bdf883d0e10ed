/** The run state of a cron group. The group itself is a rule document. */
export interface CronState {
  /** Id of the group's document. */
  readonly groupId: string;
  readonly lastStart: Date;
  /** `null` while the run is active, and if it never ended. */
  readonly lastEnd: Date | null;
  /** Message of the last run that ended; empty before the first end. */
  readonly message: string;
  /** Whether the last run that ended failed. */
  readonly hasError: boolean;
  /** The process that runs it, or died while running it; `null` if the last run ended. */
  readonly holder: string | null;
  /** True while the holder's lease lasts, by the clock of the store. */
  readonly isHeld: boolean;
  /** Whether the last start was asked for, and not the schedule's. */
  readonly requested: boolean;
  /** Starts since a run last ended: above 1 when holders died. */
  readonly attempts: number;
}

/** A wish to run a group now. */
export interface CronClaim {
  readonly groupId: string;
  /** Names the process and the run; unique to this claim. */
  readonly holder: string;
  readonly at: Date;
  readonly leaseMs: number;
  /** `lastStart` as the caller saw it; `null` when there was no state. */
  readonly seenStart: Date | null;
  readonly requested: boolean;
}

export interface CronEnd {
  readonly groupId: string;
  readonly holder: string;
  readonly at: Date;
  readonly message: string;
  readonly hasError: boolean;
}

/**
 * Records which process runs which cron group. Several nodes and commands share it, so a group is taken by one compare-and-set
 * and held by a lease that its holder renews: a holder that dies releases the group automatically.
 */
export interface CronStore {
  /** The states of all groups that ever ran, by group id. */
  states(): Promise<readonly CronState[]>;

  /**
   * Takes a group: sets start, holder and request, and counts the attempt (1 when the run before ended). False, and nothing
   * changes, when another holder's lease lasts or when the last start is not the one that was seen. `lastEnd` becomes `null`;
   * message and error stay those of the last run that ended. Of many who claim at once, one succeeds.
   */
  claim(claim: CronClaim): Promise<boolean>;

  /** Lengthens the lease from now on. False when the holder no longer holds the group, or the lease ran out and another took it. */
  keep(request: { readonly groupId: string; readonly holder: string; readonly leaseMs: number }): Promise<boolean>;

  /** Notes how a run ended and lets go. False, and nothing changes, when the holder no longer holds the group. */
  finish(end: CronEnd): Promise<boolean>;

  /**
   * Ends the lease of a holder that is known to be dead, or that stops in good order. The holder stays, and so do the attempts
   * unless the one that ends here shall not count. False, and nothing changes, when it holds nothing.
   */
  release(request: {
    readonly groupId: string;
    readonly holder: string;
    readonly uncounted?: boolean;
  }): Promise<boolean>;

  /** Deletes the states of other groups than these. Answers the count. Groups that are held stay. */
  retain(groupIds: readonly string[]): Promise<number>;
}
