import type { AccessStore } from './access-store.ts';
import type { ActiveRunStore } from './active-run-store.ts';
import type { AuditStore } from './audit-store.ts';
import type { ChangeFeed } from './change-feed.ts';
import type { CronStore } from './cron-store.ts';
import type { HistoryStore } from './history-store.ts';
import type { HostCountStore } from './host-count-store.ts';
import type { HostStore } from './host-store.ts';
import type { LogStore } from './log-store.ts';
import type { MarkStore } from './mark-store.ts';
import type { OutboxStore } from './outbox-store.ts';
import type { OwnershipStore } from './ownership-store.ts';
import type { PlanStore } from './plan-store.ts';
import type { PlaybookStore } from './playbook-store.ts';
import type { PublishedStore } from './published-store.ts';
import type { RelationStore } from './relation-store.ts';
import type { RuleStore } from './rule-store.ts';
import type { SessionStore } from './session-store.ts';
import type { SignInStore } from './sign-in-store.ts';
import type { StorageTransfer } from './storage-transfer.ts';
import type { WorkStore } from './work-store.ts';

/**
 * How often each part changed: `hosts` and `rules/<type>`. A name that never changed is absent. Numbers only grow, and a
 * change that is acknowledged is seen by the next call on any node. Caches compare them and never trust time.
 */
export type Revisions = ReadonlyMap<string, number>;

export interface StorageHealth {
  readonly ok: boolean;
  /** What is wrong and what to do, or the engine and its version when all is well. */
  readonly message: string;
}

/** Everything that is stored, as one thing that starts and stops. */
export interface Storage {
  readonly hosts: HostStore;
  readonly relations: RelationStore;
  readonly marks: MarkStore;
  readonly history: HistoryStore;
  readonly feed: ChangeFeed;
  readonly rules: RuleStore;
  readonly logs: LogStore;
  readonly audit: AuditStore;
  readonly access: AccessStore;
  readonly sessions: SessionStore;
  readonly signIns: SignInStore;
  readonly cron: CronStore;
  readonly activeRuns: ActiveRunStore;
  readonly work: WorkStore;
  readonly outbox: OutboxStore;
  readonly playbooks: PlaybookStore;
  readonly plans: PlanStore;
  readonly ownership: OwnershipStore;
  readonly published: PublishedStore;
  readonly hostCounts: HostCountStore;
  readonly transfer: StorageTransfer;

  /** Opens and brings the schema up to date. Idempotent. */
  start(): Promise<void>;
  /** Waits for acknowledged writes and closes. Idempotent, and safe after a failed start. */
  stop(): Promise<void>;
  revisions(): Promise<Revisions>;
  health(): Promise<StorageHealth>;
  /** The statements that let a role of the database work with what is stored, and not change its schema. Absent where a store has no roles. */
  grants?(role: string): readonly string[];
  /**
   * Problems found in stored data, each with what it is about; `fix` repairs what can be repaired without loss. With `only` nothing
   * else is looked for: damage is what cannot be read as it was written. Where there is damage, nothing is repaired.
   */
  check(request: { readonly fix: boolean; readonly only?: 'damage' }): AsyncIterable<StorageProblem>;
}

export interface StorageProblem {
  readonly subject: string;
  readonly message: string;
  readonly fixed: boolean;
}
