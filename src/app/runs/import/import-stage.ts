import type { ImportOptions } from '../../../kit/account-options/import-options.ts';
import type { HostnameTemplate } from '../../../kit/options/hostname-template.ts';
import type { ImportTally } from '../../../kit/summaries/import-summary.ts';
import { type Said, worded } from '../../../kit/worded.ts';
import type { Actor, Clock, HostRecord, Scratch, ValueChange, WritingAccount } from '../../../ports/index.ts';
import type { ReadingChanges } from './changes-only.ts';
import type { PreparedRecord } from './decisions/prepare-record.ts';
import type { ImportStores } from './waiting-stores.ts';

export interface ImportAccount extends WritingAccount {
  readonly name: string;
  /** Its type, such as `csv`. */
  readonly type: string;
  /** May take hosts over from other accounts. */
  readonly isMaster: boolean;
}

/** The changes that a dry run would make to one host. */
export interface HostDiff {
  readonly hostname: string;
  readonly outcome: 'created' | 'updated';
  readonly changes: readonly ValueChange[];
}

export type WriteOutcome =
  | 'created'
  | 'updated'
  | 'unchanged'
  | {
      readonly kind: 'conflict' | 'skipped' | 'failed';
      readonly reason: Said;
      /** Hosts that the record may be: the source still names them, so that nothing is taken away from them. */
      readonly stays?: readonly string[];
    }
  /** It is settled at the end of the read, and counted then. */
  | { readonly kind: 'deferred' };

export const DEFERRED: WriteOutcome = { kind: 'deferred' };

/** Whether the record is or will be stored. */
export function isStored(outcome: WriteOutcome | undefined): boolean {
  return typeof outcome === 'string' || outcome?.kind === 'deferred';
}

/** The outcome of a deferred record. */
export interface DeferredOutcome {
  readonly record: PreparedRecord;
  readonly outcome: WriteOutcome;
}

export interface RelationCounts {
  readonly added: number;
  readonly removed: number;
}

export interface FinishResult {
  readonly archived: number;
  readonly sample: readonly string[];
  readonly withdrawn: number;
  /** Number of edges that are new, and of those removed because the source no longer names them. */
  readonly relations?: RelationCounts;
  /** Hosts of which the section was emptied that the account had filled. */
  readonly emptied?: number;
  /** Hosts that were not archived because they are too many; `refusal` says so. */
  readonly refused?: number;
  /** Why nothing was archived although hosts are missing. */
  readonly refusal?: Said;
  /** Hosts of the account that this read did not name, and that stay because it archives none. */
  readonly unseen?: { readonly count: number; readonly sample: readonly string[] };
}

export const NOTHING_FINISHED: FinishResult = { archived: 0, sample: [], withdrawn: 0 };

/** One run of an account, as its stages see it. */
export interface ImportRun {
  /** Those of a dry run only ask. */
  readonly stores: ImportStores;
  readonly clock: Clock;
  readonly id: string;
  readonly startedAt: Date;
  readonly account: ImportAccount;
  readonly actor: Actor;
  readonly options: ImportOptions;
  /**
   * Number of hosts that a person allowed this run to archive, regardless of the account's threshold; absent: the threshold
   * applies.
   */
  readonly archiveUpTo?: number | undefined;
  /** How many active hosts the account owned before the run. */
  readonly activeBefore: number;
  /** Records become hosts that the account owns; otherwise they say something of hosts that are there. */
  readonly owns: boolean;
  /** Inventorizing: fills a section of existing hosts, which is not emptied where the source no longer names them. */
  readonly inventorize: boolean;
  /** Inventorizing: the section where the account names none. */
  readonly section?: string | undefined;
  /** The compiled `inventorize_rewrite_collect_by_key`. */
  readonly collectTemplate?: HostnameTemplate | undefined;
  /** All parts that the source has. */
  readonly parts: readonly string[];
  /** Those that a run of the whole source leaves out. */
  readonly unread: readonly string[];
  /** The one that this run reads; absent: all but those. */
  readonly part?: string | undefined;
  readonly changes: ReadingChanges;
  readonly tally: ImportTally;
  openScratch(): Promise<Scratch>;
}

/** A stage between the records of the source and the store. Each one hands its records to the next; the last one writes them. */
export interface Stage {
  /** True takes every record of a name, in the source's order; otherwise the first wins and the others are duplicates. */
  readonly repeatsCount?: true;
  /** One outcome a record, in order; `as` says what the records are, where that is not what the account has. Throws when the store refused the whole call: nothing of it was written then. */
  write(records: readonly PreparedRecord[], as?: WritingAccount): Promise<readonly WriteOutcome[]>;
  /**
   * Yields the outcomes of deferred records, at the end of a read, even a failed one. `isWhole` is true if all was
   * read; `named` are hosts that the source named although they were not written.
   */
  finishDeferred?(isWhole: boolean, named: ReadonlySet<string>): AsyncIterable<readonly DeferredOutcome[]>;
  /** After a complete read: deals with hosts that the source no longer names, `except` these. */
  finish(except: ReadonlySet<string>): Promise<FinishResult>;
}

/** The run has read the host: it is active and was seen since the run began. */
export function wasSeen(host: HostRecord | undefined, { startedAt }: ImportRun): boolean {
  return host?.archive === null && host.lastSeen !== null && host.lastSeen >= startedAt;
}

export const DUPLICATE: WriteOutcome = {
  kind: 'skipped',
  reason: worded`an earlier record of this run has the same hostname`,
};
export const OTHER_MACHINE: WriteOutcome = {
  kind: 'skipped',
  reason: worded`another machine has this hostname, as the keys say that are known of it; give each a name of its own`,
};
export const NO_SUCH_HOST: WriteOutcome = {
  kind: 'skipped',
  reason: worded`the host does not exist; an account of mode contribute only adds to existing hosts`,
};
export const TOO_LARGE = {
  kind: 'skipped',
  reason: worded`the host would be larger than MAX_HOST_BYTES allows; leave out what is not needed`,
} satisfies WriteOutcome;
export const OTHER_ACCOUNT: WriteOutcome = { kind: 'conflict', reason: worded`the host belongs to another account` };
export const OPERATOR_ARCHIVED: WriteOutcome = {
  kind: 'skipped',
  reason: worded`an operator archived this host; "muster host restore" brings it back`,
};
