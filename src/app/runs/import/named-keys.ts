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

/** Two numbers of 32 bits, the first never 0. */
function digestOf(hostname: string, key: string): readonly [high: number, low: number] {
  let high = hostname.length + 1;
  let low = key.length + 1;
  for (const text of [hostname, key]) {
    for (let index = 0; index < text.length; index++) {
      const unit = text.charCodeAt(index);
      high = Math.imul(high ^ unit, 0x9e3779b1);
      high ^= high >>> 15;
      low = Math.imul(low + unit, 0x85ebca6b);
      low ^= low >>> 13;
    }
  }
  return [high >>> 0 || 1, low >>> 0];
}
