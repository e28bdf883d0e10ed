import { Fault, fault } from './fault.ts';
import type { Run } from './run.ts';

/** A float whose value is integral or not finite; every other float is a plain number, every integral number an int. */
export class PyFloat {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

export type SequenceKind = 'tuple' | 'set' | 'range' | 'dict_keys' | 'dict_values' | 'dict_items';

/** Everything list-like that is not a list. */
export class PySequence {
  readonly kind: SequenceKind;
  readonly items: readonly Value[];
  /** Names of the elements, as `groupby` gives them (`grouper`, `list`). */
  readonly fields: readonly string[] | undefined;

  constructor(kind: SequenceKind, items: readonly Value[], fields?: readonly string[]) {
    this.kind = kind;
    this.items = items;
    this.fields = fields;
  }
}

/** Printed by its bounds, which the elements alone do not tell: `range(5, 0, -2)` ends at 1. */
export class PyRange extends PySequence {
  readonly start: number;
  readonly stop: number;
  readonly step: number;

  constructor(start: number, stop: number, step: number, items: readonly Value[]) {
    super('range', items);
    this.start = start;
    this.stop = stop;
    this.step = step;
  }
}

/** The value of a name that is not there. Printing or using it is a fault. */
export class Undefined {
  readonly name: string;
  /** Jinja's answer of an `if` without `else`, and of all names in a lenient scope: prints as nothing and is false. */
  readonly isSilent: boolean;

  constructor(name: string, isSilent = false) {
    this.name = name;
    this.isSilent = isSilent;
  }
}

/** Values with behaviour of their own: loop, namespace, datetime. They show what they list here and nothing else. */
export abstract class PyObject {
  abstract readonly typeName: string;

  attribute(_name: string): Value | undefined {
    return undefined;
  }

  call(_run: Run, method: string, _args: CallArguments): Value {
    throw noMethod(this.typeName, method);
  }

  /** Returns the result of arithmetic with this value on the left; `undefined` if the operator is not supported. */
  operate(_operator: string, _right: Value): Value | undefined {
    return undefined;
  }

  /** Negative, zero or positive; `undefined` when there is no order between the two. */
  compareTo(_right: Value): number | undefined {
    return undefined;
  }

  text(): string {
    throw fault(`a value of type ${this.typeName} cannot be printed`);
  }
}

/** A value that a template may call. */
export abstract class PyCallable extends PyObject {
  abstract invoke(run: Run, args: CallArguments): Value;
}

export class PyNamespace extends PyObject {
  readonly typeName = 'namespace';
  readonly members = new Map<string, Value>();

  override attribute(name: string): Value | undefined {
    return this.members.get(name);
  }

  override call(run: Run, method: string, args: CallArguments): Value {
    const value = this.members.get(method);
    if (value instanceof PyCallable) return value.invoke(run, args);
    throw noMethod(this.typeName, method);
  }
}

export interface JsonRecord {
  readonly [key: string]: Value;
}

export type Dict = ReadonlyMap<Value, Value>;

export type Value =
  | string
  | number
  | bigint
  | boolean
  | null
  | PyFloat
  | PySequence
  | PyObject
  | Undefined
  | readonly Value[]
  | Dict
  | JsonRecord;

export interface CallArguments {
  readonly positional: readonly Value[];
  readonly named: ReadonlyMap<string, Value> | undefined;
}

export const NO_ARGUMENTS: CallArguments = { positional: [], named: undefined };

export function undefinedFault(value: Undefined): Fault {
  return new Fault('undefined', `'${value.name}' is undefined`);
}

/** A silent undefined value is an empty text for a filter; any other is a fault. */
export function filterInput(value: Value): Value {
  if (!(value instanceof Undefined)) return value;
  if (value.isSilent) return '';
  throw undefinedFault(value);
}

export function noMethod(type: string, method: string): Fault {
  return fault(`a value of type ${type} has no method '${method}'`);
}

export function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}

export function isDict(value: Value): value is Dict {
  return value instanceof Map;
}

/** A JSON object: no prototype, or one that is itself at the end of the chain. Class instances are not values. */
export function isRecord(value: Value): value is JsonRecord {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

export function isMapping(value: Value): value is Dict | JsonRecord {
  return isDict(value) || isRecord(value);
}

export function isFloat(value: Value): value is PyFloat | number {
  return value instanceof PyFloat || (typeof value === 'number' && !Number.isInteger(value));
}

export function isInteger(value: Value): value is number | bigint {
  return typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value));
}

export function float(value: number): number | PyFloat {
  return Number.isFinite(value) && !Number.isInteger(value) ? value : new PyFloat(value);
}

export function tuple(items: readonly Value[]): PySequence {
  return new PySequence('tuple', items);
}

export function typeName(value: Value): string {
  if (value === null) return 'NoneType';
  switch (typeof value) {
    case 'string':
      return 'str';
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int';
    case 'number':
      return Number.isInteger(value) ? 'int' : 'float';
  }
  if (isList(value)) return 'list';
  if (isMapping(value)) return 'dict';
  if (value instanceof PyFloat) return 'float';
  if (value instanceof PySequence) return value.kind;
  if (value instanceof PyObject) return value.typeName;
  return value instanceof Undefined ? 'Undefined' : 'unsupported';
}
