import type { OutboxBacklog, PlanCounts } from '../../../ports/index.ts';
import type { EndedStatus, RunKind } from '../../journal/run-log.ts';

/** Measurements of an account's imports or exports. */
interface AccountFigures {
  readonly kind: RunKind;
  readonly account: string;
  /** Runs since the process began, by how they ended. */
  readonly runs: Readonly<Partial<Record<EndedStatus, number>>>;
  /** Number of hosts or objects in these runs, by outcome. */
  readonly hosts: Readonly<Record<string, number>>;
  /** When a run last did all that it was to do; absent: none is known. */
  readonly completeAt?: Date;
  readonly lastSeconds?: number;
}

interface GroupFigures {
  readonly group: string;
  readonly runs: { readonly done: number; readonly failed: number };
  readonly lastStart?: Date;
  readonly running: boolean;
  /** Whether the last run that ended failed. */
  readonly failed: boolean;
}

/** Figures of the newest plan of an account. */
export interface PlanFigures {
  readonly account: string;
  readonly madeAt: Date;
  readonly counts: PlanCounts;
  /** Number of its newest plans that wait for approval. */
  readonly waiting: number;
}

/** The state of synchronisation. Runs are those of the whole installation, including commands and other nodes. */
export interface Figures {
  readonly readAt: Date;
  readonly accounts: readonly AccountFigures[];
  readonly groups: readonly GroupFigures[];
  readonly plans: readonly PlanFigures[];
  /** Number of active runs, by kind. */
  readonly active: Readonly<Record<'import' | 'export' | 'plan', number>>;
  readonly outbox: OutboxBacklog;
}
