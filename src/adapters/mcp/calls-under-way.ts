/** Counts calls, so that a caller can wait until all of them have their answers. */
export class CallsUnderWay {
  #count = 0;
  #wake: (() => void) | undefined;

  /** The way out of the call that begins. */
  begin(): () => void {
    this.#count++;
    return () => {
      this.#count--;
      if (this.#count === 0) this.#wake?.();
    };
  }

  /** Resolves when no call is under way, and the answers had time to be written. */
  async settled(): Promise<void> {
    // The last message read is handled, and the last answer written, in the turns of the loop around this.
    await new Promise(setImmediate);
    while (this.#count > 0) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    await new Promise(setImmediate);
  }
}
