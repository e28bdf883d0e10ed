import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';

/** Knows whether two contents are the same without holding either. */
export class Digest {
  readonly #hash: Hash = createHash('sha256');
  #bytes = 0;

  add(piece: Uint8Array): void {
    this.#hash.update(piece);
    this.#bytes += piece.length;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Ends the digest. */
  text(): string {
    return this.#hash.digest('hex');
  }
}

export async function digestOfFile(path: string, signal: AbortSignal): Promise<string> {
  const digest = new Digest();
  for await (const piece of createReadStream(path, { signal })) digest.add(piece);
  return digest.text();
}
