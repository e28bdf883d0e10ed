import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';

/** The place at which reading a feed continues. */
export interface Place {
  readonly place: number;
  /** How many notes of the row have been read. */
  readonly offset: number;
}

/** By which a cursor is known as one of this feed. */
const MARK = 0x4d464545;

/**
 * Converts places to texts that reveal nothing: readers who see only some of the changes must not learn how many there were. A
 * place is encrypted as one block under a key that only the store knows, so the same place always gives the same text, and a text
 * made elsewhere is not accepted.
 */
export class FeedCursors {
  readonly #feed: string;
  readonly #key: Buffer;

  constructor(feed: string) {
    this.#feed = feed;
    this.#key = createHash('sha256').update(`cursors of ${feed}`).digest().subarray(0, 16);
  }

  text({ place, offset }: Place): string {
    const block = Buffer.alloc(16);
    block.writeBigUInt64BE(BigInt(place), 0);
    block.writeUInt32BE(offset, 8);
    block.writeUInt32BE(MARK, 12);
    const cipher = createCipheriv('aes-128-ecb', this.#key, null).setAutoPadding(false);
    return Buffer.concat([cipher.update(block), cipher.final()]).toString('base64url');
  }

  place(text: string): Place | undefined {
    if (!/^[\w-]{22}$/u.test(text)) return undefined;
    const decipher = createDecipheriv('aes-128-ecb', this.#key, null).setAutoPadding(false);
    const block = Buffer.concat([decipher.update(Buffer.from(text, 'base64url')), decipher.final()]);
    if (block.readUInt32BE(12) !== MARK) return undefined;
    return { place: Number(block.readBigUInt64BE(0)), offset: block.readUInt32BE(8) };
  }

  /** The public id of a change, made from the id that the store uses. */
  id(known: string): string {
    return createHash('sha256').update(`${this.#feed} ${known}`).digest('base64url').slice(0, 22);
  }
}
