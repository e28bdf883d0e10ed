import type { Callable } from './call.ts';
import type { Frame } from './frame.ts';
import type { Evaluate } from './run.ts';
import type { Node } from './syntax.ts';
import { TemplateSyntaxError } from './syntax-error.ts';
import type { Value } from './value.ts';

export type AccountMacros = (account: string, field: string) => string | undefined;

export interface NamesOptions {
  /** Returns the function of a name that is called and is not a macro of the template. */
  readonly functionNamed: (name: string) => Callable<null> | undefined;
  /** A filter that the language itself does not have. */
  readonly filterNamed: (name: string) => Callable<Value> | undefined;
  readonly globals: ReadonlyMap<string, Value>;
  readonly macros: AccountMacros | undefined;
  readonly changesValues: boolean;
}

/** Names known while a template is compiled: slots of those it sets itself, and those it reads. */
export class Names {
  /** Depth of the expression under compilation. */
  depth = 0;
  slotCount = 0;
  /** True if the template reads account fields, which are not attributes. */
  isImpure = false;
  usesClock = false;
  /** Calls a method that changes a list or dict. */
  callsChange = false;
  readsAll = false;
  readonly read = new Set<string>();
  /** Reads give copies of the host's values. */
  readonly changesValues: boolean;
  readonly macros: AccountMacros | undefined;
  readonly functionNamed: NamesOptions['functionNamed'];
  readonly filterNamed: NamesOptions['filterNamed'];
  readonly #globals: ReadonlyMap<string, Value>;
  /** Functions that macros call and the template must define somewhere. */
  readonly lateFunctions = new Set<string>();
  readonly #root: Block = { slots: new Map(), frame: undefined };
  #blocks: Block[] = [this.#root];
  #frames: readonly number[] = [];
  #frameCount = 0;
  /** Number of `if` statements around the one under compilation, within its block. */
  #branches = 0;

  constructor({ functionNamed, filterNamed, globals, macros, changesValues }: NamesOptions) {
    this.functionNamed = functionNamed;
    this.filterNamed = filterNamed;
    this.#globals = globals;
    this.macros = macros;
    this.changesValues = changesValues;
  }

  /** Returns the value of a name that neither the template nor the scope defines. */
  global(name: string): Value | undefined {
    if (name === 'datetime') this.usesClock = true;
    return this.#globals.get(name);
  }

  /**
   * Slots under which a name may be found, innermost block first. `isCertain` when the last of them is always filled
   * there, so that the name is never one of the scope; nothing outside of a macro is certain in it.
   */
  slotsOf(name: string): { readonly slots: readonly number[]; readonly isCertain: boolean } {
    const slots: number[] = [];
    for (let index = this.#blocks.length - 1; index >= 0; index--) {
      const block = this.#blocks[index] as Block;
      const found = block.slots.get(name);
      if (!found) continue;
      found.isRead = true;
      slots.push(found.slot);
      if (found.isCertain && block.frame === this.#frames.at(-1)) return { slots, isCertain: true };
    }
    return { slots, isCertain: false };
  }

  /** Whether anything has read this name of the innermost block. */
  isRead(name: string): boolean {
    return this.#blocks.at(-1)?.slots.get(name)?.isRead === true;
  }

  /** The slot of a name that the template sets outside of all blocks, as far as it is compiled. */
  rootSlot(name: string): number | undefined {
    return this.#root.slots.get(name)?.slot;
  }

  isLocal(name: string): boolean {
    return this.slotsOf(name).slots.length > 0;
  }

  /** Slot for a name that the current block sets. */
  declare(name: string): number {
    if (FIXED_NAMES.has(name)) throw new TemplateSyntaxError(`'${name}' cannot be assigned to`);
    const { slots } = this.#blocks.at(-1) as Block;
    const known = slots.get(name);
    const slot = known?.slot ?? this.slotCount++;
    const isCertain = this.#branches === 0 || known?.isCertain === true;
    slots.set(name, { slot, isCertain, isRead: known?.isRead === true });
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
    const block: Block = { slots: new Map(), frame: this.#frames.at(-1) };
    const branches = this.#branches;
    this.#branches = 0;
    this.#blocks.push(block);
    const result = compile();
    this.#blocks.pop();
    this.#branches = branches;
    return { result, slots: Array.from(block.slots.values(), ({ slot }) => slot) };
  }

  /** Compiles, in a block, what may be called while it runs already. */
  inFrame<Result>(compile: () => Result): { result: Result; slots: readonly number[]; frame: Frame } {
    const index = this.#frameCount++;
    const start = this.slotCount;
    const outer = this.#frames;
    this.#frames = [...outer, index];
    const compiled = this.inBlock(compile);
    this.#frames = outer;
    return { ...compiled, frame: { index, start, end: this.slotCount } };
  }

  /** The frames around what is being compiled, outermost first. */
  get frames(): readonly number[] {
    return this.#frames;
  }
}

/** How a part of an expression compiles those that it consists of. */
export interface Compiling {
  readonly names: Names;
  readonly compile: (node: Node, names: Names) => Evaluate;
}

const FIXED_NAMES: ReadonlySet<string> = new Set(['true', 'True', 'false', 'False', 'none', 'None', 'not', 'in', 'if']);

interface Block {
  readonly slots: Map<string, Slot>;
  /** The innermost frame that the block is in. */
  readonly frame: number | undefined;
}

interface Slot {
  readonly slot: number;
  readonly isCertain: boolean;
  isRead: boolean;
}
