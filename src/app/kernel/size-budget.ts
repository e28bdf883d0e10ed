/** What the lists of one answer hold at most, as characters of JSON: entries are as large as hosts are, and thousands of them. */
const ANSWER_CHARACTERS = 16 * 1024 * 1024;

/** What a list may still hold. A list that was full once takes nothing more: it is a beginning, without holes. */
export class SizeBudget {
  #left: number;

  constructor(characters: number = ANSWER_CHARACTERS) {
    this.#left = characters;
  }

  /** Takes what the value needs, when there is that much. */
  takes(value: unknown): boolean {
    const length = this.#left < 0 ? 0 : JSON.stringify(value).length;
    this.#left = length > this.#left ? -1 : this.#left - length;
    return this.#left >= 0;
  }
}
