import type { Spool, Spooled } from '../../../ports/index.ts';

/** Number of bytes that are read at once. */
const PIECE_BYTES = 256 * 1024;

/** A text of any length on its way into a spool, in pieces that are each small enough to be read at once. */
export class SpooledText {
  readonly #spool: Spool;
  readonly #places: Spooled[] = [];
  #waiting = '';

  constructor(spool: Spool) {
    this.#spool = spool;
  }

  async add(text: string): Promise<void> {
    this.#waiting += text;
    if (this.#waiting.length >= PIECE_BYTES) await this.#put();
  }

  /** Writes the rest and returns all places of the text, in order. */
  async end(): Promise<readonly Spooled[]> {
    await this.#put();
    return this.#places;
  }

  async #put(): Promise<void> {
    const bytes = Buffer.from(this.#waiting);
    this.#waiting = '';
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      this.#places.push(await this.#spool.put(bytes.subarray(at, at + PIECE_BYTES)));
    }
  }
}
