import type { Actor, ArchiveReason, HostFilter, HostRecord, HostScope, Labels, RelationRecord } from '../host.ts';
import type { JsonObject, StoredJson } from '../json.ts';
import type { HostChange } from './history-store.ts';

/** The account in whose name labels are written, as far as a store has to know it. */
export interface WritingAccount {
  readonly id: string;
  readonly isObject: boolean;
  readonly objectType: string;
}

export interface LabelEntry {
  readonly hostname: string;
  readonly labels: StoredJson<Labels>;
}

export interface LabelWrite {
  readonly account: WritingAccount;
  readonly entries: readonly LabelEntry[];
  readonly at: Date;
  readonly actor: Actor;
  /**
   * The import run that writes. An entry whose host was already written by the same run is a `duplicate` and is left
   * alone. Absent for API writes, where repeated hosts are applied in order.
   */
  readonly runId?: string;
  /** True lets the account take over active hosts of other accounts (imports of a master account). */
  readonly takeOver?: boolean;
  /**
   * The owner's labels that the writer has seen; `null` for hosts that must not exist yet. If they differ by now, or the host was
   * archived in the meantime, the outcome is `changed`. Absent: existing labels are replaced whatever they are.
   */
  readonly before?: StoredJson<Labels> | null;
}

/**
 * `created`: there was no such host. `updated`: the labels differed, or the host was in the archive and came back, or was
 * taken over, or had no account. `unchanged`: the same labels; only `lastSeen` moved. `account_conflict`: bound to another
 * account (archived or not), untouched. `archived`: an operator archived it, untouched. `duplicate`: see `LabelWrite.runId`.
 * `too_large`: the host would be larger than hosts may be, and larger than it is; untouched. `changed`: see `LabelWrite.before`; untouched.
 */
export type LabelOutcome =
  | 'created'
  | 'updated'
  | 'unchanged'
  | 'account_conflict'
  | 'archived'
  | 'duplicate'
  | 'too_large'
  | 'changed';

/** Limit for records read in batches, in characters of JSON for a batch: enough for a thousand, and read in milliseconds. */
export const PAGE_CHARACTERS = 1024 * 1024;

/** Default for the largest allowed size of a host, in bytes. See `HostStore`. */
export const DEFAULT_MAX_HOST_BYTES = 8 * 1024 * 1024;

/**
 * The outcome that a label write would have, without doing it; `before` are the owner's labels that it would replace, absent if
 * there is no host.
 */
export interface LabelPreview {
  readonly outcome: Exclude<LabelOutcome, 'duplicate' | 'changed'>;
  readonly before?: StoredJson<Labels>;
}

export interface ContributionWrite {
  readonly accountId: string;
  /** Higher wins over lower; the owner's own labels have 0. Ties: the greater account id wins. */
  readonly precedence: number;
  readonly entries: readonly LabelEntry[];
  readonly at: Date;
  readonly actor: Actor;
  readonly runId: string;
}

/**
 * `not_found` covers unknown and archived hosts: a contribution never creates or restores one. `too_large` as for labels.
 */
export type ContributionOutcome = 'updated' | 'unchanged' | 'not_found' | 'duplicate' | 'too_large';

/** The labels that one account gives a host. Present for the owner only while other accounts contribute. */
export interface Contribution {
  readonly accountId: string;
  readonly precedence: number;
  readonly owner: boolean;
  readonly labels: StoredJson<Labels>;
  readonly at: Date;
}

export interface InventoryEntry {
  readonly hostname: string;
  readonly key: string;
  readonly section: StoredJson<JsonObject>;
}

export interface InventoryWrite {
  readonly entries: readonly InventoryEntry[];
  readonly scope: HostScope;
  readonly at: Date;
  readonly actor: Actor;
}

/** `too_large`: the host would be larger than hosts may be, and larger than it is; untouched. */
export type InventoryOutcome = 'updated' | 'unchanged' | 'not_found' | 'too_large';

