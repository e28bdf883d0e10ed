export interface ScheduledTask {
  readonly name: string;
  readonly everySeconds: number;
  /** True when the first pass is due at the start, and not only when the first period is over. */
  readonly atStart?: boolean;
  run(signal: AbortSignal): Promise<void>;
}

/**
 * Runs tasks again and again. A task never overlaps itself: a pass that is due while the last one runs is left out. A
 * task that throws is logged by name and runs again next time.
 */
export interface Scheduler {
  add(task: ScheduledTask): void;
  start(): Promise<void>;
  /** Takes no new passes, and lets running ones end by themselves. `stop` must follow. Idempotent. */
  drain(): void;
  /** Takes no new passes, aborts the signal of running ones and waits for them. Idempotent. */
  stop(): Promise<void>;
}
