import type { AccountScope } from '../host.ts';
import type { JsonValue } from '../json.ts';
import type { ChangeAction, ObjectReference } from '../object-target.ts';

/**
 * `planning`: being made. `ready`: can be applied. `refused`: too much would change. `applying`: being applied. `interrupted`:
 * the process that applied it died, and another can continue. `done`, `partial` (not every entry), `failed` (it was not made, or
 * could not be applied). `discarded`: someone decided that it is not applied, or not any further.
 */
export type PlanStatus =
  | 'planning'
  | 'ready'
  | 'refused'
  | 'applying'
  | 'interrupted'
  | 'done'
  | 'partial'
  | 'failed'
  | 'discarded';

/** `conflict` is never applied: it says what Muster would do and may not. */
export type PlanAction = ChangeAction | 'conflict';

/**
 * The numbers of objects by outcome. `kept`: ours and no longer wanted by any host, but not deleted, because that is not certain.
 */
export interface PlanCounts {
  readonly create: number;
  readonly update: number;
  readonly move: number;
  readonly delete: number;
  readonly adopt: number;
  readonly conflict: number;
  readonly unchanged: number;
  readonly kept: number;
}

export const NO_PLAN_COUNTS: PlanCounts = {
  create: 0,
  update: 0,
  move: 0,
  delete: 0,
  adopt: 0,
  conflict: 0,
  unchanged: 0,
  kept: 0,
};

/** The state that a plan was made from. */
export interface PlanBasis {
  /** The revision of hosts. */
  readonly hosts: number;
  /** The revision of the compiled rules. */
  readonly rules: string;
  /**
   * The originator: the user who started it, or the run of the cron group that made it. Absent in plans older than this member.
   */
  readonly causedBy?: string;
  /** Tells the versions of the account, its parent and the rules of its target from others. Absent as above. */
  readonly documents?: string;
}

export interface PlanStart {
  /** 24 hex digits. */
  readonly id: string;
  readonly accountId: string;
  /** Its name then. */
  readonly account: string;
  readonly madeBy: string;
  readonly madeAt: Date;
  readonly basis: PlanBasis;
  /** Names the process and the run; unique to this plan. */
  readonly holder: string;
  /** Time for which it counts as being made without a renewal. */
  readonly leaseMs: number;
  /** Whether it is applied as soon as it is made: no other plan of the account is applied meanwhile. */
  readonly isExclusive: boolean;
}

export interface Plan extends Omit<PlanStart, 'holder' | 'leaseMs' | 'isExclusive'> {
  readonly status: PlanStatus;
  readonly counts: PlanCounts;
  /** How many of its entries are about objects that were changed there since Muster wrote them; 0 while it is being made. */
  readonly drift: number;
  /** Entries that were applied, and that were tried or left out for a reason. */
  readonly done: number;
  readonly failed: number;
  readonly needsApproval: boolean;
  readonly approvedBy: string | null;
  readonly approvedAt: Date | null;
  readonly appliedBy: string | null;
  readonly appliedAt: Date | null;
  readonly endedAt: Date | null;
  /** For people: why it is refused, failed or partial, who discarded it, or what it leaves out; empty when there is nothing to say. */
  readonly message: string;
}

export interface PlanField {
  readonly name: string;
  /** Absent when the system did not give it. */
  readonly before?: JsonValue;
  /** The new value; sealed for a secret field. */
  readonly after?: JsonValue;
  readonly secret?: true;
}

/** Why an entry was not applied, or `done`. `blocked`: what it comes after was not made. */
export type EntryOutcome = 'done' | 'refused' | 'changed' | 'gone' | 'exists' | 'not_tried' | 'unknown' | 'blocked';

/** The rule that wants an object. */
export interface PlanRule {
  readonly id: string;
  /** Empty if the rule named by the target is not one of its own. */
  readonly type: string;
  readonly name: string;
}

/** One thing that a plan does, or cannot do. */
export interface PlanEntry {
  /** From 1 on, in the order in which they are applied; conflicts come last. */
  readonly number: number;
  readonly action: PlanAction;
  readonly kind: string;
  readonly key: string;
  readonly previousKey: string | null;
  /** The host that wants it, or wanted it last; `null` when that is not known. */
  readonly hostname: string | null;
  /** Digest of what the host was when the plan was made. Absent in deletions, conflicts, and plans older than this member. */
  readonly host?: string | undefined;
  /** Whether further hosts want it. */
  readonly several?: boolean | undefined;
  readonly rule: PlanRule | null;
  /** Whether what Muster had written was changed there. */
  readonly drift: boolean;
  readonly fields: readonly PlanField[];
  readonly after: readonly ObjectReference[];
  /** The remote object that the entry was made from; `null` when there is none. */
  readonly remote: { readonly id: string; readonly etag: string | null; readonly digest: string } | null;
  /** Digest of the fields as they will have been written, as in `OwnedObject`. */
  readonly digest: string;
  /** As `OwnedObject` has it. */
  readonly secrets: string;
  /** `null` until it was tried. */
  readonly outcome: EntryOutcome | null;
  /** Why there is a conflict, or why it was not applied; empty otherwise. */
  readonly reason: string;
}