export interface UnseenSweep {
  readonly accountId: string;
  /** Hosts that this run wrote are seen; every other active host of the account is a candidate. */
  readonly runId: string;
  /**
   * When the run began: hosts seen since then by any writer are not candidates, so that simultaneous runs and API writes take
   * nothing from each other.
   */
  readonly seenBefore: Date;
  /** Hosts that the source named but that could not be written; they are never candidates. */
  readonly except: readonly string[];
  /** 0 to 100. More candidates than this share of the account's hosts: nothing is archived. */
  readonly thresholdPercent: number;
  /**
   * How many active hosts the account had before the run. The threshold is a share of these, so that hosts which the run
   * itself created do not dilute it.
   */
  readonly activeBefore: number;
  /** Only hosts of this type are candidates; absent: all of them. */
  readonly objectType?: string;
  readonly at: Date;
  readonly actor: Actor;
  /** True only counts. */
  readonly preview?: boolean;
}

export interface SweepResult {
  readonly candidates: number;
  readonly archived: number;
  /** True when the threshold stopped the sweep; `archived` is 0 then. */
  readonly refused: boolean;
  /** The first names of the candidates, by hostname, at most 20. */
  readonly sample: readonly string[];
}

export interface ArchiveRequest {
  readonly hostnames: readonly string[];
  readonly by: ArchiveReason;
  readonly at: Date;
  readonly scope: HostScope;
  readonly actor: Actor;
}

export type ArchiveOutcome = 'archived' | 'not_found';
export type RestoreOutcome = 'restored' | 'not_found';
export type PurgeOutcome = 'purged' | 'not_found';

/** The changes that a run made to one host at one moment, to be undone. */
export interface UndoEntry {
  readonly hostname: string;
  /** As recorded in the history; `created` without changes for a host that the run made. */
  readonly changes: readonly Pick<HostChange, 'kind' | 'changes'>[];
}

export interface UndoWrite {
  /** The account whose run it was. */
  readonly accountId: string;
  /** When the run began. Absent: a host that the run made and that was archived since counts as changed. */
  readonly began?: Date;
  /** When the run ended. */
  readonly ended: Date;
  readonly entries: readonly UndoEntry[];
  readonly at: Date;
  readonly actor: Actor;
  /** True only answers what would come of it; entries do not see each other then. */
  readonly preview?: boolean;
}

/**
 * `undone`: it is as it was before. `unchanged`: it was so already. `changed`: the current value is a different one, or the host
 * was archived since; untouched. `not_found`: no host has this name.
 */
export type UndoOutcome = 'undone' | 'unchanged' | 'changed' | 'not_found';

export interface HostRename {
  readonly from: string;
  readonly to: string;
}

export type RenameOutcome = 'renamed' | 'not_found' | 'name_taken';

export interface HostCounters {
  readonly hosts: number;
  readonly objects: number;
  /** Active hosts (not objects) last seen before the checkpoint, and never-seen ones created before it. */
  readonly notSeenSince: number;
}

/** How many records an account owns; `null`: those that belong to none. */
export interface AccountHosts {
  readonly accountId: string | null;
  /** Active ones. */
  readonly hosts: number;
  readonly objects: number;
  /** Hosts and objects in the archive. */
  readonly archived: number;
}

export interface HostSearch {
  readonly filter: HostFilter;
  /** Printable texts without `"` and `\`; an empty list of lists holds for every record. */
  readonly holding: readonly (readonly string[])[];
  /** Begins behind this hostname. */
  readonly after?: string;
}

export interface HostSearchStep {
  readonly hosts: readonly HostRecord[];
  /** How many records were looked at for them. */
  readonly looked: number;
  /** The last hostname examined: a search that begins after it continues from here. */
  readonly last: string;
}

/** A whole record as a `host_objects` document carries it. */
export interface HostDocumentWrite {
  readonly record: HostRecord;
  readonly mode: 'skip' | 'replace';
  readonly relations: readonly Omit<RelationRecord, 'hostname'>[];
}

/**
 * Hosts and non-host objects with their labels, inventory sections and archive state.
 *
 * Every call is one atomic unit, whatever it holds: after a crash either all of its outcomes are stored or none (a store without
 * transactions documents the order and the repair). Hostnames compare byte by byte; results "by hostname" are in byte order of
 * UTF-8. Keys of labels and sections are returned exactly as stored, including dots, digits, `__proto__` and any Unicode. Every
 * call that changes what a reader of active hosts sees moves the revision `hosts`; one that only moves `lastSeen` must not. A
 * lone surrogate in a hostname counts as U+FFFD.
 *
 * A store is given a size limit for hosts: the bytes of labels (of all accounts, while others contribute), inventory and members
 * as UTF-8 JSON. Each write of labels, contributions and sections enforces atomically with the write that no host grows beyond
 * it; one that is already larger may shrink. Whole records are stored as they are.
 */
