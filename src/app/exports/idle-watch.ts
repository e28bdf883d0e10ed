/** Notices when the party whose turn it is does nothing for a time. */
export class IdleWatch {
  readonly #milliseconds: number;
  readonly #idle: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(seconds: number, idle: () => void) {
    this.#milliseconds = seconds * 1000;
    this.#idle = idle;
  }

  /** It is their turn. */
  start(): void {
    this.pause();
    this.#timer = setTimeout(this.#idle, this.#milliseconds);
  }

  /** It is no longer their turn. */
  pause(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** They did something. */
  touch(): void {
    this.#timer?.refresh();
  }
}
