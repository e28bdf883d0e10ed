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
   * Who vouches for the document as it is written; `keep`: whoever did for the one that it replaces, nobody for a new one. A
   * replacement that is equal to the letter keeps whom it had where that is more: the operator is more than an
   * administrator, and both are more than nobody.
   */
  readonly confirmedBy: ConfirmedBy | 'keep';
}

/**
 * `imported`: new. `replaced`: took the place of a document of the same id, else of the same unique name (that keeps its
 * stored id, in the document too). `duplicate`: there was one and mode is `skip`, or its unique value is taken by another
 * document. `name_taken`: replacing would leave two documents of one unique name; nothing was written for this entry.
 */
export type RuleOutcome = 'imported' | 'replaced' | 'duplicate' | 'name_taken';

/** What counted of a document before a moment. */
export interface RuleState {
  /** The last version that there is by now. */
  readonly newest: RuleVersion;
  /**
   * The version that counted; `absent` where the document was not there, because it was made later or removed before; `not_kept` where
   * nothing tells, because versions of that time were pruned.
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
   * Writes documents in order, all in one atomic unit; later entries see earlier ones. One outcome an entry. Keeps a
   * version of every change. A new document is version 1, or one more than the highest that is kept of its id: while its
   * versions are kept, no number ever means two documents. A replacement that is equal to the letter is `replaced` but makes no version, though somebody may
   * vouch for it by it.
   */
  write(request: {
    readonly entries: readonly RuleWrite[];
    readonly mode: 'skip' | 'replace';
    readonly at: Date;
    readonly actor: Actor;
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
   * Vouches for the document if it still has the expected version, else answers `conflict`; `not_found` when it is gone. Makes
   * no version. Whoever vouched for it before stays where that is more.
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

  /** Past states of one document, newest first; with `characters` fewer, where those that come hold so many together, with one at least. */
  versions(type: string, id: string, limit: number, characters?: number): Promise<readonly RuleVersion[]>;

  /** The oldest state of one document that is kept; `undefined` when none is. */
  oldestVersion(type: string, id: string): Promise<RuleVersion | undefined>;

  /**
   * What counted of each document before a moment, by its id, with two versions read of each however many there are. Ids that no version is
   * kept of are absent.
   */
  statesBefore(type: string, ids: readonly string[], moment: Date): Promise<ReadonlyMap<string, RuleState>>;

  /**
   * Documents by their last version, the one that was stored last first, in batches. Of `removed` those that are no longer there, as they were; of
   * `created` those that nobody changed since. Of one type, or of all of them. A batch ends as in `scan`.
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
