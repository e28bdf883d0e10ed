import { hash } from 'node:crypto';

const SMALLEST = 1024;

/**
 * Which keys a run named at which hosts: what is stored and not among them is taken back. It holds 64 bits of a digest in place of
 * the texts, in at most 32 bytes a key. Where two had the same, a key would stay that might have gone.
 */
export class NamedKeys {
  /** Two halves a place; both are 0 where it is free. A power of two, at most half of it taken. */
  #places = new Uint32Array(2 * SMALLEST);
  #taken = 0;

  add(hostname: string, key: string): void {
    if (this.#taken * 4 >= this.#places.length) this.#grow();
    const [high, low] = digestOf(hostname, key);
    this.#put(high, low);
  }

  has(hostname: string, key: string): boolean {
    const [high, low] = digestOf(hostname, key);
    return this.#places[this.#placeOf(high, low)] === high;
  }

  #put(high: number, low: number): void {
    const place = this.#placeOf(high, low);
    if (this.#places[place] === high) return;
    this.#places[place] = high;
    this.#places[place + 1] = low;
    this.#taken++;
  }

  /** Where it is, or the free place for it. */
  #placeOf(high: number, low: number): number {
    const last = this.#places.length - 2;
    for (let place = (low * 2) & last; ; place = (place + 2) & last) {
      const there = this.#places[place];
      if (there === 0 || (there === high && this.#places[place + 1] === low)) return place;
    }
  }

  #grow(): void {
    const before = this.#places;
    this.#places = new Uint32Array(before.length * 2);
    this.#taken = 0;
    for (let place = 0; place < before.length; place += 2) {
      const high = before[place] as number;
      if (high !== 0) this.#put(high, before[place + 1] as number);
    }
  }
}

/** Two numbers of 32 bits, the first never 0. The length tells where the hostname ends. */
function digestOf(hostname: string, key: string): readonly [high: number, low: number] {
  const digest = hash('sha256', `${hostname.length} ${hostname}${key}`, 'hex');
  return [Number.parseInt(digest.slice(0, 8), 16) || 1, Number.parseInt(digest.slice(8, 16), 16)];
}
