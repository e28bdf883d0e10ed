import { equals } from './compare.ts';
import { fault } from './fault.ts';
import type { Run } from './run.ts';
import { type CallArguments, noMethod, PyObject, Undefined, type Value } from './value.ts';

/** `loop` inside of `for`. Its depth counts recursive loops only, of which there are none. */
export class Loop extends PyObject {
  readonly typeName = 'loop';
  readonly #items: readonly Value[];
  #changed: readonly Value[] | undefined;
  index = 0;

  constructor(items: readonly Value[]) {
    super();
    this.#items = items;
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
        return 1;
      case 'depth0':
        return 0;
      case 'previtem':
        return this.#items[this.index - 1] ?? new Undefined('loop.previtem');
      case 'nextitem':
        return this.#items[this.index + 1] ?? new Undefined('loop.nextitem');
      default:
        return undefined;
    }
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
