import type { LogPlace } from './log-store.ts';

/** One write or refusal: who tried what, from where, and what came of it. Never holds bodies or secrets. */
export interface AuditEntry {
  /** 24 hex digits. */
  readonly id: string;
  readonly at: Date;
  readonly actor: string;
  /** `rest`, `cli`, `mcp`, `admin`, `cron`. */
  readonly entrance: string;
  /** Client address; empty for local commands. */
  readonly address: string;
  /** Name of the operation, or the path when none was reached. */
  readonly operation: string;
  /** What it was done to: a hostname, a rule's name; empty when nothing single. */
  readonly subject: string;
  /** `done`, or the error code of the refusal. */
  readonly outcome: string;
  readonly requestId: string;
}

export interface AuditStore {
  /** Keeps all of them in one unit. */
  append(entries: readonly AuditEntry[]): Promise<void>;
  /**
   * Newest first (by time, then id descending), at most `limit`; the filters match whole values, and only what stands before a
   * place is answered when that is given. No entry needs to be at that place.
   */
  latest(request: {
    readonly limit: number;
    readonly actor?: string;
    readonly operation?: string;
    readonly before?: LogPlace;
  }): Promise<readonly AuditEntry[]>;
  prune(before: Date): Promise<number>;
}