export interface EntryFilter {
  readonly action?: PlanAction;
  readonly kind?: string;
  /** Part of the key, the previous key or the hostname; case counts, and no character means anything else than itself. */
  readonly text?: string;
  /** `open`: not tried yet. */
  readonly outcome?: EntryOutcome | 'open';
}

export interface PlanEnd {
  readonly id: string;
  readonly status: 'ready' | 'refused' | 'failed';
  readonly counts: PlanCounts;
  readonly drift: number;
  readonly needsApproval: boolean;
  readonly message: string;
}

export interface PlanClaim {
  readonly id: string;
  /** Names the process and the run; unique to this claim. */
  readonly holder: string;
  readonly by: string;
  readonly at: Date;
  readonly leaseMs: number;
}

export interface HeldPlan {
  readonly id: string;
  /** As the plan began with it, or as it was claimed. */
  readonly holder: string;
}

export interface EntryEnd {
  readonly number: number;
  readonly outcome: EntryOutcome;
  readonly reason: string;
}

/** The plan after which a listing continues. */
export type PlanCursor = Pick<Plan, 'id' | 'madeAt'>;

/** Planned changes in remote systems, and their outcomes. Plans are not part of transfers: they describe a past moment. */
export interface PlanStore {
  /**
   * Stores a plan that is being made: it is `planning` while its lease lasts, by the clock of the store, and `failed` from then on. An exclusive
   * one holds the account while its lease lasts; false, and nothing is stored, when another plan does.
   */
  begin(plan: PlanStart): Promise<boolean>;

  /** Adds entries to a plan that is being made, and lengthens its lease. False, and nothing changes, when it is not. */
  append(request: {
    readonly id: string;
    readonly entries: readonly PlanEntry[];
    readonly leaseMs: number;
  }): Promise<boolean>;

  /**
   * Stores how the making ended. False, and nothing changes, if it ended before or is unknown. An exclusive plan that is ready
   * keeps holding its account.
   */
  settle(end: PlanEnd): Promise<boolean>;

  find(id: string): Promise<Plan | undefined>;

  /** Newest first (by time, then id descending), at most `limit`, of these accounts; behind `before` when it is given. */
  list(request: {
    readonly limit: number;
    /** Ids of accounts; `null` for all. */
    readonly accounts: AccountScope;
    readonly before?: PlanCursor;
  }): Promise<readonly Plan[]>;

  /** Entries behind a number, in their order, at most `limit`; none of a plan that is unknown. */
  entries(request: {
    readonly id: string;
    readonly filter: EntryFilter;
    readonly after: number;
    readonly limit: number;
  }): Promise<readonly PlanEntry[]>;

  /** Records the approval. False, and nothing changes, unless the plan is `ready`, needs approval, and has none yet. */
  approve(request: { readonly id: string; readonly by: string; readonly at: Date }): Promise<boolean>;

  /**
   * Takes a plan that is `ready` or `interrupted`, to apply it, and holds its account. False, and nothing changes, otherwise, and while another
   * plan holds the account; one that needs approval and has none is not taken. Of many who claim at once, one succeeds. `appliedBy` and
   * `appliedAt` become those of the claim.
   */
  claim(claim: PlanClaim): Promise<boolean>;

  /**
   * Lengthens the lease from now on and notes how many entries have an outcome. False when the holder does not hold it any more, nor the
   * account.
   */
  keep(request: {
    readonly id: string;
    readonly holder: string;
    readonly leaseMs: number;
    readonly done: number;
    readonly failed: number;
  }): Promise<boolean>;

  /** Stores what happened to entries. Numbers that are not there count for nothing. */
  noteOutcomes(request: { readonly id: string; readonly outcomes: readonly EntryEnd[] }): Promise<void>;

  /** Notes how applying ended, and lets go. False, and nothing changes, when the holder does not hold it any more. */
  finish(request: {
    readonly id: string;
    readonly holder: string;
    readonly at: Date;
    readonly status: 'done' | 'partial' | 'failed' | 'interrupted';
    readonly done: number;
    readonly failed: number;
    readonly message: string;
  }): Promise<boolean>;

  /** The plan that holds an account, and the process that makes or applies it; `undefined` if none does. */
  holding(accountId: string): Promise<HeldPlan | undefined>;

  /**
   * Ends the lease of a holder that is known to be dead, as if its time were over. False, and nothing changes, when the plan does not hold
   * its account, or another one holds the plan by now.
   */
  takeBack(held: HeldPlan): Promise<boolean>;

  /** Releases the account held by a plan that is not being applied; the plan stays as it is. True if it held one. */
  release(id: string): Promise<boolean>;

  /**
   * Notes that a plan which is `ready`, `refused` or `interrupted` is not applied any more, and releases its account; the message
   * names the user. False, and nothing changes, otherwise, and while a process holds it.
   */
  discard(request: { readonly id: string; readonly at: Date; readonly message: string }): Promise<boolean>;

  /** Deletes a plan with its entries, unless it is being made or applied. True if it existed. */
  remove(id: string): Promise<boolean>;

  /** Deletes plans that were made before the date, except those being made or applied. Answers the count. */
  prune(before: Date): Promise<number>;
}
