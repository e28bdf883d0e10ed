import type { Actor, ValueChange } from '../host.ts';

/** One change of one host. The host store writes these in the same atomic unit as the change itself. */
export interface HostChange {
  readonly hostname: string;
  readonly at: Date;
  readonly actor: Actor;
  readonly kind: 'created' | 'labels' | 'inventory' | 'archived' | 'restored' | 'account' | 'renamed';
  /** Changed members with a path of `labels.<key>`, `inventory.<section>`, `archive`, `account`, `hostname`; empty for `created`. */
  readonly changes: readonly ValueChange[];
}

/** A change as stored. A store parses the values only when `changes` is read, so that callers can check their size first. */
export interface KeptChange extends HostChange {
  /** How much the changes are as JSON. */
  readonly characters: number;
}

/** Limit for changes that are read at once, as characters of JSON: a single one can be as large as two states of a host. */
export const HISTORY_CHARACTERS = 8 * 1024 * 1024;

/** The change after which a reading of all changes continues. */
export interface ChangePlace {
  readonly at: Date;
  readonly hostname: string;
}

/** The history of changes to hosts, bounded by retention. */
export interface HistoryStore {
  /**
   * Changes of one host, newest first, at most `limit`. Empty for an unknown host. The last one is always `created`: it belongs
   * to the host itself. Fewer are given once they hold `HISTORY_CHARACTERS` of JSON or more together, but at least one change.
   */
  ofHost(hostname: string, limit: number): Promise<readonly KeptChange[]>;

  /**
   * Changes of all hosts except their creation, newest first, at one moment by hostname, those of one host the last one first;
   * none from before `from`. `before` continues after all changes of that host at that moment. All changes of one host at one
   * moment are given together, so there may be a few more than `limit`; fewer are given once they hold `HISTORY_CHARACTERS` of
   * JSON or more together. Empty only if there are no more.
   */
  latest(request: {
    readonly limit: number;
    readonly from?: Date;
    readonly before?: ChangePlace;
  }): Promise<readonly KeptChange[]>;

  /** Every change of the account of these hosts that is kept, those of one host newest first. */
  moves(hostnames: readonly string[]): Promise<readonly HostChange[]>;

  /** Deletes changes older than the date, but never `created`, and what the change feed has of them and before them. Answers the count. */
  prune(before: Date): Promise<number>;
}
