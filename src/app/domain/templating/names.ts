import type { Callable, CallableTable } from './call.ts';
import type { Value } from './value.ts';

export type AccountMacros = (account: string, field: string) => string | undefined;

export interface NamesOptions {
  readonly functions: CallableTable<null>;
  readonly globals: ReadonlyMap<string, Value>;
  readonly macros: AccountMacros | undefined;
  readonly changesValues: boolean;
}

/** What a template's compilation knows about names: slots of those it sets itself, and those it reads. */
export class Names {
  /** Depth of the expression under compilation. */
  depth = 0;
  slotCount = 0;
  /** Reads something that is no attribute: account fields. */
  isImpure = false;
  usesClock = false;
  /** Calls a method that changes a list or dict. */
  callsChange = false;
  readsAll = false;
  readonly read = new Set<string>();
  /** Reads give copies of the host's values. */
  readonly changesValues: boolean;
  readonly macros: AccountMacros | undefined;
  readonly #functions: CallableTable<null>;
  readonly #globals: ReadonlyMap<string, Value>;
  #blocks: Map<string, Slot>[] = [new Map()];
  /** How many `if` stand around the statement under compilation, within its block. */
  #branches = 0;

  constructor({ functions, globals, macros, changesValues }: NamesOptions) {
    this.#functions = functions;
    this.#globals = globals;
    this.macros = macros;
    this.changesValues = changesValues;
  }

  /** What a name means that neither the template nor the scope defines. */
  global(name: string): Value | undefined {
    if (name === 'datetime') this.usesClock = true;
    return this.#globals.get(name);
  }

  functionNamed(name: string): Callable<null> | undefined {
    return this.#functions.get(name);
  }

  /**
   * Slots under which a name may be found, innermost block first. `isCertain` when the last of them is always filled
   * there, so that the name is never one of the scope.
   */
  slotsOf(name: string): { readonly slots: readonly number[]; readonly isCertain: boolean } {
    const slots: number[] = [];
    for (let index = this.#blocks.length - 1; index >= 0; index--) {
      const found = this.#blocks[index]?.get(name);
      if (found) slots.push(found.slot);
      if (found?.isCertain) return { slots, isCertain: true };
    }
    return { slots, isCertain: false };
  }

  isLocal(name: string): boolean {
    return this.slotsOf(name).slots.length > 0;
  }

  /** Slot for a name that the current block sets. */
  declare(name: string): number {
    const block = this.#blocks.at(-1) ?? new Map<string, Slot>();
    const slot = block.get(name)?.slot ?? this.slotCount++;
    const isCertain = this.#branches === 0 || block.get(name)?.isCertain === true;
    block.set(name, { slot, isCertain });
    return slot;
  }

  /** Compiles what may not run. */
  inBranch<Result>(compile: () => Result): Result {
    this.#branches++;
    const result = compile();
    this.#branches--;
    return result;
  }

  /** Compiles something in a block of its own; gives the slots that the block must empty before each round. */
  inBlock<Result>(compile: () => Result): { result: Result; slots: readonly number[] } {
    const block = new Map<string, Slot>();
    const branches = this.#branches;
    this.#branches = 0;
    this.#blocks.push(block);
    const result = compile();
    this.#blocks.pop();
    this.#branches = branches;
    return { result, slots: Array.from(block.values(), ({ slot }) => slot) };
  }
}

interface Slot {
  readonly slot: number;
  readonly isCertain: boolean;
}
