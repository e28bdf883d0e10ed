import type { LabelScalar } from '../../../ports/index.ts';

export interface ValueCounts {
  /** The most frequent first, then by value. */
  readonly values: readonly { readonly value: string; readonly count: number }[];
  /** How many hosts have no value. */
  readonly without: number;
  /** True if there are values that are not listed. */
  readonly isCut: boolean;
}

/** More different values, such as serial numbers, offer no useful choice; further ones are no longer counted by value. */
const MOST_VALUES = 10_000;

/** How often the values of one field occur. */
export class ValueCounter {
  readonly #counts = new Map<string, number>();
  #without = 0;
  #isCut = false;

  /** The values of one host, each counted once. */
  add(values: readonly LabelScalar[]): void {
    // Nearly every host has one value, which needs no set.
    const [only] = values;
    const texts = values.length === 1 ? [String(only ?? '')] : new Set(values.map((value) => String(value ?? '')));
    let hasValue = false;
    for (const text of texts) {
      if (text === '') continue;
      hasValue = true;
      const count = this.#counts.get(text);
      if (count === undefined && this.#counts.size >= MOST_VALUES) this.#isCut = true;
      else this.#counts.set(text, (count ?? 0) + 1);
    }
    if (!hasValue) this.#without++;
  }

  /** How many different values were counted. */
  get different(): number {
    return this.#counts.size;
  }

  most(limit: number): ValueCounts {
    const sorted = [...this.#counts].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
    return {
      values: sorted.slice(0, limit).map(([value, count]) => ({ value, count })),
      without: this.#without,
      isCut: this.#isCut || sorted.length > limit,
    };
  }
}
