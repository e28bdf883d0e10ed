import { fault, tooManyArguments } from './fault.ts';
import type { Run } from './run.ts';
import { type CallArguments, Undefined, undefinedFault, type Value } from './value.ts';

export type Parameters = readonly (Value | undefined)[];

/** A function of the template language; arguments arrive in the order of `parameters`, missing ones `undefined`. */
export interface Callable<Self> {
  readonly name: string;
  readonly parameters: readonly string[];
  /** How many must be given. */
  readonly required: number;
  /** Takes any number of positional arguments, and named ones as they come. */
  readonly variadic: boolean;
  /** Gets undefined values instead of a fault. */
  readonly takesUndefined: boolean;
  readonly body: (run: Run, self: Self, args: Parameters, all: CallArguments) => Value;
}

export type CallableTable<Self> = ReadonlyMap<string, Callable<Self>>;

/** `signature` is `name(required, optional?)`, `name(...)` for a variadic one, `~name(…)` to take undefined values. */
export function define<Self>(signature: string, body: Callable<Self>['body']): [string, Callable<Self>] {
  const match = /^(~?)(\w+)\((.*)\)$/.exec(signature);
  if (!match) throw new TypeError(`bad signature ${signature}`);
  const [, lenient, name = '', list = ''] = match;
  const variadic = list === '...';
  const declared = variadic || list === '' ? [] : list.split(', ');
  const parameters = declared.map((parameter) => parameter.replace('?', ''));
  const required = declared.filter((parameter) => !parameter.endsWith('?')).length;
  return [name, { name, parameters, required, variadic, takesUndefined: lenient === '~', body }];
}

export function invoke<Self>(run: Run, callable: Callable<Self>, self: Self, args: CallArguments): Value {
  run.step();
  if (!callable.takesUndefined) refuseUndefined(args);
  return callable.body(run, self, callable.variadic ? args.positional : bind(callable, args), args);
}

/** Long texts cost what their length does, whatever is done with them. */
export function chargeTexts(run: Run, subject: Value, args: CallArguments): void {
  chargeText(run, subject);
  for (const value of args.positional) chargeText(run, value);
  if (args.named) for (const value of args.named.values()) chargeText(run, value);
}

function chargeText(run: Run, value: Value): void {
  if (typeof value === 'string' && value.length >= 64) run.step(value.length >>> 6);
}

function refuseUndefined(args: CallArguments): void {
  for (const value of args.positional) if (value instanceof Undefined) throw undefinedFault(value);
  if (args.named) for (const value of args.named.values()) if (value instanceof Undefined) throw undefinedFault(value);
}

function bind<Self>(callable: Callable<Self>, args: CallArguments): Parameters {
  const { name, parameters, required } = callable;
  if (args.positional.length > parameters.length) throw tooManyArguments(`${name}()`, parameters.length);
  let bound: Parameters = args.positional;
  if (args.named) {
    const values: (Value | undefined)[] = [...args.positional];
    for (const [key, value] of args.named) {
      const index = parameters.indexOf(key);
      if (index < 0) throw fault(`${name}() has no argument '${key}'`);
      if (index < args.positional.length) throw fault(`${name}() got two values for '${key}'`);
      values[index] = value;
    }
    bound = values;
  }
  for (let index = 0; index < required; index++) {
    if (bound[index] === undefined) throw fault(`${name}() needs '${parameters[index]}'`);
  }
  return bound;
}
