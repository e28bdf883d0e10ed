import { BEGINNING_CHARACTERS } from '../../ports/target.ts';

/** A character of a text has at most four bytes. */
const BYTES = 4 * BEGINNING_CHARACTERS;

/** The first characters of a content, without holding the rest. */
export class Beginning {
  readonly #pieces: Uint8Array[] = [];
  #bytes = 0;

  add(piece: Uint8Array): void {
    if (this.#bytes >= BYTES) return;
    // The buffer of a file is overwritten by the next piece.
    const kept = Uint8Array.from(piece.subarray(0, BYTES - this.#bytes));
    this.#pieces.push(kept);
    this.#bytes += kept.length;
  }

  text(): string {
    return Buffer.concat(this.#pieces).toString('utf8').slice(0, BEGINNING_CHARACTERS);
  }
}
