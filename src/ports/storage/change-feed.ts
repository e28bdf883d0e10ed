import type { Actor, ValueChange } from '../host.ts';
import type { StoredJson } from '../json.ts';
import type { HostChange } from './history-store.ts';

/** The properties of a host that decide which users reach it. */
export interface HostReach {
  readonly accountId: string | null;
  /** The templates that its record names, by name or id. */
  readonly templates: readonly string[];
}

/** One change of one host, as those read it who follow all of them. */
export interface FeedEntry {
  /** The same however often the entry is read. */
  readonly id: string;
  /** Goes on behind this entry. */
  readonly next: string;
  /** The name that the host had then; of `renamed` the new one. */
  readonly hostname: string;
  readonly at: Date;
  readonly actor: Actor;
  /** `templates`: its record names others than before, or has other members that the history does not tell of. `deleted`: it is gone for good. */
  readonly kind: HostChange['kind'] | 'templates' | 'deleted';
  /** As in the history; empty where that says nothing, or no longer does. */
  readonly changes: StoredJson<readonly ValueChange[]>;
  /** True if the changes do not show what became of the host: a reader that keeps a copy must fetch its whole current state. */
  readonly whole: boolean;
  /** Current name of the host, as far as its history shows. */
  readonly current: string | null;
  /**
   * The reach of the host: before the change for `account` and `templates`, at the time of the change for `created`, `renamed`
   * and `deleted`. `null` for other kinds, which do not affect it.
   */
  readonly reach: HostReach | null;
  /**
   * The reach of the host after the change, for `account` and `templates`; `null` also for entries written by an older version.
   */
  readonly reachAfter: HostReach | null;
}

export interface FeedPage {
  readonly entries: readonly FeedEntry[];
  /** Goes on behind everything that was looked at. */
  readonly next: string;
  /** Whether there is more at once. A page may be empty although there is. */
  readonly more: boolean;
  /**
   * True if a write behind `next` is in progress: changes that are already acknowledged may be there, and can be read once that
   * writer is done.
   */
  readonly isOpen: boolean;
}

/**
 * All changes of hosts in the order in which they happened, for systems that follow them: what the history keeps, creations, other templates, and
 * deletions for good. They are written with the change itself. Kept as long as the history; transfers of stores do not take them along.
 */
export interface ChangeFeed {
  /**
   * Returns the entries after a cursor (`next` of an entry or a page), at most `limit`; fewer if they reach `PAGE_CHARACTERS`
   * together. `start` is the oldest kept change, `now` the position after everything that is acknowledged. Every change is given
   * at least once, those of one host in their order. Changes that were pruned, or deleted for good with the history of their
   * host, are left out, but never a deletion, a renaming, or a change of the reach of a host. `gone` if changes after the cursor
   * are no longer kept, or the store was replaced by another one, as after a restore.
   */
  after(since: string, limit: number): Promise<FeedPage | 'gone'>;
}
