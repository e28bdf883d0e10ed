import type { Caller } from '../../app/kernel/caller.ts';
import { type OperationInput, OperationLost, type OperationRunOptions } from '../../app/kernel/executor.ts';
import type { AnyOperation } from '../../app/kernel/operation.ts';
import { counted } from '../../kit/words/amounts.ts';
import { AppError } from '../../ports/index.ts';
import { entered } from './entered.ts';
import { FairQueue } from './fair-queue.ts';
import { OperationThread, type OperationThreadDeps } from './operation-thread.ts';

export interface PreviewThreadsOptions {
  readonly threads: number;
  /** How long a preview may take. */
  readonly previewSeconds: number;
  /** Handed to each worker as its settings; must be plain data. */
  readonly settings: unknown;
}

/** At least two, so that one user never occupies all of them. */
const LEAST_THREADS = 2;
const SHARE = 0.5;
const MAX_WAITING = 200;
const MAX_BYTES = 64 * 1024 * 1024;
/** How long a preview has to stop by itself when its time is over, before its thread is ended. */
const GRACE_MILLISECONDS = 500;
/** Time without previews after which the memory of the threads is released. */
const IDLE_MILLISECONDS = 60_000;

/**
 * Threads for previews: unchecked rules, sources that were set up a minute ago. Each runs one preview at a time, so that one that
 * exceeds its time can be ended with its thread without affecting others.
 */
export class PreviewThreads {
  readonly #options: PreviewThreadsOptions;
  readonly #deps: OperationThreadDeps;
  readonly #queue: FairQueue;
  /** Threads that are idle. */
  readonly #free: OperationThread[] = [];
  readonly #busy = new Set<OperationThread>();
  #idle: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(options: PreviewThreadsOptions, deps: OperationThreadDeps) {
    this.#options = options;
    this.#deps = deps;
    this.#queue = new FairQueue({
      capacity: Math.max(LEAST_THREADS, options.threads),
      maxWaiting: MAX_WAITING,
      maxWaitingBytes: MAX_BYTES,
      maxInsideBytes: MAX_BYTES,
      share: SHARE,
    });
  }

  async run(
    operation: AnyOperation,
    input: OperationInput,
    caller: Caller,
    options: OperationRunOptions,
  ): Promise<unknown> {
    const out = await entered(this.#queue, input, caller, options);
    if (this.#stopped) {
      out();
      throw new OperationLost(new AppError('cancelled', 'the service is stopping'));
    }
    const thread = this.#take();
    let isOver = false;
    let limit: NodeJS.Timeout | undefined;
    // A thread that starts reads the whole program first, which does not count against the preview.
    void thread.ready.then(() => {
      if (isOver) return;
      limit = setTimeout(() => this.#endOverdue(thread, operation), this.#options.previewSeconds * 1_000);
    });
    const leave = (): void => {
      isOver = true;
      clearTimeout(limit);
      this.#giveBack(thread);
      out();
    };
    return thread.run(operation, input, caller, options, leave);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#idle);
    await Promise.all([...this.#free, ...this.#busy].map((thread) => thread.stop()));
  }

  #take(): OperationThread {
    clearTimeout(this.#idle);
    let thread = this.#free.pop();
    while (thread !== undefined && !thread.alive) thread = this.#free.pop();
    thread ??= new OperationThread({ settings: this.#options.settings }, this.#deps);
    this.#busy.add(thread);
    return thread;
  }

  #giveBack(thread: OperationThread): void {
    this.#busy.delete(thread);
    if (thread.alive && !this.#stopped) this.#free.push(thread);
    if (this.#busy.size > 0) return;
    this.#idle = setTimeout(() => {
      for (const free of this.#free.splice(0)) void free.stop();
    }, IDLE_MILLISECONDS);
    this.#idle.unref();
  }

  #endOverdue(thread: OperationThread, operation: AnyOperation): void {
    const { previewSeconds } = this.#options;
    const reason = new AppError(
      'failed',
      `${operation.title} took longer than ${counted(previewSeconds, 'second')} and was stopped; try less at once, or let an administrator raise PREVIEW_TIMEOUT_SECONDS`,
    );
    thread.giveUp(reason);
    const grace = setTimeout(() => {
      if (thread.pending === 0) return;
      this.#deps.logger.warn('a preview did not stop in time; its thread is replaced', { operation: operation.name });
      void thread.terminate(reason);
    }, GRACE_MILLISECONDS);
    grace.unref();
  }
}
