import type { ServedHost } from '../../app/inventory/prepare-inventories.ts';
import { type Caller, hostScopeOf } from '../../app/kernel/caller.ts';
import { type OperationInput, OperationLost, type OperationRunner } from '../../app/kernel/executor.ts';
import type { AnyOperation } from '../../app/kernel/operation.ts';
import { AppError } from '../../ports/index.ts';
import { entered } from './entered.ts';
import { FairQueue } from './fair-queue.ts';
import { OperationThread, type OperationThreadDeps } from './operation-thread.ts';
import { PreviewThreads } from './preview-threads.ts';

export interface WorkerPoolOptions {
  readonly threads: number;
  /** How long a preview may take. */
  readonly previewSeconds: number;
  /** Handed to each worker as its settings; must be plain data. */
  readonly settings: unknown;
}

export interface WorkerPool extends OperationRunner {
  /**
   * Starts a thread before it is needed, so that the first operation does not wait for its start and the compilation of the
   * rules. Resolves when that is done, with the host that served for it, or never will be; does nothing if a thread runs.
   */
  prepare(): Promise<ServedHost | undefined>;
  stop(): Promise<void>;
}

/** Operations that share one thread: they take turns between batches, and each holds a batch in memory. */
const JOBS_A_THREAD = 32;
/** Enough for a burst of a thousand consumers, also of one user; the memory they hold while waiting is bounded too. */
const MAX_WAITING = 2_000;
const MAX_WAITING_BYTES = 128 * 1024 * 1024;
/** Bodies of operations that run: each becomes several times its size when it is parsed. */
const MAX_INSIDE_BYTES = 128 * 1024 * 1024;
/** Share of all that for one user, so that the work of others begins at once. */
const SHARE = 0.5;

/**
 * Runs heavy operations on threads. Threads are started when first needed and replaced when they die. Previews, which run
 * unfinished settings, have threads of their own, so that nothing else waits for them or ends with them.
 */
export function workerPool(options: WorkerPoolOptions, deps: OperationThreadDeps): WorkerPool {
  const threads: (OperationThread | undefined)[] = Array.from({ length: options.threads }, () => undefined);
  const queue = new FairQueue({
    capacity: options.threads * JOBS_A_THREAD,
    maxWaiting: MAX_WAITING,
    maxWaitingBytes: MAX_WAITING_BYTES,
    maxInsideBytes: MAX_INSIDE_BYTES,
    share: SHARE,
  });
  const previews = new PreviewThreads(options, deps);
  /** Threads that work on questions whose answers are shared. */
  const asked = new Map<string, { readonly thread: OperationThread; calls: number }>();
  let stopped = false;

  function leastBusy(): OperationThread {
    let best: OperationThread | undefined;
    for (let index = 0; index < threads.length; index++) {
      const thread = threads[index];
      if (thread?.alive) {
        if (best === undefined || thread.pending < best.pending) best = thread;
      } else if (best === undefined || best.pending > 0) {
        best = new OperationThread({ settings: options.settings }, deps);
        threads[index] = best;
      }
      if (best?.pending === 0) return best;
    }
    return best as OperationThread;
  }

  /** Returns the thread that works on the same question; `left` is called when it has finished completely. */
  function threadFor(question: string | undefined): { readonly thread: OperationThread; left(): void } {
    if (question === undefined) return { thread: leastBusy(), left: () => undefined };
    let at = asked.get(question);
    if (at === undefined || !at.thread.alive || at.thread.pending >= JOBS_A_THREAD) {
      at = { thread: leastBusy(), calls: 0 };
      asked.set(question, at);
    }
    const entry = at;
    entry.calls++;
    return {
      thread: entry.thread,
      left() {
        entry.calls--;
        if (entry.calls === 0 && asked.get(question) === entry) asked.delete(question);
      },
    };
  }

  return {
    async prepare() {
      if (stopped || threads.some((thread) => thread?.alive === true)) return undefined;
      return leastBusy().prepare();
    },
    async run(operation, input, caller, runOptions) {
      if (runOptions.isPreview === true) return previews.run(operation, input, caller, runOptions);
      const leave = await entered(queue, input, caller, runOptions);
      try {
        if (stopped) throw new OperationLost(new AppError('cancelled', 'the service is stopping'));
        const { thread, left } = threadFor(questionOf(operation, input, caller));
        return await thread.run(operation, input, caller, runOptions, () => {
          left();
          leave();
        });
      } catch (error) {
        leave();
        throw error;
      }
    },
    async stop() {
      stopped = true;
      await Promise.all([previews.stop(), ...threads.map((thread) => thread?.stop())]);
    },
  };
}

/**
 * Returns the question, with the facts about the caller that decide the answer; `undefined` if every caller gets an answer of
 * their own.
 */
function questionOf(operation: AnyOperation, input: OperationInput, caller: Caller): string | undefined {
  if (operation.answer !== 'stream' || operation.isShared !== true || input.kind !== 'value') return undefined;
  return JSON.stringify([operation.name, input.value, hostScopeOf(caller), caller.entrance]);
}
