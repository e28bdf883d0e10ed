import { fault, tooManyArguments } from './fault.ts';
import { type Activations, type Frame, outputOfCall, requireActivations } from './frame.ts';
import type { Run } from './run.ts';
import { type CallArguments, PyCallable, tuple, Undefined, type Value } from './value.ts';

export interface MacroParameter {
  readonly name: string;
  readonly slot: number;
  readonly fallback: ((run: Run) => Value) | undefined;
}

export interface MacroDefinition {
  readonly name: string;
  readonly parameters: readonly MacroParameter[];
  readonly frame: Frame;
  /** The slots of the names that a body may use without declaring them; `undefined` if it does not use them. */
  readonly callerSlot: number | undefined;
  readonly keywordsSlot: number | undefined;
  readonly restSlot: number | undefined;
  /** Number of statements in the body, for the cost of a call. */
  readonly statements: number;
  readonly body: (run: Run) => void;
}

/** A macro, or the body of a `call` block. */
export class Macro extends PyCallable {
  readonly typeName = 'Macro';
  readonly #definition: MacroDefinition;
  readonly #made: Activations;

  constructor(definition: MacroDefinition, made: Activations) {
    super();
    this.#definition = definition;
    this.#made = made;
  }

  override attribute(name: string): Value | undefined {
    const { parameters, callerSlot, keywordsSlot, restSlot } = this.#definition;
    switch (name) {
      case 'name':
        return this.#definition.name;
      case 'arguments':
        return tuple(parameters.map((parameter) => parameter.name));
      case 'caller':
        return callerSlot !== undefined;
      case 'catch_kwargs':
        return keywordsSlot !== undefined;
      case 'catch_varargs':
        return restSlot !== undefined;
      default:
        return undefined;
    }
  }

  override text(): string {
    return `<Macro '${this.#definition.name}'>`;
  }

  invoke(run: Run, args: CallArguments): Value {
    const { name, frame, statements, body } = this.#definition;
    requireActivations(run, name, this.#made);
    run.step(statements + args.positional.length);
    return outputOfCall(run, frame, () => {
      this.#bind(run, args);
      body(run);
    });
  }

  #bind(run: Run, { positional, named }: CallArguments): void {
    const { name, parameters, callerSlot, keywordsSlot, restSlot } = this.#definition;
    const rest = new Map(named);
    const missing: MacroParameter[] = [];
    for (const [index, parameter] of parameters.entries()) {
      const given = index < positional.length ? positional[index] : rest.get(parameter.name);
      if (index >= positional.length) rest.delete(parameter.name);
      if (given === undefined) missing.push(parameter);
      else run.slots[parameter.slot] = given;
    }
    if (callerSlot !== undefined) {
      run.slots[callerSlot] = rest.get('caller') ?? new Undefined('caller');
      rest.delete('caller');
    }
    if (keywordsSlot !== undefined) run.slots[keywordsSlot] = new Map<Value, Value>(rest);
    else for (const key of rest.keys()) throw fault(`macro '${name}' has no argument '${key}'`);
    if (restSlot !== undefined) run.slots[restSlot] = tuple(positional.slice(parameters.length));
    else if (positional.length > parameters.length) {
      throw tooManyArguments(`macro '${name}'`, parameters.length);
    }
    for (const { name: parameter, slot, fallback } of missing) {
      run.slots[slot] = fallback ? fallback(run) : new Undefined(parameter);
    }
  }
}
