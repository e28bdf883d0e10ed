interface Kept<T> {
  readonly revision: string;
  readonly value: Promise<T>;
}

/**
 * What was made of whole inventories last: whoever looks at one asks for one page of it after the other. Callers who ask at the same time
 * share one making.
 */
export class KeptByRevision<T> {
  readonly #most: number;
  readonly #kept = new Map<string, Kept<T>>();

  /** `most`: how many are kept, those that were asked for last. */
  constructor(most: number) {
    this.#most = most;
  }

  get(key: string, revision: string, make: () => Promise<T>): Promise<T> {
    const kept = this.#kept.get(key);
    const entry = kept?.revision === revision ? kept : { revision, value: make() };
    this.#kept.delete(key);
    this.#kept.set(key, entry);
    entry.value.catch(() => {
      if (this.#kept.get(key) === entry) this.#kept.delete(key);
    });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > this.#most && oldest !== undefined) this.#kept.delete(oldest);
    return entry.value;
  }
}
