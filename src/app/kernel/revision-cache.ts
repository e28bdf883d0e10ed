import type { Revisions, Storage } from '../../ports/index.ts';

/** Names of revisions, or a choice among those that there are. */
type RevisionNames = readonly string[] | ((revisions: Revisions) => readonly string[]);

/**
 * Keeps one value made from stored data until one of the named revisions moves. Several callers that find it outdated
 * share one making.
 */
export class RevisionCache<T> {
  readonly #storage: Storage;
  readonly #names: RevisionNames;
  readonly #make: () => Promise<T>;
  #key: string | undefined;
  #value: Promise<T> | undefined;

  constructor(storage: Storage, names: RevisionNames, make: () => Promise<T>) {
    this.#storage = storage;
    this.#names = names;
    this.#make = make;
  }

  async get(): Promise<T> {
    const revisions = await this.#storage.revisions();
    const names = typeof this.#names === 'function' ? this.#names(revisions) : this.#names;
    const key = names.map((name) => revisions.get(name) ?? 0).join('.');
    if (this.#value === undefined || key !== this.#key) {
      this.#key = key;
      const value = this.#make();
      this.#value = value;
      value.catch(() => {
        if (this.#value === value) this.#value = undefined;
      });
    }
    return this.#value;
  }
}
