import { randomUUID } from 'node:crypto';
import type { HostLayer } from '../../../app/hosts/decisions/label-layers.ts';
import type { SourcedEdge } from '../../../app/hosts/decisions/shown-edges.ts';
import type { Actor, ArchiveReason, HostChange, RuleVersion } from '../../../ports/index.ts';
import { rowsOf, type TimedNote } from '../shared/feed-notes.ts';
import type { PlacedRow } from '../shared/feed-pages.ts';
import type { TransferItem } from '../shared/transfer-table.ts';
import { compareUtf8 } from '../shared/utf8-order.ts';
import { MemoryRecords } from './records.ts';

/** A host as the memory adapter keeps it; JSON is kept as text, so that stored values cannot be changed from outside. */
export interface StoredHost {
  readonly hostname: string;
  accountId: string | null;
  isObject: boolean;
  objectType: string;
  labels: string;
  inventory: string;
  members: string;
  folder: string | null;
  createdAt: number;
  createdBy: Actor;
  lastSeen: number | null;
  lastUpdate: number | null;
  archive: { readonly at: number; readonly by: ArchiveReason } | null;
  runId: string | null;
  /** By account; holds the owner's own labels too, but only while others contribute. */
  contributions: Map<string, HostLayer>;
}

export type StoredRule = TransferItem<'rules'>;

/** Everything the memory adapter holds. */
export class MemoryState {
  readonly hosts = new Map<string, StoredHost>();
  readonly relations: SourcedEdge[] = [];
  /** By hostname, kind, value and account. */
  readonly marks = new Map<string, TransferItem<'account_marks'>>();
  readonly history = new Map<string, HostChange[]>();
  /** The changes of the history by the numbers by which the change feed knows them. */
  readonly changes = new Map<number, HostChange>();
  readonly feedRows: PlacedRow<number>[] = [];
  /** See `FeedState`. */
  feed: string = randomUUID();
  feedPruned = 0;
  feedEnd = 1;
  #lastChange = 0;
  /** By type, then id. */
  readonly rules = new Map<string, Map<string, StoredRule>>();
  readonly ruleVersions: RuleVersion[] = [];
  readonly records = new MemoryRecords();
  readonly revisions = new Map<string, number>();
  readonly maxHostBytes: number;
  #names: string[] | undefined;

  constructor(maxHostBytes: number) {
    this.maxHostBytes = maxHostBytes;
  }

  bump(name: string): void {
    this.revisions.set(name, (this.revisions.get(name) ?? 0) + 1);
  }

  /** Takes away everything but the revisions, which only grow. */
  clear(): void {
    if (this.hosts.size > 0) this.bump('hosts');
    for (const [type, rules] of this.rules) if (rules.size > 0) this.bump(`rules/${type}`);
    for (const map of [this.hosts, this.history, this.rules, this.marks]) map.clear();
    this.records.clear();
    this.changes.clear();
    this.renewFeed();
    for (const list of [this.relations, this.ruleVersions]) list.length = 0;
    this.#names = undefined;
  }

  addHost(host: StoredHost): void {
    this.hosts.set(host.hostname, host);
    this.#names = undefined;
  }

  removeHost(hostname: string): void {
    this.hosts.delete(hostname);
    this.#names = undefined;
  }

  /** All hostnames in byte order. */
  names(): readonly string[] {
    this.#names ??= [...this.hosts.keys()].sort(compareUtf8);
    return this.#names;
  }

  /** Answers the number by which the change feed knows it. */
  remember(change: HostChange): number {
    const changes = this.history.get(change.hostname);
    if (changes === undefined) this.history.set(change.hostname, [change]);
    else changes.push(change);
    this.changes.set(++this.#lastChange, change);
    return this.#lastChange;
  }

  addToFeed(notes: readonly TimedNote<number>[]): void {
    for (const row of rowsOf(notes)) this.feedRows.push({ ...row, place: this.feedEnd++ });
  }

  /** Drops all earlier entries of the feed and invalidates earlier cursors. */
  renewFeed(): void {
    this.feed = randomUUID();
    this.feedPruned = this.feedEnd - 1;
    this.feedRows.length = 0;
  }
}

export function removeWhere<T>(items: T[], matches: (item: T) => boolean): number {
  const kept = items.filter((item) => !matches(item));
  const removed = items.length - kept.length;
  items.splice(0, items.length, ...kept);
  return removed;
}
