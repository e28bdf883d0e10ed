import { equals } from './compare.ts';
import { fault } from './fault.ts';
import type { Run } from './run.ts';
import { type CallArguments, noMethod, PyCallable, Undefined, type Value } from './value.ts';

/** Walks over the elements of one, and gives what that printed. */
export type Deeper = (source: Value) => string;

/** `loop` inside of `for`; its depth counts recursive loops only. */
export class Loop extends PyCallable {
  readonly typeName = 'loop';
  readonly #items: readonly Value[];
  readonly #depth: number;
  readonly #deeper: Deeper | undefined;
  #changed: readonly Value[] | undefined;
  index = 0;

  constructor(items: readonly Value[], depth: number, deeper: Deeper | undefined) {
    super();
    this.#items = items;
    this.#depth = depth;
    this.#deeper = deeper;
  }

  invoke(_run: Run, { positional, named }: CallArguments): Value {
    const [source, ...more] = positional;
    if (!this.#deeper) throw fault("loop() needs a loop that is marked with 'recursive'");
    if (source === undefined || more.length > 0 || named) throw fault('loop() takes one value');
    return this.#deeper(source);
  }

  override attribute(name: string): Value | undefined {
    const { length } = this.#items;
    switch (name) {
      case 'index':
        return this.index + 1;
      case 'index0':
        return this.index;
      case 'revindex':
        return length - this.index;
      case 'revindex0':
        return length - this.index - 1;
      case 'first':
        return this.index === 0;
      case 'last':
        return this.index === length - 1;
      case 'length':
        return length;
      case 'depth':
        return this.#depth;
      case 'depth0':
        return this.#depth - 1;
      case 'previtem':
        return this.#item(name, this.index - 1);
      case 'nextitem':
        return this.#item(name, this.index + 1);
      default:
        return undefined;
    }
  }

  /** An item may be None, which is a value. */
  #item(name: string, at: number): Value {
    const item = this.#items[at];
    return item === undefined ? new Undefined(`loop.${name}`) : item;
  }

  override call(run: Run, method: string, { positional }: CallArguments): Value {
    if (method === 'cycle') {
      const value = positional[this.index % positional.length];
      if (value === undefined) throw fault('loop.cycle() needs values');
      return value;
    }
    if (method !== 'changed') throw noMethod(this.typeName, method);
    const before = this.#changed;
    this.#changed = positional;
    return before === undefined || !equals(run, [...before], [...positional]);
  }
}
