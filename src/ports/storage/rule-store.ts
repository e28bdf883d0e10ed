import type { Actor } from '../host.ts';
import type { StoredJson } from '../json.ts';
import type { ConfirmedBy, RuleDocument, RuleRecord, RuleVersion } from '../rule.ts';

export interface RuleWrite {
  readonly type: string;
  readonly id: string;
  readonly name: string;
  /** True when no other document of the type may have that name. */
  readonly uniqueName: boolean;
  /** A further value that must be unique within the type (a folder pool's folder); absent when the type has none. */
  readonly uniqueValue?: string;
  readonly document: StoredJson<RuleDocument>;
  /**
   * The party that vouches for the document as it is written; `keep`: the party that vouched for the replaced one, none for a new
   * one. A byte-identical replacement keeps the previous party if that ranks higher: the operator ranks above an administrator,
   * and both above none.
   */
  readonly confirmedBy: ConfirmedBy | 'keep';
}

/** The removal of one document in a unit with writes. */
export interface RuleRemoval {
  readonly type: string;
  readonly id: string;
  /** The version that is removed; any other one stays. */
  readonly removes: number;
}

/**
 * `imported`: new. `replaced`: took the place of a document of the same id, else of the same unique name (that keeps its
 * stored id, in the document too). `duplicate`: there was one and mode is `skip`, or its unique value is taken by another
 * document. `name_taken`: replacing would leave two documents of one unique name; nothing was written for this entry. Of removals,
 * `removed`, or `conflict`: there is no document of that version. `changed`: nothing was written for any entry, because a revision
 * of the basis has moved.
 */
export type RuleOutcome = 'imported' | 'replaced' | 'duplicate' | 'name_taken' | 'removed' | 'conflict' | 'changed';

/** The state of a document before a moment. */
export interface RuleState {
  /** The last version that there is by now. */
  readonly newest: RuleVersion;
  /**
   * The version in effect; `absent` if the document did not exist then, because it was created later or removed before;
   * `not_kept` if that is unknown, because versions of that time were pruned.
   */
  readonly before: RuleVersion | 'absent' | 'not_kept';
}

/**
 * Rule documents of every type. Document text comes back as it went in, member order included. Every call that changes a
 * document of a type moves the revision `rules/<type>`.
 */
export interface RuleStore {
  /** Documents of a type by name, then id. */
  list(type: string): Promise<readonly RuleRecord[]>;

  /** As `list`, in batches, without the whole type in memory. A batch ends where its documents hold `PAGE_CHARACTERS` together. */
  scan(type: string, batchSize: number): AsyncIterable<readonly RuleRecord[]>;

  get(type: string, id: string): Promise<RuleRecord | undefined>;

  /** The first by id of the documents of that exact name. */
  findByName(type: string, name: string): Promise<RuleRecord | undefined>;

  /** How many documents each type has; types without documents are absent. */
  counts(): Promise<ReadonlyMap<string, number>>;

  /**
   * Writes documents in order, all in one atomic unit; later entries see earlier ones. One outcome an entry. Keeps a version of
   * every change. A new document is version 1, or one more than the highest kept version of its id: while its versions are kept,
   * a number never means two documents. A byte-identical replacement is `replaced` but makes no version, though it may be a way
   * to vouch for the document. A removal keeps a last version, as `remove` does.
   */
  write(request: {
    readonly entries: readonly (RuleWrite | RuleRemoval)[];
    readonly mode: 'skip' | 'replace';
    readonly at: Date;
    readonly actor: Actor;
    /**
     * Revisions `rules/<type>` as they were before the writer read what it decided on; 0 for one that never moved. If any of them
     * has moved when the unit is written, by whichever node, nothing is written and each outcome is `changed`.
     */
    readonly basis?: ReadonlyMap<string, number>;
  }): Promise<readonly RuleOutcome[]>;

  /**
   * Replaces one document if it still has the expected version, else answers `conflict`; `not_found` when it is gone;
   * `name_taken` as in `write`, and when its unique value is taken by another document.
   */
  replace(request: {
    readonly entry: RuleWrite;
    readonly expectedVersion: number;
    readonly at: Date;
    readonly actor: Actor;
  }): Promise<'replaced' | 'conflict' | 'not_found' | 'name_taken'>;

  /**
   * Vouches for the document if it still has the expected version, else answers `conflict`; `not_found` if it is gone. Makes no
   * version. The party that vouched for it before stays if it ranks higher.
   */
  confirm(request: {
    readonly type: string;
    readonly id: string;
    readonly expectedVersion: number;
    readonly by: Exclude<ConfirmedBy, null>;
  }): Promise<'confirmed' | 'conflict' | 'not_found'>;

  /** Removes one document and keeps a last version of it. False when there was none. */
  remove(request: {
    readonly type: string;
    readonly id: string;
    readonly at: Date;
    readonly actor: Actor;
  }): Promise<boolean>;

  /** Past states of one document, newest first; with `characters`, fewer once they hold that many together, but at least one. */
  versions(type: string, id: string, limit: number, characters?: number): Promise<readonly RuleVersion[]>;

  /** The oldest state of one document that is kept; `undefined` when none is. */
  oldestVersion(type: string, id: string): Promise<RuleVersion | undefined>;

  /**
   * The state of each document before a moment, by its id; only two versions of each are read, however many there are. Ids
   * without a kept version are absent.
   */
  statesBefore(type: string, ids: readonly string[], moment: Date): Promise<ReadonlyMap<string, RuleState>>;

  /**
   * Documents by their last version, most recently stored first, in batches. For `removed`, those that no longer exist, as they
   * were; for `created`, those that have not been changed since. Of one type, or of all of them. A batch ends as in `scan`.
   */
  lastVersions(
    request: { readonly change: 'created' | 'removed'; readonly type?: string },
    batchSize: number,
  ): AsyncIterable<readonly RuleVersion[]>;

  /**
   * Puts other documents in the place of kept versions of one document, by their numbers; all else of a version stays, and
   * numbers that are not kept are passed over. For secrets that must not be kept any longer: nothing else writes the past.
   * Moves no revision, because what counts today stays as it is.
   */
  rewriteVersions(request: {
    readonly type: string;
    readonly id: string;
    readonly documents: ReadonlyMap<number, StoredJson<RuleDocument>>;
  }): Promise<void>;

  /** Deletes versions older than the date, but never the newest of an existing document. Answers the count. */
  pruneVersions(before: Date): Promise<number>;
}
