import { type MessagePort, Worker } from 'node:worker_threads';
import type { Caller } from '../../app/execution/caller.ts';
import {
  type ExecuteOptions,
  type OperationInput,
  OperationLost,
  type OperationRunner,
} from '../../app/execution/executor.ts';
import type { AnyOperation, StreamAnswer } from '../../app/execution/operation.ts';
import { AppError, type Logger } from '../../ports/index.ts';
import { appErrorOf, type FromWorker, type ToWorker } from './messages.ts';
import { Turnstile } from './turnstile.ts';
import { operationWorkerEntry } from './worker-entry.ts';

export interface WorkerPoolOptions {
  readonly threads: number;
  /** Handed to each worker as its settings; must be plain data. */
  readonly settings: unknown;
}

export interface WorkerPoolDeps {
  readonly logger: Logger;
  /** A way into the process's writer for one more thread; absent when the storage needs none. */
  readonly writerPort?: () => MessagePort;
}

export interface WorkerPool extends OperationRunner {
  stop(): Promise<void>;
}

/** Operations that share one thread: they take turns between batches, and each holds a batch in memory. */
const JOBS_A_THREAD = 32;
/** Enough for a burst of a thousand consumers; what they hold while they wait is bounded too. */
const MAX_WAITING = 1_000;
const MAX_WAITING_BYTES = 128 * 1024 * 1024;

/** Runs heavy operations on threads. Threads are started when first needed and replaced when they die. */
export function workerPool(options: WorkerPoolOptions, deps: WorkerPoolDeps): WorkerPool {
  const threads: (WorkerThread | undefined)[] = Array.from({ length: options.threads }, () => undefined);
  const turnstile = new Turnstile({
    capacity: options.threads * JOBS_A_THREAD,
    maxWaiting: MAX_WAITING,
    maxWaitingBytes: MAX_WAITING_BYTES,
  });
  let stopped = false;

  function leastBusy(): WorkerThread {
    let best: WorkerThread | undefined;
    for (let index = 0; index < threads.length; index++) {
      const thread = threads[index];
      if (thread?.alive) {
        if (best === undefined || thread.pending < best.pending) best = thread;
      } else if (best === undefined || best.pending > 0) {
        best = new WorkerThread(options.settings, deps);
        threads[index] = best;
      }
      if (best?.pending === 0) return best;
    }
    return best as WorkerThread;
  }

  return {
    async run(operation, input, caller, runOptions) {
      const bytes = input.kind === 'json' ? input.body.byteLength : 0;
      const leave = await turnstile.enter(bytes, runOptions.signal).catch((error: AppError) => {
        throw new OperationLost(error);
      });
      try {
        if (stopped) throw new OperationLost(new AppError('cancelled', 'the service is stopping'));
        return await leastBusy().run(operation, input, caller, runOptions, leave);
      } catch (error) {
        leave();
        throw error;
      }
    },
    async stop() {
      stopped = true;
      await Promise.all(threads.map((thread) => thread?.stop()));
    },
  };
}

interface Job {
  readonly options: ExecuteOptions;
  resolve(value: unknown): void;
  reject(error: Error): void;
  stream: ChunkQueue | undefined;
  release(): void;
}

class WorkerThread {
  readonly #worker: Worker;
  readonly #jobs = new Map<number, Job>();
  readonly #logger: Logger;
  #nextId = 1;
  alive = true;

