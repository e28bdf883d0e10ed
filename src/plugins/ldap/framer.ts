import { worded } from '../../kit/worded.ts';
import { AppError } from '../../ports/index.ts';

/** Larger than any entry that could become a host. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Cuts what comes over a connection into messages, which say themselves how long they are (BER). */
export class Framer {
  #pieces: Buffer[] = [];
  #bytes = 0;
  /** How long the message is that is being collected, with its head; unknown until that is there. */
  #wanted: number | undefined;

  get isEmpty(): boolean {
    return this.#bytes === 0;
  }

  /** Returns the messages that are complete by now. Throws for data that is not LDAP. */
  push(piece: Buffer): readonly Buffer[] {
    this.#pieces.push(piece);
    this.#bytes += piece.length;
    const messages: Buffer[] = [];
    for (;;) {
      this.#wanted ??= this.#messageLength();
      if (this.#wanted === undefined || this.#bytes < this.#wanted) return messages;
      const all = this.#whole();
      messages.push(all.subarray(0, this.#wanted));
      const rest = all.subarray(this.#wanted);
      this.#pieces = rest.length === 0 ? [] : [rest];
      this.#bytes = rest.length;
      this.#wanted = undefined;
    }
  }

  #whole(): Buffer {
    const all = this.#pieces.length === 1 ? (this.#pieces[0] as Buffer) : Buffer.concat(this.#pieces);
    this.#pieces = [all];
    return all;
  }

  #messageLength(): number | undefined {
    if (this.#bytes === 0) return undefined;
    const head = this.#whole();
    if (head[0] !== 0x30) throw new AppError('failed', worded`what it answers is not LDAP`);
    const first = head[1];
    if (first === undefined) return undefined;
    if (first < 0x80) return 2 + first;
    const digits = first & 0x7f;
    if (digits === 0 || digits > 4) throw new AppError('failed', worded`what it answers is not LDAP`);
    if (head.length < 2 + digits) return undefined;
    const length = head.readUIntBE(2, digits);
    if (length > MOST_BYTES) {
      throw new AppError(
        'failed',
        worded`an entry is larger than ${{ megabytes: MOST_BYTES / 1024 / 1024 }} MiB; name attributes to import`,
      );
    }
    return 2 + digits + length;
  }
}
