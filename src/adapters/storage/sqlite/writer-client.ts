import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { AppError, type Logger } from '../../../ports/index.ts';
import { unpackError } from './errors.ts';
import { threadEntry } from './thread-entry.ts';
import type { FromWriter, JobKind, JobMessage, JobResult, SentJob, ToWriter, WriterData } from './writer-protocol.ts';

export interface WriterLimits {
  /** Writes that may wait for the writer thread at once. */
  readonly maxQueuedWrites: number;
  /** Characters that they may hold together. */
  readonly maxQueuedSize: number;
}

interface Waiting {
  readonly size: number;
  resolve(value: unknown): void;
  reject(error: AppError): void;
}

/** The writer thread itself, or a line to it: the parts of `Worker` and `MessagePort` that are the same. */
interface Line {
  postMessage(message: ToWriter, transfer?: readonly MessagePort[]): void;
  ref(): void;
  unref(): void;
}

/**
 * The calling side of the writer thread. Calls of one turn of the event loop travel together; the process is kept alive
 * only while some are under way.
 */
export class WriterClient {
  readonly #data: WriterData;
  readonly #limits: WriterLimits;
  readonly #logger: Logger;
  readonly #borrowed: MessagePort | undefined;
  readonly #waiting = new Map<number, Waiting>();
  #line: Line | undefined;
  #ended: Promise<void> = Promise.resolve();
  #outbox: SentJob[] = [];
  #lastId = 0;
  #size = 0;
  #idle: (() => void)[] = [];
  /** A borrowed line that has ended does not come back. */
  #lost = false;
  #state: 'open' | 'stopping' | 'stopped' = 'open';

  /** `borrowed` is a port of another storage of this process; without it the first write starts a thread. */
  constructor(data: WriterData, limits: WriterLimits, logger: Logger, borrowed: MessagePort | undefined) {
    this.#data = data;
    this.#limits = limits;
    this.#logger = logger;
    this.#borrowed = borrowed;
  }

  /**
   * Queues a write and answers after its commit. `weight` is how many entries it holds, `size` about how many
   * characters.
   */
  call<K extends JobKind>(kind: K, message: JobMessage<K>, weight = 1, size = 0): Promise<JobResult<K>> {
    if (this.#state !== 'open') return Promise.reject(unavailable('The storage is stopping; the write was not taken.'));
    if (this.#lost) return Promise.reject(unavailable('The thread that writes has ended; the write was not taken.'));
    const { maxQueuedWrites, maxQueuedSize } = this.#limits;
    const full = this.#waiting.size >= maxQueuedWrites || this.#size + size > maxQueuedSize;
    if (full && this.#waiting.size > 0) {
      return Promise.reject(unavailable('Too many writes are waiting; the write was not taken, try again.'));
    }
    const id = ++this.#lastId;
    this.#size += size;
    if (this.#outbox.length === 0) setImmediate(() => this.#send());
    this.#outbox.push({ id, kind, message, weight });
    return new Promise<JobResult<K>>((resolve, reject) => {
      this.#waiting.set(id, { size, resolve: resolve as (value: unknown) => void, reject });
    });
  }

  /** A line to the same writer for another thread of this process. */
  port(): MessagePort {
    const { port1, port2 } = new MessageChannel();
    this.#connected().postMessage({ type: 'connect', port: port2 }, [port2]);
    return port1;
  }

  /** Waits for what was called, then ends the thread or the line. */
  async stop(): Promise<void> {
    if (this.#state === 'open') this.#state = 'stopping';
    if (this.#waiting.size > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
    if (this.#state === 'stopped') return;
    this.#state = 'stopped';
    if (this.#borrowed !== undefined) this.#borrowed.close();
    else if (this.#line !== undefined) {
      this.#line.ref();
      this.#line.postMessage({ type: 'close' });
      await this.#ended;
    }
    this.#line = undefined;
  }

  #send(): void {
    const jobs = this.#outbox;
    this.#outbox = [];
    if (jobs.length === 0) return;
    try {
      const line = this.#connected();
      line.ref();
      line.postMessage({ type: 'jobs', jobs });
    } catch (cause) {
      const error = cause instanceof AppError ? cause : new AppError('internal', 'A write cannot be sent.', { cause });
      for (const job of jobs) this.#settle(job.id, (waiting) => waiting.reject(error));
    }
  }

  #receive(message: FromWriter): void {
    for (const result of message.results) {
      this.#settle(result.id, (waiting) => {
        if ('error' in result) waiting.reject(unpackError(result.error));
        else waiting.resolve(result.value);
      });
    }
  }

  #settle(id: number, how: (waiting: Waiting) => void): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    this.#waiting.delete(id);
    this.#size -= waiting.size;
    how(waiting);
    if (this.#waiting.size > 0) return;
    this.#line?.unref();
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  #connected(): Line {
    this.#line ??= this.#borrowed === undefined ? this.#spawn() : this.#borrow(this.#borrowed);
    return this.#line;
  }

  #borrow(port: MessagePort): Line {
    port.on('message', (message: FromWriter) => this.#receive(message));
    port.on('close', () => {
      this.#lost = true;
      this.#down('The thread that writes has ended; it is not known whether the write was done.');
    });
    port.unref();
    return port;
  }

  #spawn(): Line {
    const worker = new Worker(threadEntry('sqlite-writer'), { workerData: this.#data, name: 'sqlite-writer' });
    this.#ended = new Promise((resolve) => worker.on('exit', () => resolve()));
    worker.on('message', (message: FromWriter) => this.#receive(message));
    worker.on('error', (error) => this.#logger.error('the writer thread failed', { error: String(error) }));
    worker.on('exit', () => {
      if (this.#state === 'stopped') return;
      // The next write starts another one.
      this.#line = undefined;
      this.#down('The thread that writes has ended; it is not known whether the write was done.');
    });
    worker.unref();
    return worker;
  }

  #down(message: string): void {
    for (const id of [...this.#waiting.keys()]) {
      if (this.#outbox.some((job) => job.id === id)) continue;
      this.#settle(id, (waiting) => waiting.reject(unavailable(message)));
    }
  }
}

function unavailable(message: string): AppError {
  return new AppError('unavailable', message, { retryAfterSeconds: 1 });
}
