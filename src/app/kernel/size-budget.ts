/** What one answer holds at most where nothing says otherwise, as characters of JSON: its entries are as large as hosts are. */
const ANSWER_CHARACTERS = 8 * 1024 * 1024;

/** What a list may still hold. A list that was full once takes nothing more: it is a beginning, without holes. */
export class SizeBudget {
  #left: number;

  constructor(characters: number = ANSWER_CHARACTERS) {
    this.#left = characters;
  }

  /** Takes what the value needs, when there is that much. */
  takes(value: unknown): boolean {
    return this.takesCharacters(this.#left < 0 ? 0 : JSON.stringify(value).length);
  }

  /** The same for a value whose JSON has so many characters. */
  takesCharacters(characters: number): boolean {
    // A comma stands between two values.
    this.#left = characters + 1 > this.#left ? -1 : this.#left - characters - 1;
    return this.#left >= 0;
  }

  /** The values from the first one on that fit, and so many in any case. */
  fitting<Value>(values: readonly Value[], least = 0): Value[] {
    const end = values.findIndex((value) => !this.takes(value));
    return end === -1 ? [...values] : values.slice(0, Math.max(end, least));
  }
}
