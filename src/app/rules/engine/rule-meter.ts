/** The rule asks for more than one host may cost. What it says of this host is not known then. */
export class RuleLimitError extends Error {
  override readonly name = 'RuleLimitError';
}

/** How long all rules together may take for one host. Real hosts with thousands of rules take some milliseconds. */
const HOST_MILLISECONDS = 2_000;
/** The clock is read when so much was done for one host: what is cheap pays nothing for the limit. */
const CLOCK_EVERY = 1_000_000;

/**
 * The work that rules did for one host, in steps: a step is about the work of a pattern for one character. Patterns and templates
 * have limits of their own; this one is for ten thousand rules that each stay below theirs.
 */
export class RuleMeter {
  #left = CLOCK_EVERY;
  #deadline: number | undefined = undefined;
  /** Set when a rule met a limit, so that what it would have hidden must not be shown. */
  exceeded = false;

  begin(): void {
    this.#left = CLOCK_EVERY;
    this.#deadline = undefined;
    this.exceeded = false;
  }

  /** Throws `RuleLimitError` when the time is over. */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) this.#readClock();
  }

  /** The same for templates, whose evaluator has errors of its own. */
  allows(steps: number): boolean {
    try {
      this.spend(steps);
      return true;
    } catch {
      this.exceeded = true;
      return false;
    }
  }

  /** Notes what made a rule fail. */
  failed(error: unknown): void {
    if (error instanceof RuleLimitError) this.exceeded = true;
  }

  #readClock(): void {
    const now = performance.now();
    this.#deadline ??= now + HOST_MILLISECONDS;
    if (now > this.#deadline) {
      throw new RuleLimitError(`the rules take longer than ${HOST_MILLISECONDS} ms for this host`);
    }
    this.#left = CLOCK_EVERY;
  }
}
