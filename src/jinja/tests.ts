import { type Callable, type CallableTable, define } from './call.ts';
import { contains, equals } from './compare.ts';
import { fault } from './fault.ts';
import { arithmetic, asNumeric } from './number.ts';
import { COMPARISONS } from './operators.ts';
import type { Run } from './run.ts';
import { toText } from './text.ts';
import {
  isFloat,
  isInteger,
  isList,
  isMapping,
  PyCallable,
  PySequence,
  tuple,
  typeName,
  Undefined,
  undefinedFault,
  type Value,
} from './value.ts';

function comparison(names: readonly string[], operator: string) {
  const decide = COMPARISONS.get(operator);
  if (!decide) throw new TypeError(operator);
  return [operator, ...names].map((name): [string, Callable<Value>] => {
    const [, test] = define<Value>('comparison(other)', (run, value, [other]) => decide(run, value, other ?? null));
    return [name, { ...test, name }];
  });
}

function remainder(value: Value, divisor: Value | undefined): Value {
  const left = asNumeric(value);
  const right = asNumeric(divisor ?? null);
  if (left === undefined || right === undefined) throw fault(`a value of type ${typeName(value)} cannot be divided`);
  return arithmetic('%', left, right);
}

function isIterable(value: Value): boolean {
  if (value instanceof Undefined) throw undefinedFault(value);
  return typeof value === 'string' || isList(value) || isMapping(value) || value instanceof PySequence;
}

function isSequence(value: Value): boolean {
  if (value instanceof PySequence) return value.kind === 'tuple' || value.kind === 'range';
  return typeof value === 'string' || isList(value) || isMapping(value);
}

/** Tests of types answer for undefined values too, as in Jinja. */
export const TESTS: CallableTable<Value> = new Map([
  define<Value>('defined()', (_run, value) => !(value instanceof Undefined)),
  define<Value>('undefined()', (_run, value) => value instanceof Undefined),
  define<Value>('none()', (_run, value) => value === null),
  define<Value>('string()', (_run, value) => typeof value === 'string'),
  define<Value>('number()', (_run, value) => asNumeric(value) !== undefined),
  define<Value>('integer()', (_run, value) => isInteger(value)),
  define<Value>('float()', (_run, value) => isFloat(value)),
  define<Value>('boolean()', (_run, value) => typeof value === 'boolean'),
  define<Value>('true()', (_run, value) => value === true),
  define<Value>('false()', (_run, value) => value === false),
  define<Value>('mapping()', (_run, value) => isMapping(value)),
  define<Value>('iterable()', (_run, value) => isIterable(value)),
  define<Value>('sequence()', (_run, value) => isSequence(value)),
  define<Value>('callable()', (_run, value) => value instanceof PyCallable),
  define<Value>('sameas(other)', (_run, value, [other]) => value === other),
  define<Value>('even()', (run, value) => equals(run, remainder(value, 2), 0)),
  define<Value>('odd()', (run, value) => equals(run, remainder(value, 2), 1)),
  define<Value>('divisibleby(number)', (run, value, [number]) => equals(run, remainder(value, number), 0)),
  define<Value>('lower()', (run, value) => isCase(run, toText(run, value), 'lower')),
  define<Value>('upper()', (run, value) => isCase(run, toText(run, value), 'upper')),
  define<Value>('in(...)', (run, value, items) =>
    contains(run, items.length === 1 ? (items[0] ?? null) : tuple(items as readonly Value[]), value),
  ),
  ...comparison(['eq', 'equalto'], '=='),
  ...comparison(['ne'], '!='),
  ...comparison(['lt', 'lessthan'], '<'),
  ...comparison(['le'], '<='),
  ...comparison(['gt', 'greaterthan'], '>'),
  ...comparison(['ge'], '>='),
]);

function isCase(run: Run, text: string, wanted: 'lower' | 'upper'): boolean {
  run.sized(text.length);
  if (text.toLowerCase() === text.toUpperCase()) return false;
  return wanted === 'lower' ? text === text.toLowerCase() : text === text.toUpperCase();
}

/** Returns a sort key for filters. Texts are compared without case unless `caseSensitive` is set. */
export function sortKey(run: Run, value: Value, caseSensitive: boolean): Value {
  if (typeof value !== 'string' || caseSensitive) return value;
  if (value.length >= 64) run.step(value.length >>> 6);
  return value.toLowerCase();
}
