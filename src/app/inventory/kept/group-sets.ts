/** Groups that hosts are in, by number: many hosts are in the same ones. Names as JSON. */
export class GroupSets {
  readonly #numbers = new Map<string, number>();
  readonly #sets: (readonly string[])[] = [];

  get size(): number {
    return this.#sets.length;
  }

  numberOf(groups: readonly string[]): number {
    const key = groups.join();
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#sets.push(groups) - 1;
      this.#numbers.set(key, number);
    }
    return number;
  }

  of(number: number): readonly string[] {
    return this.#sets[number] ?? [];
  }
}