  constructor(settings: unknown, deps: WorkerPoolDeps) {
    this.#logger = deps.logger;
    const writer = deps.writerPort?.();
    this.#worker = new Worker(operationWorkerEntry(), {
      name: 'muster-operations',
      workerData: { settings, writer },
      transferList: writer === undefined ? [] : [writer],
    });
    this.#worker.on('message', (message: FromWorker) => this.#receive(message));
    this.#worker.on('error', (error) => this.#die(error));
    this.#worker.on('exit', () => this.#die(new Error('the worker thread ended')));
    this.#worker.unref();
  }

  get pending(): number {
    return this.#jobs.size;
  }

  /** `leave` is called when nothing of the operation is left here: for a stream that is its end. */
  run(
    operation: AnyOperation,
    input: OperationInput,
    caller: Caller,
    options: ExecuteOptions,
    leave: () => void,
  ): Promise<unknown> {
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      const abort = (): void => this.#send({ kind: 'abort', id });
      options.signal?.addEventListener('abort', abort, { once: true });
      const release = (): void => {
        options.signal?.removeEventListener('abort', abort);
        this.#jobs.delete(id);
        leave();
        if (this.#jobs.size === 0) this.#worker.unref();
      };
      this.#jobs.set(id, { options, resolve, reject, stream: undefined, release });
      this.#worker.ref();
      const transfer = input.kind === 'json' && ownsBuffer(input.body) ? [input.body.buffer] : [];
      this.#worker.postMessage(
        { kind: 'run', id, operation: operation.name, input, caller } satisfies ToWorker,
        transfer,
      );
      if (options.signal?.aborted) abort();
    });
  }

  async stop(): Promise<void> {
    if (!this.alive) return;
    for (const id of this.#jobs.keys()) this.#send({ kind: 'abort', id });
    const ended = new Promise<void>((resolve) => this.#worker.once('exit', () => resolve()));
    this.#send({ kind: 'stop' });
    const timer = setTimeout(() => void this.#worker.terminate(), STOP_MILLISECONDS);
    await ended;
    clearTimeout(timer);
  }

  #send(message: ToWorker): void {
    if (this.alive) this.#worker.postMessage(message);
  }

  #receive(message: FromWorker): void {
    if (message.kind === 'ready') return;
    const job = this.#jobs.get(message.id);
    if (job === undefined) return;
    switch (message.kind) {
      case 'progress':
        job.options.progress?.(message.progress);
        return;
      case 'value':
        job.release();
        job.resolve(message.value);
        return;
      case 'stream': {
        job.stream = new ChunkQueue(
          () => this.#send({ kind: 'pull', id: message.id }),
          () => {
            this.#send({ kind: 'abort', id: message.id });
            job.release();
          },
        );
        job.resolve({ ...message.head, body: job.stream.chunks() } satisfies StreamAnswer);
        return;
      }
      case 'chunk':
        job.stream?.push(message.bytes);
        return;
      case 'end':
        job.release();
        job.stream?.end();
        return;
      case 'lost':
        job.release();
        job.reject(new OperationLost(appErrorOf(message.error)));
        return;
      case 'error': {
        const error = appErrorOf(message.error);
        job.release();
        if (job.stream === undefined) job.reject(error);
        else job.stream.fail(error);
      }
    }
  }

  #die(error: Error): void {
    if (!this.alive) return;
    this.alive = false;
    if (this.#jobs.size > 0) this.#logger.error('operation worker died', { error, jobs: this.#jobs.size });
    for (const job of [...this.#jobs.values()]) {
      job.release();
      const failure = new AppError('internal', 'the worker of this operation died', { cause: error });
      if (job.stream === undefined) job.reject(new OperationLost(failure));
      else job.stream.fail(failure);
    }
  }
}

const STOP_MILLISECONDS = 5_000;

/** A body that fills its buffer can be moved to the thread; a slice of a pooled buffer must be copied. */
function ownsBuffer(body: Uint8Array): body is Uint8Array<ArrayBuffer> {
  return body.byteOffset === 0 && body.byteLength === body.buffer.byteLength && body.buffer instanceof ArrayBuffer;
}

/** Chunks on their way to the reader. The worker sends one only for each pull, so that at most one waits here. */
class ChunkQueue {
  readonly #pull: () => void;
  readonly #cancel: () => void;
  readonly #waiting: Uint8Array[] = [];
  #done = false;
  #error: Error | undefined;
  #wake: (() => void) | undefined;

  constructor(pull: () => void, cancel: () => void) {
    this.#pull = pull;
    this.#cancel = cancel;
  }

  push(bytes: Uint8Array): void {
    this.#waiting.push(bytes);
    this.#wake?.();
  }

  end(): void {
    this.#done = true;
    this.#wake?.();
  }

  fail(error: Error): void {
    this.#error = error;
    this.#wake?.();
  }

  async *chunks(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const chunk = this.#waiting.shift();
        if (chunk !== undefined) {
          this.#pull();
          yield chunk;
          continue;
        }
        if (this.#error !== undefined) throw this.#error;
        if (this.#done) return;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        this.#wake = undefined;
      }
    } finally {
      if (!this.#done && this.#error === undefined) this.#cancel();
    }
  }
}
