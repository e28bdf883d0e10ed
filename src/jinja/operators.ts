import { compare, contains, equals, mappingGet } from './compare.ts';
import { budgetFault, fault } from './fault.ts';
import { type ArithmeticOperator, arithmetic, asNumeric, negate, toIndex } from './number.ts';
import { percentFormat } from './percent-format.ts';
import type { Run } from './run.ts';
import { characters, sliceIndexes, sliceList } from './sequence.ts';
import { toText } from './text.ts';
import {
  isList,
  isMapping,
  PyObject,
  PyRange,
  PySequence,
  tuple,
  typeName,
  Undefined,
  undefinedFault,
  type Value,
} from './value.ts';

export function operate(run: Run, operator: ArithmeticOperator, left: Value, right: Value): Value {
  if (typeof left === 'number' && typeof right === 'number') return arithmetic(operator, left, right);
  if (left instanceof Undefined) throw undefinedFault(left);
  if (right instanceof Undefined) throw undefinedFault(right);
  if (operator === '+') {
    if (typeof left === 'string' && typeof right === 'string') return concatenate(run, left, right);
    const joined = joinLists(run, left, right);
    if (joined) return joined;
  }
  if (operator === '%' && typeof left === 'string') return percentFormat(run, left, right);
  const leftNumber = asNumeric(left);
  const rightNumber = asNumeric(right);
  if (leftNumber !== undefined && rightNumber !== undefined) return arithmetic(operator, leftNumber, rightNumber);
  if (operator === '*') {
    const repeated = rightNumber === undefined ? repeat(run, right, left) : repeat(run, left, right);
    if (repeated !== undefined) return repeated;
  }
  const result = left instanceof PyObject ? left.operate(operator, right) : undefined;
  if (result !== undefined) return result;
  throw fault(`'${operator}' does not work between ${typeName(left)} and ${typeName(right)}`);
}

function concatenate(run: Run, left: string, right: string): string {
  run.sized(left.length + right.length);
  return left + right;
}

function joinLists(run: Run, left: Value, right: Value): Value | undefined {
  if (isList(left) && isList(right)) {
    run.step(left.length + right.length);
    return [...left, ...right];
  }
  const areTuples = left instanceof PySequence && right instanceof PySequence;
  if (!areTuples || left.kind !== 'tuple' || right.kind !== 'tuple') return undefined;
  run.step(left.items.length + right.items.length);
  return tuple([...left.items, ...right.items]);
}

function repeat(run: Run, value: Value, times: Value): Value | undefined {
  const isText = typeof value === 'string';
  const items = isList(value) ? value : value instanceof PySequence && value.kind === 'tuple' ? value.items : undefined;
  if (!isText && !items) return undefined;
  const count = Math.max(0, toIndex(times, 'a repetition'));
  if (isText) {
    run.sized(value.length * count);
    return value.repeat(value === '' ? 0 : count);
  }
  const source = items ?? [];
  const total = source.length * count;
  run.step(total);
  const result: Value[] = [];
  for (let index = 0; index < total; index++) result.push(source[index % source.length]!);
  return isList(value) ? result : tuple(result);
}

export function negative(value: Value): Value {
  return negate(numeric(value, '-'));
}

export function positive(value: Value): Value {
  return numeric(value, '+');
}

function numeric(value: Value, operator: string) {
  if (value instanceof Undefined) throw undefinedFault(value);
  const number = asNumeric(value);
  if (number === undefined) throw fault(`'${operator}' does not work on ${typeName(value)}`);
  return number;
}

export type Comparison = (run: Run, left: Value, right: Value) => boolean;

export const COMPARISONS: ReadonlyMap<string, Comparison> = new Map<string, Comparison>([
  ['==', (run, left, right) => equals(run, left, right)],
  ['!=', (run, left, right) => !equals(run, left, right)],
  ['<', (run, left, right) => compare(run, left, right) < 0],
  ['<=', (run, left, right) => compare(run, left, right) <= 0],
  ['>', (run, left, right) => compare(run, left, right) > 0],
  ['>=', (run, left, right) => compare(run, left, right) >= 0],
  ['in', (run, left, right) => contains(run, right, left)],
  ['not in', (run, left, right) => !contains(run, right, left)],
]);

