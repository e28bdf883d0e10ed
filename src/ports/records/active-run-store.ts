/** `plan`: one is being made. Exports and the application of plans are `export`: both write to the target of the account. */
export type ActiveRunKind = 'import' | 'export' | 'plan';

/** How far a run is, in units of its own. */
export interface ActiveRunProgress {
  readonly done: number;
  /** `null` while nobody knows. */
  readonly total: number | null;
  readonly unit: 'bytes' | 'hosts' | 'rules' | 'records';
  /** For people; empty when there is nothing to say. */
  readonly note: string;
}

/** What goes on with an account now. */
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
  /** How long the run is believed to go on when nobody says so any more. */
  readonly leaseMs: number;
}

/** A run by what the store finds it by. */
export type ActiveRunKey = Pick<ActiveRun, 'id' | 'accountId'>;

/**
 * What runs now, on all nodes and in all commands. Whoever runs something holds a lease and renews it: whoever dies lets go by itself. These runs
 * are no part of transfers: they tell of a moment that is over.
 */
export interface ActiveRunStore {
  /**
   * Stores a run that begins. Nothing is stored, and the run that is in the way is answered, while another one of the account and kind goes on
   * that is about the same part or about all of them, or when this one is about all of them; plans are in nobody's way. Of many who begin
   * at once, one succeeds. By the clock of the store, a run goes on while its lease lasts.
   */
  begin(run: ActiveRunStart): Promise<ActiveRun | undefined>;

  /**
   * Lengthens the lease from now on, one that ran out too, and stores how far the run is when that is given. `cancel`: the same, and
   * somebody asked to cancel it. `ended`, and nothing changes, when it ended, is unknown, or another one of the account began after its lease.
   */
  keep(
    request: ActiveRunKey & { readonly leaseMs: number; readonly progress?: ActiveRunProgress },
  ): Promise<'kept' | 'cancel' | 'ended'>;

  /** Takes a run away that is over, or whose holder is known to be dead. True when it was there. */
  end(run: ActiveRunKey): Promise<boolean>;

  /** Asks whoever runs it to cancel it. False when it does not go on. */
  requestCancel(run: ActiveRunKey): Promise<boolean>;

  /** What goes on now: oldest first (by start, then id). */
  list(): Promise<readonly ActiveRun[]>;

  /** Runs that nobody ended although their lease is over, as long as no other one of their account began since: oldest first. */
  lapsed(): Promise<readonly ActiveRun[]>;
}
