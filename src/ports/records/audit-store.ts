import type { LogPlace } from './log-store.ts';

/** One write, refusal or use of a secret: who tried what, from where, and what came of it. Never holds bodies or secrets. */
export interface AuditEntry {
  /** 24 hex digits. */
  readonly id: string;
  readonly at: Date;
  readonly actor: string;
  /** `rest`, `cli`, `mcp`, `admin`, `cron`. */
  readonly entrance: string;
  /** Client address; empty for local commands. */
  readonly address: string;
  /** Name of the operation, or the path when none was reached. */
  readonly operation: string;
  /** The subject of the operation: a hostname, a rule's name; empty if there is no single one. */
  readonly subject: string;
  /** `done`, or the error code of the refusal. */
  readonly outcome: string;
  readonly requestId: string;
  /** The changes made, or how often something happened; empty if there is nothing to add. */
  readonly details: string;
}

/** The place of an entry in the chain, and the mark that binds it to its content and to the entry before. */
export interface AuditLink {
  /** 1 for the first entry of the chain, one more with each. */
  readonly seq: number;
  readonly mark: string;
}

export interface KeptAuditEntry extends AuditEntry {
  /** `null` for an entry that is in no chain: older than the chain, or not written by us. */
  readonly link: AuditLink | null;
}

/** From which state the chain goes to which. The store compares the text and does not read it. */
export interface AuditChainStep {
  /** `null` if there is no chain yet. */
  readonly from: string | null;
  readonly to: string;
}

export interface AuditStore {
  /**
   * Keeps all of them in one unit, and moves the chain with them if a step is given. Answers `undefined`, or the state of the
   * chain if that is not `from` any more; nothing is kept then. Of several callers that start from one state, one succeeds. An
   * entry whose place is taken (by a writer other than us) is kept in no chain.
   */
  append(
    entries: readonly KeptAuditEntry[],
    step?: AuditChainStep,
  ): Promise<{ readonly chain: string | null } | undefined>;
  /** The state of the chain; `null` before there is one. */
  chain(): Promise<string | null>;
  /** Entries of the chain behind a place, in its order. */
  linked(request: { readonly after: number; readonly batchSize: number }): AsyncIterable<readonly KeptAuditEntry[]>;
  /** The last entry of the longest beginning of the chain that is older than the date; `undefined` when its first is not. */
  lastLinkedBefore(before: Date): Promise<AuditLink | undefined>;
  /** Entries that are in no chain, from the date on or before it: how many, and the first of them by time, then id. */
  unlinked(request: {
    readonly since?: Date;
    readonly before?: Date;
    readonly limit: number;
  }): Promise<{ readonly count: number; readonly first: readonly KeptAuditEntry[] }>;
  /**
   * Newest first (by time, then id descending), at most `limit`; the filters match whole values, and if a place is given, only
   * entries before it are answered. No entry needs to be at that place.
   */
  latest(request: {
    readonly limit: number;
    readonly actor?: string;
    readonly operation?: string;
    readonly before?: LogPlace;
  }): Promise<readonly AuditEntry[]>;
  /** Deletes entries older than the date that are in no chain. Answers how many. */
  pruneUnlinked(before: Date): Promise<number>;
  /** Deletes the beginning of the chain up to this place and moves it by the step. `undefined` when it is not at `from`. */
  pruneLinked(through: number, step: AuditChainStep): Promise<number | undefined>;
  /** The last entry that each place has, by the name of the place; a place that has none is absent. */
  forwarded(): Promise<ReadonlyMap<string, AuditLink>>;
  /**
   * Notes the last entry that a place has, when what is noted is still `from` (`undefined`: nothing). Answers whether it was;
   * of many who start from one note, one gets on. The mark is empty in a note of an older version.
   */
  noteForwarded(
    target: string,
    step: { readonly from: AuditLink | undefined; readonly to: AuditLink },
  ): Promise<boolean>;
}