/** `~`: both sides as text. */
export function concatText(run: Run, values: readonly Value[]): string {
  let text = '';
  for (const value of values) {
    const part = toText(run, value);
    run.grown(text.length, part.length);
    text += part;
  }
  return text;
}

/** `object.name` and `object["name"]`: own members, elements by index; everything else is undefined. */
export function member(run: Run, object: Value, key: Value): Value {
  if (object instanceof Undefined) throw undefinedFault(object);
  if (key instanceof Undefined) throw undefinedFault(key);
  const found = findMember(run, object, key);
  if (found !== undefined) return found;
  return new Undefined(String(typeof key === 'object' ? typeName(key) : key), run.scope.lenient);
}

function findMember(run: Run, object: Value, key: Value): Value | undefined {
  if (isMapping(object)) return typeof key === 'object' && key !== null ? undefined : mappingGet(object, key);
  if (object instanceof PyObject) return typeof key === 'string' ? object.attribute(key) : undefined;
  if (object instanceof PySequence && typeof key === 'string') {
    const field = object.fields?.indexOf(key) ?? -1;
    return field < 0 ? undefined : object.items[field];
  }
  if (typeof key !== 'number' && typeof key !== 'boolean') return undefined;
  const index = Number(key);
  if (typeof object === 'string') {
    if (object.length >= 64) run.step(object.length >>> 6);
    return at(characters(object), index);
  }
  if (isList(object)) return at(object, index);
  return object instanceof PySequence && isIndexable(object) ? at(object.items, index) : undefined;
}

function isIndexable(sequence: PySequence): boolean {
  return sequence.kind === 'tuple' || sequence.kind === 'range';
}

function at<Item>(items: ArrayLike<Item>, index: number): Item | undefined {
  return items[index < 0 ? items.length + index : index];
}

export function slice(run: Run, object: Value, bounds: readonly (Value | undefined)[]): Value {
  if (object instanceof Undefined) throw undefinedFault(object);
  const [start, stop, step = 1] = bounds.map(sliceBound);
  if (step === 0) throw fault('the step of a slice cannot be zero');
  if (typeof object === 'string') return sliceText(run, object, start, stop, step);
  const items = isList(object)
    ? object
    : object instanceof PySequence && isIndexable(object)
      ? object.items
      : undefined;
  if (!items) return new Undefined('slice');
  const { from, to, count } = sliceIndexes(items.length, start, stop, step);
  run.step(count);
  const part = sliceList(items, from, count, step);
  if (object instanceof PyRange) {
    return new PyRange(object.start + from * object.step, object.start + to * object.step, step * object.step, part);
  }
  return object instanceof PySequence ? tuple(part) : part;
}

function sliceText(run: Run, text: string, start: number | undefined, stop: number | undefined, step: number): string {
  run.step(text.length >>> 6);
  const items = characters(text);
  const { from, count } = sliceIndexes(items.length, start, stop, step);
  if (step === 1 && typeof items === 'string') return items.slice(from, from + count);
  return sliceList(items, from, count, step).join('');
}

function sliceBound(value: Value | undefined): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (value instanceof Undefined) throw undefinedFault(value);
  return toIndex(value, 'a slice index');
}

/** A range as Python's sandbox allows it; counted before anything is made. */
export function range(run: Run, start: number, stop: number, step: number): PyRange {
  if (step === 0) throw fault('range() needs a step other than zero');
  const count = Math.max(0, Math.ceil((stop - start) / step));
  if (!Number.isSafeInteger(count)) throw budgetFault('the range is too large');
  run.step(count);
  const items = Array.from({ length: count }, (_, index) => start + index * step);
  return new PyRange(start, stop, step, items);
}
