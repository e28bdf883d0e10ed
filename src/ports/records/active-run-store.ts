/** `plan`: one is being made. Exports and the application of plans are `export`: both write to the target of the account. */
export type ActiveRunKind = 'import' | 'export' | 'plan';

/** How far a run is, in units of its own. */
export interface ActiveRunProgress {
  readonly done: number;
  /** `null` while unknown. */
  readonly total: number | null;
  readonly unit: 'bytes' | 'hosts' | 'rules' | 'records';
  /** For people; empty when there is nothing to say. */
  readonly note: string;
}

/** A current run of an account. */
export interface ActiveRun {
  /** 24 hex digits. */
  readonly id: string;
  readonly kind: ActiveRunKind;
  readonly accountId: string;
  /** Its name when the run began. */
  readonly account: string;
  /** The one part of the source or target that it is about; `null` for all of them. */
  readonly part: string | null;
  readonly startedBy: string;
  readonly startedAt: Date;
  /** Names the process and the run; unique to this run. */
  readonly holder: string;
  /** `null` before the first one. */
  readonly progress: ActiveRunProgress | null;
}

export interface ActiveRunStart extends Omit<ActiveRun, 'progress'> {
  /** Time for which the run counts as active without a renewal. */
  readonly leaseMs: number;
}

/** A run by what the store finds it by. */
export type ActiveRunKey = Pick<ActiveRun, 'id' | 'accountId'>;

/**
 * Current runs, on all nodes and in all commands. Each runner holds a lease and renews it, so that a runner that dies releases
 * its run automatically. These runs are not part of transfers: they describe a past moment.
 */
export interface ActiveRunStore {
  /**
   * Stores a run that begins. Stores nothing and answers the blocking run if another active run of the account and kind concerns
   * the same part or all of them, or if this one concerns all of them; plans block no run. Of several that begin at once, one
   * succeeds. By the clock of the store, a run is active while its lease lasts.
   */
  begin(run: ActiveRunStart): Promise<ActiveRun | undefined>;

  /**
   * Extends the lease from now on, even an expired one, and stores the progress of the run if given. `cancel`: the same, and
   * cancellation was requested. `ended`, and nothing changes, if it ended, is unknown, or another one of the account began after
   * its lease.
   */
  keep(
    request: ActiveRunKey & { readonly leaseMs: number; readonly progress?: ActiveRunProgress },
  ): Promise<'kept' | 'cancel' | 'ended'>;

  /** Takes a run away that is over, or whose holder is known to be dead. True when it was there. */
  end(run: ActiveRunKey): Promise<boolean>;

  /** Asks the runner to cancel the run. False if it is not active. */
  requestCancel(run: ActiveRunKey): Promise<boolean>;

  /** Lists the active runs, oldest first (by start, then id). */
  list(): Promise<readonly ActiveRun[]>;

  /**
   * Lists runs that were not ended although their lease is over, as long as no other run of their account began since: oldest
   * first.
   */
  lapsed(): Promise<readonly ActiveRun[]>;
}
