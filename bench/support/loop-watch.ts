import { closeSync, openSync, readSync } from 'node:fs';

/**
 * How long this thread's work holds the event loop. Other programs on the machine take the processor away for longer than
 * that, so it is not the clock that counts but the thread's own processor time between two beats of a timer.
 */
export class LoopWatch {
  readonly #buffer = Buffer.alloc(128);
  #timer: NodeJS.Timeout | undefined;
  #file: number | undefined;
  #last = 0;
  #longest = 0;

  start(): void {
    this.stop();
    this.#longest = 0;
    this.#file = openSync('/proc/thread-self/schedstat', 'r');
    this.#last = this.#processorMs();
    this.#timer = setInterval(() => this.#beat(), 1);
  }

  /** The longest hold since the start. */
  stop(): number {
    if (this.#timer !== undefined) this.#beat();
    clearInterval(this.#timer);
    if (this.#file !== undefined) closeSync(this.#file);
    this.#timer = undefined;
    this.#file = undefined;
    return this.#longest;
  }

  #beat(): void {
    const now = this.#processorMs();
    this.#longest = Math.max(this.#longest, now - this.#last);
    this.#last = now;
  }

  #processorMs(): number {
    const length = readSync(this.#file as number, this.#buffer, 0, this.#buffer.length, 0);
    return Number.parseInt(this.#buffer.toString('latin1', 0, length), 10) / 1e6;
  }
}
