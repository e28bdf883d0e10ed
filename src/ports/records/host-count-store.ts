import type { AccountHosts } from '../storage/host-store.ts';

/** How many hosts there were on a day. */
export interface HostCountsOfDay {
  /** The day in UTC, as `2026-01-31`. */
  readonly day: string;
  /** When they were counted. */
  readonly at: Date;
  /** As `HostStore.countByAccount` answered. */
  readonly accounts: readonly AccountHosts[];
}

/** How many hosts there were, day by day: one record each, whatever the number of hosts. */
export interface HostCountStore {
  /**
   * Keeps the counts of a day in place of those that are there, unless those were counted later: of many nodes that count at once, the last
   * count stays. One call is one atomic unit.
   */
  keep(counts: HostCountsOfDay): Promise<void>;

  /** Counts of this day and later ones, oldest first. Days without a count are absent. */
  since(day: string): Promise<readonly HostCountsOfDay[]>;

  /** Deletes those of days before this one. Answers how many days that were. */
  prune(before: string): Promise<number>;
}