export interface HostStore {
  /** The active host, or `undefined` when unknown, archived or out of scope. */
  get(hostname: string, scope: HostScope): Promise<HostRecord | undefined>;

  /** The record in whatever state, for operators and restores; `undefined` when unknown. */
  find(hostname: string): Promise<HostRecord | undefined>;

  /**
   * The results of `find` for each of these names in order: `undefined` for an unknown name, the record again for a repeated one.
   * All results are in memory at once, so callers pass many names in portions.
   */
  findEach(hostnames: readonly string[]): Promise<readonly (HostRecord | undefined)[]>;

  /** Which of these are active and in scope, as a set of well-formed names. */
  visible(hostnames: readonly string[], scope: HostScope): Promise<ReadonlySet<string>>;

  /**
   * Replaces the label sets of the entries' hosts, in order, creating missing hosts and binding them to the account. One outcome
   * an entry, in order. Decides each atomically: of two accounts racing for a new host exactly one gets it. Label sets are equal
   * whatever the order of their members; text and number differ. `lastSeen` moves on `created`, `updated` and `unchanged`,
   * `lastUpdate` on the first two; neither ever moves back, so a write that waited while a later one was done takes that one's
   * time. An archived host is restored if its account is the same, unless the reason was `operator`. A host without an account is
   * bound to the first one that writes it. The kind of the host (`isObject`, `objectType`) is taken from the account when it is
   * bound. While others contribute, the owner's own labels are compared and replaced, and all contributions are laid over them
   * again.
   */
  saveLabels(write: LabelWrite): Promise<readonly LabelOutcome[]>;

  /** The outcome that `saveLabels` would have now. Writes nothing. Entries do not see each other. */
  previewLabels(write: Omit<LabelWrite, 'at' | 'actor' | 'runId' | 'before'>): Promise<readonly LabelPreview[]>;

  /**
   * Replaces what one account contributes to each host and lays all contributions over the owner's labels again. The owner and
   * its `lastSeen` stay. `lastUpdate` moves if the visible labels changed. On a host that the account owns itself, its own labels
   * are replaced.
   */
  contributeLabels(write: ContributionWrite): Promise<readonly ContributionOutcome[]>;

  /**
   * Takes back the account's contributions to active hosts that the run did not write (`runId` absent: all of them, to archived hosts too), `except` the named
   * hosts; the next in precedence shows again. Answers how many hosts lost one.
   */
  withdrawContributions(request: {
    readonly accountId: string;
    readonly runId?: string;
    /** When the run began: what anybody gave since then stays. Absent: no limit. */
    readonly seenBefore?: Date;
    readonly except: readonly string[];
    readonly at: Date;
    readonly actor: Actor;
  }): Promise<number>;

  /** Labels of one host from all accounts, highest precedence first; empty if no account contributes. */
  contributions(hostname: string): Promise<readonly Contribution[]>;

  /**
   * Replaces single sections of existing active hosts in scope. One outcome an entry, in order; later entries see
   * earlier ones. Moves `lastUpdate` when the section changed, never `lastSeen`.
   */
  saveInventory(write: InventoryWrite): Promise<readonly InventoryOutcome[]>;

  /**
   * Archives active hosts in scope; one outcome a hostname, in order. A host that holds a seat in a folder pool gives it
   * back in the same unit: its `folder` becomes `null` and `folder_seats_taken` of the `cmk_folder_pool` rule whose `folder_name` is that folder goes
   * down by one, not below 0.
   */
  archive(request: ArchiveRequest): Promise<readonly ArchiveOutcome[]>;

  /** Brings archived hosts back as they were, without a seat. `not_found` for unknown and active ones. */
  restore(request: {
    readonly hostnames: readonly string[];
    readonly at: Date;
    readonly scope: HostScope;
    readonly actor: Actor;
  }): Promise<readonly RestoreOutcome[]>;

