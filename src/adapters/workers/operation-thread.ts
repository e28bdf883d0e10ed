import { type MessagePort, Worker } from 'node:worker_threads';
import type { ServedHost } from '../../app/inventory/prepare-inventories.ts';
import type { Caller } from '../../app/kernel/caller.ts';
import { type OperationInput, OperationLost, type OperationRunOptions } from '../../app/kernel/executor.ts';
import type { AnyOperation, StreamAnswer } from '../../app/kernel/operation.ts';
import type { CallTiming } from '../../app/kernel/timings.ts';
import { AppError, type Logger } from '../../ports/index.ts';
import { Pulse, SilenceMeter, TICK_MILLISECONDS, ticksOf } from '../plugin-watch/pulse.ts';
import { ChunkQueue } from './chunk-queue.ts';
import type { HeldPlugin, HeldPlugins } from './held-plugins.ts';
import { appErrorOf, type FromWorker, type ToWorker } from './messages.ts';
import { operationWorkerEntry } from './worker-entry.ts';

export interface OperationThreadOptions {
  /** Handed to the worker as its settings; must be plain data. */
  readonly settings: unknown;
}

export interface OperationThreadDeps {
  readonly logger: Logger;
  /** A way into the process's writer for one more thread; absent when the storage needs none. */
  readonly writerPort?: () => MessagePort;
  /** Takes how long calls of the store took on a thread. */
  timed?(calls: readonly CallTiming[]): void;
  /** Watches third-party plugins; absent if there are none. */
  readonly heldPlugins?: HeldPlugins;
  /** Runs on threads that others see and cancel. */
  readonly runs?: {
    isCancelled(thread: number): Promise<boolean>;
    ended(thread: number): Promise<void>;
  };
}

interface Job {
  readonly options: OperationRunOptions;
  resolve(value: unknown): void;
  reject(error: Error): void;
  stream: ChunkQueue | undefined;
  /** The reason it was given up, for its caller. */
  givenUp: AppError | undefined;
  /** Time at which the thread was asked to stop it. */
  abortedAt: number | undefined;
  release(): void;
}

/** One thread of operations, from the view of the main thread. */
export class OperationThread {
  readonly #worker: Worker;
  readonly #jobs = new Map<number, Job>();
  readonly #logger: Logger;
  readonly #heldPlugins: HeldPlugins | undefined;
  readonly #timed: (calls: readonly CallTiming[]) => void;
  readonly #runs: OperationThreadDeps['runs'];
  readonly #pulse = new Pulse();
  #watching: NodeJS.Timeout | undefined;
  #isReady = false;
  #isStopping = false;
  #nextId = 1;
  #begin: () => void = () => undefined;
  #prepared: (served?: ServedHost) => void = () => undefined;
  alive = true;
  /** Resolves when the thread can work, or never will. */
  readonly ready = new Promise<void>((resolve) => {
    this.#begin = resolve;
  });

