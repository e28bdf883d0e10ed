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

/** What happened to hosts, bounded by retention. */
export interface HistoryStore {
  /**
   * Changes of one host, newest first, at most `limit`. Empty for an unknown host. The last one is always `created`: it
   * belongs to the host itself. Fewer come where those that come hold `PAGE_CHARACTERS` of JSON or more together, with one
   * change at least.
   */
  ofHost(hostname: string, limit: number): Promise<readonly HostChange[]>;

  /** Deletes changes older than the date, but never `created`. Answers the count. */
  prune(before: Date): Promise<number>;
}