  /**
   * Undoes what a run did to hosts, each entry wholly or not at all; one outcome an entry, in order, and later entries see what
   * earlier ones did. Labels, sections, owner and archive state get the values before the change if they still have those after
   * it. A host that the run created is archived as `import`, unless it was changed since. Renames are undone by `rename`. Undoing
   * is a change of its own: it is in the history, and `lastUpdate` moves.
   */
  undo(write: UndoWrite): Promise<readonly UndoOutcome[]>;

  /**
   * Gives hosts other names, in whatever state they are; one outcome each, in order, and later ones see earlier ones. All that is known of a
   * host goes with it: everybody's labels, inventory, history, edges at either end, marks, which playbooks were fired for it, and
   * what exports own because of it. `lastUpdate` moves, `lastSeen` stays. `not_found` when there is no host `from`; `name_taken` when there is
   * one `to`, active or archived. Such a host stays as it is.
   */
  rename(request: {
    readonly hosts: readonly HostRename[];
    readonly at: Date;
    readonly actor: Actor;
  }): Promise<readonly RenameOutcome[]>;

  /** Archives what an import no longer found, or nothing when that would be too much. See `UnseenSweep`. Seats as in `archive`. */
  archiveUnseen(sweep: UnseenSweep): Promise<SweepResult>;

  /**
   * Archives active hosts (not objects) whose last sight, or creation when never seen, is before the date, as `stale`. Answers their
   * names by hostname. A host whose members say `no_autodelete: true` stays.
   */
  archiveStale(request: {
    readonly seenBefore: Date;
    readonly accountId?: string;
    readonly at: Date;
    readonly actor: Actor;
  }): Promise<readonly string[]>;

  /**
   * Deletes for good what was archived before the date, with its contributions, history and relations. Answers the count. A host
   * whose members say `no_autodelete: true` stays in the archive.
   */
  purgeArchived(before: Date, by: { readonly at: Date; readonly actor: Actor }): Promise<number>;

  /**
   * Deletes these hosts for good, with their contributions, history and relations; one outcome a hostname, in order. `not_found`,
   * and nothing changes, for unknown and active ones and those out of scope. Hosts exempt from deletion by age are deleted too,
   * because they were named explicitly.
   */
  purge(request: {
    readonly hostnames: readonly string[];
    readonly scope: HostScope;
    readonly at: Date;
    readonly actor: Actor;
  }): Promise<readonly PurgeOutcome[]>;

  /** How many records the filter matches. */
  count(filter: HostFilter): Promise<number>;

  /**
   * Counts all records by owner: those of no account first, then by account id in byte order. Accounts without records are
   * absent.
   */
  countByAccount(): Promise<readonly AccountHosts[]>;

  /**
   * A page by hostname. `after` continues after that hostname and makes the cost independent of depth; `offset` counts from the
   * start, or from after `after` if both are given. A page of records that hold `PAGE_CHARACTERS` or more together may end before
   * the limit, with at least one record: the caller continues after the last one.
   */
  page(request: {
    readonly filter: HostFilter;
    readonly offset: number;
    readonly limit: number;
    readonly after?: string;
  }): Promise<readonly HostRecord[]>;

  /**
   * All records that match, by hostname, in batches of at most `batchSize`. Needs memory for a batch, not for the table; a batch
   * ends where its records hold `PAGE_CHARACTERS` together, with one record at least.
   * A record that is there from beginning to end is given exactly once. `after` begins behind that hostname.
   */
  scan(filter: HostFilter, batchSize: number, after?: string): AsyncIterable<readonly HostRecord[]>;

  /**
   * The records that match and may be what is looked for, by hostname: all that hold at least one text of each list, and perhaps
   * others. What a record holds are its hostname, labels and inventory as JSON; ASCII letters count in whatever case, all others as they are
   * written. A step may find nothing.
   */
  search(request: HostSearch): AsyncIterable<HostSearchStep>;

  counters(request: { readonly scope: HostScope; readonly checkpoint: Date }): Promise<HostCounters>;

  /**
   * Stores whole records (restore of a backup), in order; existing hostnames are skipped or replaced. One answer an entry:
   * whether it was written. A replaced host loses its contributions; the given relations take the place of those stored on
   * it, and those whose target does not exist yet are hidden until it does. A host outside of `scope` (absent: `null`) must stay
   * as it is, also where another call moves it at the same time; its answer is false.
   */
  putDocuments(writes: readonly HostDocumentWrite[], actor: Actor, scope?: HostScope): Promise<readonly boolean[]>;
}
