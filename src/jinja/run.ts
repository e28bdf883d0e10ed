import { budgetFault } from './fault.ts';
import type { Value } from './value.ts';

export interface TemplateScope {
  /** Value of a variable; `undefined` means that it is not defined. */
  get(name: string): unknown;
  /** Returns the values for `attributes[...]`. */
  attributes(): ReadonlyMap<string, unknown>;
  /** Returns the value of `name` in `name.member` if no variable has that name; `undefined` if it has no value there either. */
  nested?(name: string): unknown;
  /** If true, missing names and members print as empty texts and are false; otherwise they are faults. */
  readonly lenient?: boolean;
  /** Told now and then how many steps were taken; answers whether there may be more. */
  allows?(steps: number): boolean;
}

export interface TemplateBudget {
  /** Loop rounds, calls, elements made, and one for every 64 characters made. */
  maxSteps: number;
  /** Characters of the output, and of every text on the way there. */
  maxOutput: number;
  maxMillis: number;
}

const CLOCK_EVERY = 1024;

/** The state of one render. */
export class Run {
  readonly scope: TemplateScope;
  readonly slots: (Value | undefined)[];
  readonly maxOutput: number;
  out = '';
  #steps: number;
  #nextClock: number;
  #deadline = 0;
  readonly #maxMillis: number;
  copies: Map<string, Value> | undefined;
  /** Calls of macros under way. */
  calls = 0;
  /** By frame: which call its slots are of. */
  activations: (number | undefined)[] | undefined;
  lastActivation = 0;

  constructor(scope: TemplateScope, slots: number, budget: TemplateBudget) {
    this.scope = scope;
    this.slots = slots === 0 ? NO_SLOTS : new Array<Value | undefined>(slots).fill(undefined);
    this.maxOutput = budget.maxOutput;
    this.#steps = budget.maxSteps;
    this.#nextClock = budget.maxSteps - CLOCK_EVERY;
    this.#maxMillis = budget.maxMillis;
  }

  step(count = 1): void {
    this.#steps -= count;
    if (this.#steps < 0) throw budgetFault('the template takes too many steps');
    if (this.#steps < this.#nextClock) this.#readClock();
  }

  /** Must be called with the length of a text before that text is made. */
  sized(length: number): void {
    if (!(length <= this.maxOutput)) throw budgetFault('the template produces a text that is too long');
    if (length >= 64) this.step(length >>> 6);
  }

  /**
   * For a text made piece by piece: `length` and what is added are checked together, but only the addition is charged,
   * so that a text costs what its length does however many pieces it has. Must be called before a piece is kept.
   */
  grown(length: number, added: number): number {
    const total = length + added;
    if (!(total <= this.maxOutput)) throw budgetFault('the template produces a text that is too long');
    const blocks = Math.floor(total / 64) - Math.floor(length / 64);
    if (blocks > 0) this.step(blocks);
    return total;
  }

  emit(text: string): void {
    this.out += text;
    if (this.out.length > this.maxOutput) throw budgetFault('the template produces too much output');
  }

  /** The clock starts with the first reading: templates that end before it pay nothing for the limit. */
  #readClock(): void {
    this.#nextClock = this.#steps - CLOCK_EVERY;
    const now = performance.now();
    if (this.#deadline === 0) this.#deadline = now + this.#maxMillis;
    else if (now > this.#deadline) throw budgetFault('the template takes too long');
    if (this.scope.allows?.(CLOCK_EVERY) === false) throw budgetFault('the rules take too long for this host');
  }
}

const NO_SLOTS: (Value | undefined)[] = [];

/** A compiled expression. */
export type Evaluate = (run: Run) => Value;
