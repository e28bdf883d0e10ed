import { type Limits, within } from '../../../kit/connection/timeouts.ts';
import type { Row, Rows } from '../engine.ts';

const PIECE_ROWS = 500;
const PIECE_BYTES = 256 * 1024;

/** A driver that pushes rows until it is paused. */
interface Driver {
  pause(): void;
  resume(): void;
}

/** The answer to a statement whose rows a driver pushes. They are taken in pieces; between them the server waits. */
export class PushedRows {
  columns: readonly string[] = [];
  readonly #driver: Driver;
  #rows: Row[] = [];
  #bytes = 0;
  #isOver = false;
  #error: unknown;
  #wake: () => void = () => undefined;

  constructor(driver: Driver) {
    this.#driver = driver;
  }

  /** Whether the server has ended the statement. */
  get isOver(): boolean {
    return this.#isOver;
  }

  push(row: Row, bytes: number): void {
    this.#rows.push(row);
    this.#bytes += bytes;
    if (!this.#isFull()) return;
    this.#driver.pause();
    this.#wake();
  }

  /** Records an error; the first one is reported. */
  fail(error: unknown): void {
    this.#error ??= error;
    this.#wake();
  }

  end(): void {
    this.#isOver = true;
    this.#wake();
  }

  /** All rows, in at least one piece. */
  async *pieces(limits: Limits): AsyncGenerator<Rows, void, undefined> {
    do yield await within(this.next(), limits);
    while (!this.#isTaken());
  }

  async next(): Promise<Rows> {
    while (!this.#isOver && this.#error === undefined && !this.#isFull()) {
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#driver.resume();
      await woken;
    }
    if (this.#error !== undefined) throw this.#error;
    const rows = this.#rows;
    this.#rows = [];
    this.#bytes = 0;
    return { columns: this.columns, rows };
  }

  #isFull(): boolean {
    return this.#rows.length >= PIECE_ROWS || this.#bytes >= PIECE_BYTES;
  }

  #isTaken(): boolean {
    return this.#isOver && this.#rows.length === 0 && this.#error === undefined;
  }
}
