import type { OutboxBacklog, PlanCounts } from '../../../ports/index.ts';
import type { EndedStatus, RunKind } from '../../journal/run-log.ts';

/** What is measured of an account's imports or exports. */
interface AccountFigures {
  readonly kind: RunKind;
  readonly account: string;
  /** Runs since the process began, by how they ended. */
  readonly runs: Readonly<Partial<Record<EndedStatus, number>>>;
  /** What happened to hosts or objects in these runs. */
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

/** Of the newest plan of an account. */
export interface PlanFigures {
  readonly account: string;
  readonly madeAt: Date;
  readonly counts: PlanCounts;
  /** How many of its newest plans wait for somebody to approve of them. */
  readonly waiting: number;
}

/** How synchronisation stands. Runs are those of the whole installation: of commands and other nodes too. */
export interface Figures {
  readonly readAt: Date;
  readonly accounts: readonly AccountFigures[];
  readonly groups: readonly GroupFigures[];
  readonly plans: readonly PlanFigures[];
  /** What goes on now, by kind. */
  readonly active: Readonly<Record<'import' | 'export' | 'plan', number>>;
  readonly outbox: OutboxBacklog;
}