  constructor(options: OperationThreadOptions, deps: OperationThreadDeps) {
    this.#logger = deps.logger;
    this.#heldPlugins = deps.heldPlugins;
    this.#runs = deps.runs;
    this.#timed = (calls) => deps.timed?.(calls);
    const writer = deps.writerPort?.();
    this.#worker = new Worker(operationWorkerEntry(), {
      name: 'muster-operations',
      workerData: {
        settings: options.settings,
        writer,
        pulse: this.#pulse.memory,
        watchesPlugins: deps.heldPlugins !== undefined,
        leftOut: deps.heldPlugins?.all ?? [],
      } satisfies ThreadData,
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB },
      transferList: writer === undefined ? [] : [writer],
    });
    this.#worker.on('message', (message: FromWorker) => this.#receive(message));
    this.#worker.on('error', (error) => this.#die(error));
    this.#worker.on('exit', () => this.#die(new Error('the worker thread ended')));
    this.#worker.unref();
    this.#watch();
  }

  get pending(): number {
    return this.#jobs.size;
  }

  /**
   * `leave` is called when nothing of the operation is left here: for a stream that is its end, for one that was given up its
   * answer.
   */
  run(
    operation: AnyOperation,
    input: OperationInput,
    caller: Caller,
    options: OperationRunOptions,
    leave: () => void,
  ): Promise<unknown> {
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      const abort = (): void => this.#abort(id);
      options.signal?.addEventListener('abort', abort, { once: true });
      const release = (): void => {
        options.signal?.removeEventListener('abort', abort);
        this.#jobs.delete(id);
        leave();
        if (this.#jobs.size === 0) this.#worker.unref();
      };
      this.#jobs.set(id, {
        options,
        resolve,
        reject,
        stream: undefined,
        givenUp: undefined,
        abortedAt: undefined,
        release,
      });
      this.#worker.ref();
      const transfer = input.kind === 'json' && ownsBuffer(input.body) ? [input.body.buffer] : [];
      this.#worker.postMessage(
        {
          kind: 'run',
          id,
          operation: operation.name,
          input,
          caller,
          asJson: options.asJson === true,
          answerCharacters: options.answerCharacters,
        } satisfies ToWorker,
        transfer,
      );
      if (options.signal?.aborted) abort();
    });
  }

  async stop(): Promise<void> {
    if (!this.alive) return;
    this.#isStopping = true;
    for (const id of this.#jobs.keys()) this.#abort(id);
    const ended = new Promise<void>((resolve) => this.#worker.once('exit', () => resolve()));
    this.#send({ kind: 'stop' });
    const timer = setTimeout(() => void this.#worker.terminate(), STOP_MILLISECONDS);
    await ended;
    clearTimeout(timer);
  }

  /** Asks everything that runs here to stop, and fails it with this when it does. */
  giveUp(reason: AppError): void {
    for (const [id, job] of this.#jobs) {
      job.givenUp = reason;
      this.#abort(id);
    }
  }

  /** Ends the thread at once, whatever it does. Everything that ran on it fails with this error. */
  async terminate(reason: AppError): Promise<void> {
    this.#die(reason);
    await this.#worker.terminate();
  }

  /**
   * Makes the thread do in advance what the first operation would wait for. Resolves when that is done, with the host that served
   * for it, or never will be; failures are logged, and the first operation tries again.
   */
  prepare(): Promise<ServedHost | undefined> {
    return new Promise((resolve) => {
      this.#prepared = resolve;
      if (this.alive) this.#send({ kind: 'prepare' });
      else resolve(undefined);
    });
  }

  leaveOut(plugins: readonly HeldPlugin[]): void {
    this.#send({ kind: 'leave_out', plugins });
  }

  #watch(): void {
    const held = this.#heldPlugins;
    held?.join(this);
    const meter = new SilenceMeter(this.#pulse);
    const timeoutTicks = held === undefined ? Number.POSITIVE_INFINITY : ticksOf(held.timeoutSeconds);
    this.#watching = setInterval(() => {
      const silent = meter.tick();
      const { calls } = this.#pulse;
      if (held !== undefined && silent >= timeoutTicks && calls.length > 0) void this.#end(held.hold(calls, silent));
      else if (this.#isReady && this.#jobs.size > 0) void this.#endHeld(silent);
    }, TICK_MILLISECONDS);
    this.#watching.unref();
  }

  /** Ends a thread that shows no pulse for too long, or that does not follow when something on it is cancelled. */
  async #endHeld(silentTicks: number): Promise<void> {
    const silent = silentTicks * TICK_MILLISECONDS;
    if (silent >= SILENT_MILLISECONDS) return this.#end(heldError(silent));
    const now = performance.now();
    // Other work on the thread should not end with a job that is only slow to stop.
    const timeoutMs = silent > 0 || this.#jobs.size === 1 ? CANCEL_MILLISECONDS : SILENT_MILLISECONDS;
    const isOverdue = [...this.#jobs.values()].some(({ abortedAt }) => now - (abortedAt ?? now) >= timeoutMs);
    if (isOverdue) return this.#end(CANCELLED);
    // A thread that is silent cannot see that one of its runs was cancelled.
    if (silent < CANCEL_MILLISECONDS || !(await this.#runs?.isCancelled(this.#worker.threadId))) return;
    await this.#end(CANCELLED);
  }

  async #end(reason: AppError): Promise<void> {
    const { threadId } = this.#worker;
    if (!this.alive) return;
    if (reason !== CANCELLED) this.#logger.warn('a thread was ended', { error: reason, jobs: this.#jobs.size });
    await Promise.all([this.terminate(reason), this.#runs?.ended(threadId)]).catch((error: unknown) => {
      this.#logger.warn('what an ended thread ran could not be noted', { error });
    });
  }

  #abort(id: number): void {
    const job = this.#jobs.get(id);
    if (job !== undefined) job.abortedAt ??= performance.now();
    this.#send({ kind: 'abort', id });
  }

  #send(message: ToWorker): void {
    if (this.alive) this.#worker.postMessage(message);
  }

  #receive(message: FromWorker): void {
    if (message.kind === 'ready') {
      this.#isReady = true;
      this.#begin();
      return;
    }
    if (message.kind === 'prepared') {
      const { served, error } = message;
      if (error !== undefined) {
        this.#logger.warn('a thread could not be prepared; the first who needs it waits', { error: appErrorOf(error) });
      }
      this.#prepared(served);
      return;
    }
    if (message.kind === 'timed') {
      this.#timed(message.calls);
      return;
    }
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
        const error = job.givenUp ?? appErrorOf(message.error);
        job.release();
        if (job.stream === undefined) job.reject(error);
        else job.stream.fail(error);
      }
    }
  }

  #die(error: Error): void {
    if (!this.alive) return;
    this.alive = false;
    clearInterval(this.#watching);
    this.#heldPlugins?.leave(this);
    this.#begin();
    this.#prepared();
    // A deliberate end is reported to those who requested it.
    if (this.#jobs.size > 0 && !this.#isStopping && !(error instanceof AppError))
      this.#logger.error('operation worker died', { error, jobs: this.#jobs.size });
    const failure = this.#isStopping ? STOPPING : failureOf(error);
    for (const job of [...this.#jobs.values()]) {
      job.release();
      if (job.stream === undefined) job.reject(new OperationLost(failure));
      else job.stream.fail(failure);
    }
  }
}

/** Data that a worker gets when it starts. */
export interface ThreadData {
  readonly settings: unknown;
  readonly writer: MessagePort | undefined;
  /** Memory in which it shows signs of life. */
  readonly pulse: SharedArrayBuffer;
  /** Whether plugins of others are there. */
  readonly watchesPlugins: boolean;
  readonly leftOut: readonly HeldPlugin[];
}

/**
 * A thread that needs more is ended, and everything on it fails: eight explanations of a large host once took 5 GB. Below 2 GiB
 * V8 also lets garbage grow to half as much before collecting it.
 */
const MAX_HEAP_MIB = 1_536;
const STOP_MILLISECONDS = 3_000;
/** Time for cancelled work to stop by itself. */
const CANCEL_MILLISECONDS = 5_000;
/** Longest time for which a thread may be busy without a pause: the largest files take less to be read. */
const SILENT_MILLISECONDS = 60_000;
const CANCELLED = new AppError('cancelled', 'this did not stop when it was cancelled, so its thread was ended');
const STOPPING = new AppError('cancelled', 'the service is stopping');

function heldError(milliseconds: number): AppError {
  const seconds = Math.round(milliseconds / 1_000);
  return new AppError(
    'failed',
    `this held its thread for ${seconds} seconds, so the thread was ended; try less at once`,
  );
}

function failureOf(error: Error): AppError {
  if (error instanceof AppError) return error;
  if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return new AppError('failed', 'this took more memory than one operation may have; ask for less at once', {
      cause: error,
    });
  }
  return new AppError('internal', 'the worker of this operation died', { cause: error });
}

/** A body that fills its buffer can be moved to the thread; a slice of a pooled buffer must be copied. */
function ownsBuffer(body: Uint8Array): body is Uint8Array<ArrayBuffer> {
  return body.byteOffset === 0 && body.byteLength === body.buffer.byteLength && body.buffer instanceof ArrayBuffer;
}
