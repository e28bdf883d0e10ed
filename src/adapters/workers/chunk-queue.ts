/** Chunks on their way to the reader. The worker sends one only for each pull, so that at most one waits here. */
export class ChunkQueue {
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
