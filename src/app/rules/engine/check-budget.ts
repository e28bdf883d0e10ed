import { writtenOut } from '../../../jinja/pattern-size.ts';
import { worded } from '../../../kit/worded.ts';
import { grouped } from '../../../kit/words/amounts.ts';
import { AppError } from '../../../ports/errors.ts';
import { RuleCompileError } from '../../../ports/rule-type.ts';

/** Limit on the written-out parts of all patterns of a document; compiling this many takes less than a second. */
const MAX_PARTS = 40_000;
/** Tokens of all templates of a document. */
const MAX_TOKENS = 20_000;
/** How long the texts of a document may take to be compiled. */
const MAX_MILLISECONDS = 5_000;

/**
 * The cost limit for checking the texts of one document before it is stored: each text has limits of its own, but a document may
 * hold any number of texts. Documents already stored are compiled regardless, within the time of whatever runs them.
 */
export class CheckBudget {
  #parts = MAX_PARTS;
  #tokens = MAX_TOKENS;
  readonly #until = performance.now() + MAX_MILLISECONDS;

  /** Before a pattern is compiled. Throws `RuleCompileError`. */
  pattern(source: string): void {
    this.#parts -= writtenOut(source);
    if (this.#parts < 0) throw beyond(`patterns of this document have more than ${grouped(MAX_PARTS)} parts together`);
    this.#requireTime();
  }

  /** Accounts for a template of `tokens` tokens before it is compiled. Throws `RuleCompileError`. */
  template(tokens: number): void {
    this.#tokens -= tokens;
    if (this.#tokens < 0)
      throw beyond(`templates of this document have more than ${grouped(MAX_TOKENS)} tokens together`);
    this.#requireTime();
  }

  #requireTime(): void {
    if (performance.now() <= this.#until) return;
    throw beyond(`texts of this document take longer than ${MAX_MILLISECONDS / 1_000} seconds to be checked`);
  }
}

/** How long all documents of an import may take to be checked. */
const MAX_BUNDLE_MILLISECONDS = 60_000;

/** The time limit for checking all documents of an import: each has a budget of its own, but an import may hold any number. */
export class BundleBudget {
  #left = MAX_BUNDLE_MILLISECONDS;

  /** Throws if the previous documents used up the time. */
  check<Checked>(check: () => Checked): Checked {
    if (this.#left < 0) {
      const seconds = String(MAX_BUNDLE_MILLISECONDS / 1_000);
      throw new AppError(
        'invalid_input',
        worded`these documents take longer than ${{ seconds }} seconds to be checked, and none was stored; import them in several parts`,
      );
    }
    const start = performance.now();
    const checked = check();
    this.#left -= performance.now() - start;
    return checked;
  }
}

function beyond(what: string): RuleCompileError {
  return new RuleCompileError(`the ${what}; make several rules of it`);
}
