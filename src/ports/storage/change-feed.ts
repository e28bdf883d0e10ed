import type { Actor, ValueChange } from '../host.ts';
import type { StoredJson } from '../json.ts';
import type { HostChange } from './history-store.ts';

/** What of a host decides who reaches it. */
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
  /** True where the changes do not tell what became of the host: whoever keeps a copy takes all of it as it is now. */
  readonly whole: boolean;
  /** The name that the host has by now, as far as its history tells. */
  readonly current: string | null;
  /**
   * Who reached the host: of `account` and `templates` before the change, of `created`, `renamed` and `deleted` when it happened. `null` for other
   * kinds, which change nothing about it.
   */
  readonly reach: HostReach | null;
  /** Who reached it after the change, of `account` and `templates`; `null` where an older version wrote the entry too. */
  readonly reachAfter: HostReach | null;
}

export interface FeedPage {
  readonly entries: readonly FeedEntry[];
  /** Goes on behind everything that was looked at. */
  readonly next: string;
  /** Whether there is more at once. A page may be empty although there is. */
  readonly more: boolean;
  /** True where somebody is writing behind `next`: changes that are acknowledged already may stand there, and can be read when that writer is done. */
  readonly isOpen: boolean;
}

/**
 * All changes of hosts in the order in which they happened, for systems that follow them: what the history keeps, creations, other templates, and
 * deletions for good. They are written with the change itself. Kept as long as the history; transfers of stores do not take them along.
 */
export interface ChangeFeed {
  /**
   * What comes behind a cursor (`next` of an entry or a page), at most `limit` entries; fewer where they hold `PAGE_CHARACTERS` together. `start` is as far back
   * as is kept, `now` behind everything that is acknowledged. Every change comes once at least, those of one host in their order. What was pruned or deleted for good with the
   * history of its host is left out, but never a deletion, a renaming, or a change of who reaches a host. `gone` where changes behind
   * the cursor are no longer kept, or the store is another one than it was, as after a restore.
   */
  after(since: string, limit: number): Promise<FeedPage | 'gone'>;
}
