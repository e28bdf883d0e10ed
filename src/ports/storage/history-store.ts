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

/** A change as it is kept. A store takes the values apart when `changes` is read, so that whoever asks can look at their size first. */
export interface KeptChange extends HostChange {
  /** How much the changes are as JSON. */
  readonly characters: number;
}

/** What changes hold together that are read at once, as characters of JSON: one of them is as large as two states of a host. */
export const HISTORY_CHARACTERS = 8 * 1024 * 1024;

/** Behind which change a reading of all of them goes on. */
export interface ChangePlace {
  readonly at: Date;
  readonly hostname: string;
}

/** What happened to hosts, bounded by retention. */
export interface HistoryStore {
  /**
   * Changes of one host, newest first, at most `limit`. Empty for an unknown host. The last one is always `created`: it
   * belongs to the host itself. Fewer come where those that come hold `HISTORY_CHARACTERS` of JSON or more together, with one
   * change at least.
   */
  ofHost(hostname: string, limit: number): Promise<readonly KeptChange[]>;

  /**
   * Changes of all hosts but their creation, newest first, at one moment by hostname, those of one host the last one first; none from before `from`. `before` goes on behind all changes of
   * that host at that moment. What happened to one host at one moment comes together, so there may be a few more than `limit`; fewer come where
   * those that come hold `HISTORY_CHARACTERS` of JSON or more together. Empty only where there are no more.
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
