import { randomUUID } from 'node:crypto';
import type { HostLayer } from '../../../app/hosts/decisions/label-layers.ts';
import type { SourcedEdge } from '../../../app/hosts/decisions/shown-edges.ts';
import type {
  Actor,
  ArchiveReason,
  AuditLink,
  HostChange,
  KeptAuditEntry,
  LogEntry,
  PublishedContent,
  RuleVersion,
  SessionRecord,
} from '../../../ports/index.ts';
import type { StoredActiveRun } from '../shared/active-run.ts';
import { rowsOf, type TimedNote } from '../shared/feed-notes.ts';
import type { PlacedRow } from '../shared/feed-pages.ts';
import type { StoredOutboxMessage } from '../shared/outbox.ts';
import type { StoredPlan, StoredPlanEntry } from '../shared/stored-plan.ts';
import type { TransferItem } from '../shared/transfer-table.ts';
import { compareUtf8 } from '../shared/utf8-order.ts';

/** A host as the memory adapter keeps it; JSON is kept as text, so that nobody can change stored values from outside. */
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

/** How a cron group stands; the lease is the time at which it ends. */
export interface StoredCronState extends TransferItem<'cron_states'> {
  readonly leaseUntil: number;
}

/** A run of a playbook; the lease is the time at which it ends. */
export interface StoredPlaybookRun extends TransferItem<'playbook_runs'> {
  readonly leaseUntil: number;
  readonly cancelRequested: boolean;
}

/** A session with the wrong passwords that were tried in it. */
export interface StoredSession extends SessionRecord {
  readonly failures: number;
}

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
  readonly logs: LogEntry[] = [];
  readonly audit: KeptAuditEntry[] = [];
  auditChain: string | null = null;
  /** The last entry of the audit log that was forwarded, by target. */
  readonly forwarded = new Map<string, AuditLink>();
  readonly sessions = new Map<string, StoredSession>();
  /** By user. */
  readonly signIns = new Map<string, Date>();
  readonly tokenUses = new Map<string, Date>();
  /** What was used once, and until when that is remembered. */
  readonly usedOnce = new Map<string, number>();
  /** By group. */
  readonly cronStates = new Map<string, StoredCronState>();
  /** By id. */
  /** By id. */
  readonly outbox = new Map<string, StoredOutboxMessage>();
  readonly outboxMarks = new Map<string, string>();
  /** The last place that was given to a message. */
  outboxPlace = 0;
  readonly activeRuns = new Map<string, StoredActiveRun>();
  /** By id. */
  readonly playbookRuns = new Map<string, StoredPlaybookRun>();
  /** By the key of their transfer. */
  readonly playbookMatches = new Map<string, TransferItem<'playbook_matches'>>();
  /** By id. */
  readonly plans = new Map<string, { readonly head: StoredPlan; readonly entries: StoredPlanEntry[] }>();
  /** By the key of their transfer. */
  readonly ownership = new Map<string, TransferItem<'ownership'>>();
  /** By day. */
  readonly hostCounts = new Map<string, TransferItem<'host_counts'>>();
  /** Files by account and name. */
  readonly published = new Map<string, ReadonlyMap<string, PublishedContent>>();
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
    for (const map of [this.hosts, this.history, this.rules, this.tokenUses, this.usedOnce]) map.clear();
    for (const map of [this.cronStates, this.playbookRuns, this.playbookMatches]) map.clear();
    for (const map of [this.plans, this.ownership, this.published, this.marks, this.hostCounts]) map.clear();
    for (const map of [this.sessions, this.signIns, this.forwarded, this.activeRuns]) map.clear();
    for (const map of [this.outbox, this.outboxMarks]) map.clear();
    this.auditChain = null;
    this.changes.clear();
    this.renewFeed();
    for (const list of [this.relations, this.ruleVersions, this.logs, this.audit]) list.length = 0;
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

  tell(notes: readonly TimedNote<number>[]): void {
    for (const row of rowsOf(notes)) this.feedRows.push({ ...row, place: this.feedEnd++ });
  }

  /** What was told before is told no longer, and cursors of before lead nowhere. */
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
