import type { AccessStore } from './access-store.ts';
import type { ActiveRunStore } from './active-run-store.ts';
import type { AuditStore } from './audit-store.ts';
import type { CommentStore } from './comment-store.ts';
import type { CronStore } from './cron-store.ts';
import type { HostCountStore } from './host-count-store.ts';
import type { LogStore } from './log-store.ts';
import type { OutboxStore } from './outbox-store.ts';
import type { OwnershipStore } from './ownership-store.ts';
import type { PlanStore } from './plan-store.ts';
import type { PlaybookStore } from './playbook-store.ts';
import type { PublishedStore } from './published-store.ts';
import type { SessionStore } from './session-store.ts';
import type { SignInStore } from './sign-in-store.ts';
import type { WorkStore } from './work-store.ts';

/**
 * The parts of a storage that a database need not understand. `adapters/storage/records` builds all of them on a `RecordStore`; a
 * store provides its own only if it is faster.
 */
export interface RecordParts {
  readonly logs: LogStore;
  readonly audit: AuditStore;
  readonly access: AccessStore;
  readonly comments: CommentStore;
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
}
