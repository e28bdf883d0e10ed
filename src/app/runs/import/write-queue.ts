import type { PreparedRecord } from './decisions/prepare-record.ts';

interface Pending {
  readonly names: ReadonlySet<string>;
  readonly done: Promise<void>;
}

/**
 * Writes batches while the source is read on: at most `limit` at a time, so memory stays bounded. Knows the names that
 * are under way, so that of two records of one name the first wins whatever order the store finishes in.
 */
export class WriteQueue {
  readonly #write: (records: readonly PreparedRecord[]) => Promise<void>;
  readonly #limit: number;
  readonly #batchSize: number;
  #records: PreparedRecord[] = [];
  #names = new Set<string>();
  #pending: Pending[] = [];
  #failed = false;
  #error: unknown;

  constructor(settings: {
    readonly write: (records: readonly PreparedRecord[]) => Promise<void>;
    readonly batchSize: number;
    readonly limit: number;
  }) {
    this.#write = settings.write;
    this.#batchSize = settings.batchSize;
    this.#limit = settings.limit;
  }

  isUnderWay(hostname: string): boolean {
    return this.#names.has(hostname) || this.isHandedOver(hostname);
  }

  isHandedOver(hostname: string): boolean {
    return this.#pending.some(({ names }) => names.has(hostname));
  }

  /** True when a batch is full; the caller must `flush` before it adds more. */
  add(record: PreparedRecord): boolean {
    this.#records.push(record);
    this.#names.add(record.hostname);
    return this.#records.length >= this.#batchSize;
  }

  /** Hands the batch over; waits while too many are under way. Throws what a write threw. */
  async flush(): Promise<void> {
    while (this.#pending.length >= this.#limit) await this.#pending[0]?.done;
    this.#throwError();
    if (this.#records.length === 0) return;
    const [records, names] = [this.#records, this.#names];
    this.#records = [];
    this.#names = new Set();
    const entry: Pending = { names, done: this.#run(records).then(() => this.#settle(entry)) };
    this.#pending.push(entry);
  }

  /** Waits until nothing is under way. Throws what a write threw. */
  async drain(): Promise<void> {
    await this.settled();
    this.#throwError();
  }

  /** Waits until nothing is under way, whatever came of it. */
  async settled(): Promise<void> {
    await Promise.all(this.#pending.map(({ done }) => done));
  }

  async #run(records: readonly PreparedRecord[]): Promise<void> {
    try {
      if (!this.#failed) await this.#write(records);
    } catch (error) {
      if (!this.#failed) this.#error = error;
      this.#failed = true;
    }
  }

  #settle(entry: Pending): void {
    this.#pending = this.#pending.filter((pending) => pending !== entry);
  }

  #throwError(): void {
    if (this.#failed) throw this.#error;
  }
}
