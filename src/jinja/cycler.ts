import { fault } from './fault.ts';
import type { Run } from './run.ts';
import { type CallArguments, noMethod, PyCallable, PyObject, type Value } from './value.ts';

/** `cycler(a, b)`: gives its values in turn. */
export class Cycler extends PyObject {
  readonly typeName = 'Cycler';
  readonly #items: readonly Value[];
  #position = 0;

  constructor(items: readonly Value[]) {
    super();
    if (items.length === 0) throw fault('cycler() needs values');
    this.#items = items;
  }

  override attribute(name: string): Value | undefined {
    return name === 'current' ? this.#items[this.#position] : undefined;
  }

  override call(_run: Run, method: string): Value {
    if (method === 'reset') {
      this.#position = 0;
      return null;
    }
    if (method !== 'next') throw noMethod(this.typeName, method);
    const value = this.#items[this.#position] ?? null;
    this.#position = (this.#position + 1) % this.#items.length;
    return value;
  }
}

/** `joiner(separator)`: nothing at its first call, the separator at every other one. */
export class Joiner extends PyCallable {
  readonly typeName = 'Joiner';
  readonly #separator: Value;
  #used = false;

  constructor(separator: Value) {
    super();
    this.#separator = separator;
  }

  invoke(_run: Run, args: CallArguments): Value {
    if (args.positional.length > 0 || args.named) throw fault('a joiner takes no arguments');
    if (this.#used) return this.#separator;
    this.#used = true;
    return '';
  }
}
