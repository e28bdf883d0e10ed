import type { LabelScalar } from '../../../ports/index.ts';
import { Spellings } from './spellings.ts';

export interface ValueCounts {
  /** The most frequent first, then by value. Texts that differ in case alone are one, as they are to a query. */
  readonly values: readonly { readonly value: string; readonly count: number }[];
  /** How many hosts have no value. */
  readonly without: number;
  /** How many of these have an empty one. */
  readonly empty: number;
  /** True if there are values that are not listed. */
  readonly isCut: boolean;
}

/** More different values, such as serial numbers, offer no useful choice; further ones are no longer counted by value. */
const MOST_VALUES = 10_000;

/** How often the values of one field occur. */
export class ValueCounter {
  readonly #counts = new Map<string, number>();
  readonly #spellings = new Spellings();
  #without = 0;
  #empty = 0;
  #isCut = false;

  /** The values of one host, each counted once. */
  add(values: readonly LabelScalar[]): void {
    // Nearly every host has one value, which needs no set.
    const [only] = values;
    const keys =
      values.length === 1
        ? [this.#spellings.keyOf(only)]
        : new Set(values.map((value) => this.#spellings.keyOf(value)));
    let hasValue = false;
    for (const key of keys) {
      if (key === '') continue;
      hasValue = true;
      const count = this.#counts.get(key);
      if (count === undefined && this.#counts.size >= MOST_VALUES) this.#isCut = true;
      else this.#counts.set(key, (count ?? 0) + 1);
    }
    if (hasValue) return;
    this.#without++;
    if (values.length > 0) this.#empty++;
  }

  /** How many different values were counted. */
  get different(): number {
    return this.#counts.size;
  }

  most(limit: number): ValueCounts {
    const shown = this.#spellings.shown();
    const values = [...this.#counts].map(([key, count]) => ({ value: shown(key), count }));
    const sorted = values.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
    return {
      values: sorted.slice(0, limit),
      without: this.#without,
      empty: this.#empty,
      isCut: this.#isCut || sorted.length > limit,
    };
  }
}
