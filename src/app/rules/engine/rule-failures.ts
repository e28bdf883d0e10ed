const MAX_MESSAGE = 500;

/** The errors of one rule since it was compiled. */
export interface RuleFailure {
  readonly type: string;
  readonly id: string;
  readonly name: string;
  readonly errors: number;
  readonly lastError: string;
  /** Host of the last error; empty when the rule does not compile. */
  readonly lastHostname: string;
}

/** Counts failures of one rule. Keeps the last one only, so that a rule that fails on every host costs nothing. */
export class FailureCounter {
  #errors = 0;
  #hosts = 0;
  #lastError = '';
  #lastHostname = '';

  count(message: string, hostname: string): void {
    this.#errors++;
    if (this.#errors === 1 || hostname !== this.#lastHostname) this.#hosts++;
    this.#lastError = message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE)}…` : message;
    this.#lastHostname = hostname;
  }

  get errors(): number {
    return this.#errors;
  }

  /** On how many hosts, where each of them passes once. */
  get hosts(): number {
    return this.#hosts;
  }

  get last(): { readonly errors: number; readonly lastError: string; readonly lastHostname: string } {
    return { errors: this.#errors, lastError: this.#lastError, lastHostname: this.#lastHostname };
  }
}

export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
