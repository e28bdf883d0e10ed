/** The end of a text that comes bit by bit: at most this many bytes, beginning at a whole line where there is one. */
export class OutputTail {
  readonly #limit: number;
  #chunks: string[] = [];
  #bytes = 0;
  #cut = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(text: string): void {
    this.#chunks.push(text);
    this.#bytes += Buffer.byteLength(text);
    // Joined now and then, so that many small pieces cost no more than a few large ones.
    if (this.#bytes > this.#limit * 2) this.#shorten();
  }

  text(): string {
    if (this.#bytes > this.#limit) this.#shorten();
    const text = this.#chunks.join('');
    this.#chunks = [text];
    if (!this.#cut) return text;
    const line = text.indexOf('\n');
    return line < 0 ? text : text.slice(line + 1);
  }

  #shorten(): void {
    const bytes = Buffer.from(this.#chunks.join(''));
    let from = bytes.length - this.#limit;
    // Not in the middle of a character.
    while (from < bytes.length && ((bytes[from] ?? 0) & 0xc0) === 0x80) from++;
    const rest = bytes.subarray(from);
    this.#chunks = [rest.toString()];
    this.#bytes = rest.length;
    this.#cut = true;
  }
}
