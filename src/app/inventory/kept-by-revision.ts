interface Kept<T> {
  readonly revision: string;
  readonly value: Promise<T>;
}

/**
 * Keeps what was last made of whole inventories, since people view one page of an inventory after the other. Concurrent callers
 * share one result.
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

  /** Returns the kept value, without making one. */
  known(key: string, revision: string): Promise<T> | undefined {
    const kept = this.#kept.get(key);
    return kept?.revision === revision ? kept.value : undefined;
  }

  forget(key: string): void {
    this.#kept.delete(key);
  }
}
