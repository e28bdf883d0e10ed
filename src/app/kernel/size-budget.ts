/** Default limit on the content of one answer, in characters of JSON: its entries may be as large as hosts. */
const ANSWER_CHARACTERS = 8 * 1024 * 1024;

/** The remaining room of a list. A list that was full once takes nothing more, so that it is a beginning without gaps. */
export class SizeBudget {
  #left: number;

  constructor(characters: number = ANSWER_CHARACTERS) {
    this.#left = characters;
  }

  /** Takes what the value needs, when there is that much. */
  takes(value: unknown): boolean {
    return this.takesCharacters(this.#left < 0 ? 0 : JSON.stringify(value).length);
  }

  /** Takes room for a value with this number of characters of JSON. */
  takesCharacters(characters: number): boolean {
    // Values are separated by a comma.
    this.#left = characters + 1 > this.#left ? -1 : this.#left - characters - 1;
    return this.#left >= 0;
  }

  /** Returns the first values that fit, and at least `least` of them. */
  fitting<Value>(values: readonly Value[], least = 0): Value[] {
    const end = values.findIndex((value) => !this.takes(value));
    return end === -1 ? [...values] : values.slice(0, Math.max(end, least));
  }
}
