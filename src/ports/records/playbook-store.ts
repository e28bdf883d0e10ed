/** `lost`: the service that ran it died over it, and how it ended is not known. */
export type PlaybookRunStatus = 'running' | 'succeeded' | 'failed' | 'cancelled' | 'lost';

/** The limit and the variables of a run at its start. */
export interface PlaybookRunChoices {
  /** The search that found the hosts, as it was written. */
  readonly search?: string;
  /** The group of the inventory that they are in. */
  readonly group?: string;
  /** Number of hosts of a limited run, and the first of them by name. */
  readonly hosts?: { readonly count: number; readonly first: readonly string[] };
  /** Names of further variables. Their values may be secret. */
  readonly variables?: readonly string[];
}

/** One run of a playbook, begun or over, without what it printed. */
export interface PlaybookRun {
  /** 24 hex digits. */
  readonly id: string;
  /** The playbook's file, as the manifest names it. */
  readonly playbook: string;
  /** The inventory provider that it ran with. */
  readonly provider: string;
  /** The one host that it ran for; `null` for all hosts of the inventory, or those of `choices`. */
  readonly hostname: string | null;
  /** Absent in runs without a limit and variables, and in runs of earlier versions. */
  readonly choices?: PlaybookRunChoices;
  /** Whether it only said what it would change. */
  readonly checkMode: boolean;
  readonly source: 'rule' | 'user';
  /** Name of the rule, or of the user. */
  readonly startedBy: string;
  readonly startedAt: Date;
  /** `null` while it runs, and when it was lost. */
  readonly endedAt: Date | null;
  readonly status: PlaybookRunStatus;
  /** `null` when there is none: it runs, never began, or was ended by a signal. */
  readonly exitCode: number | null;
  /** Why it did not succeed, for people; empty while it runs and when all went well. */
  readonly message: string;
}

export interface PlaybookRunRecord extends PlaybookRun {
  /** The end of what it printed. */
  readonly output: string;
}

export interface PlaybookRunStart extends Omit<PlaybookRun, 'endedAt' | 'status' | 'exitCode' | 'message'> {
  /** Time for which the run counts as active without a renewal. */
  readonly leaseMs: number;
}

export interface PlaybookRunEnd {
  readonly id: string;
  readonly at: Date;
  readonly status: 'succeeded' | 'failed' | 'cancelled';
  readonly exitCode: number | null;
  readonly message: string;
  readonly output: string;
}

/** A rule that matches a host and names a playbook: remembered so that it fires once. */
export interface PlaybookMatch {
  /** Id of the rule's document. */
  readonly ruleId: string;
  /** The playbook's file; empty if it is not known yet which ones the rule names for the host; those will count as fired. */
  readonly playbook: string;
  readonly hostname: string;
}

export interface RememberedMatch extends PlaybookMatch {
  /** When it was remembered. */
  readonly since: Date;
}

/** The run after which a listing continues. */
export type PlaybookRunCursor = Pick<PlaybookRun, 'id' | 'startedAt'>;

/** Runs of playbooks, and which rules have fired for which hosts. */
export interface PlaybookStore {
  /** Stores a run that begins: it is `running` while its lease lasts, by the clock of the store, and `lost` from then on. */
  begin(run: PlaybookRunStart): Promise<void>;

  /**
   * Extends the lease from now on, and stores the output so far if given; a run that was lost in the meantime counts as running
   * again. `cancel`: the same, and cancellation was requested. `ended`, and nothing changes, if it ended or is unknown.
   */
  keep(request: {
    readonly id: string;
    readonly leaseMs: number;
    readonly output?: string;
  }): Promise<'kept' | 'cancel' | 'ended'>;

  /** Stores how a run ended. False, and nothing changes, when it ended before or is unknown. A lost run can still end. */
  end(end: PlaybookRunEnd): Promise<boolean>;

  /** Asks the runner to cancel the run. `not_running` if it ended or is lost. */
  requestCancel(id: string): Promise<'requested' | 'not_running' | 'not_found'>;

  find(id: string): Promise<PlaybookRunRecord | undefined>;

  /** Newest first (by start, then id descending), at most `limit`; behind `before` when it is given. */
  latest(request: { readonly limit: number; readonly before?: PlaybookRunCursor }): Promise<readonly PlaybookRun[]>;

  /** Deletes runs that began before the date, but none that runs. Answers the count. */
  prune(before: Date): Promise<number>;

  /**
   * All remembered matches by hostname, then rule, then playbook, each in byte order, in batches of at most `batchSize`. What
   * is there from beginning to end is given exactly once. Needs memory for a batch.
   */
  matches(batchSize: number): AsyncIterable<readonly RememberedMatch[]>;

  /** Remembers a match, unless it is remembered already: false then. Of many who remember it at once, one succeeds. */
  remember(match: RememberedMatch): Promise<boolean>;

  /** Forgets these matches, as far as they are remembered. Answers the count. */
  forget(matches: readonly PlaybookMatch[]): Promise<number>;
}
