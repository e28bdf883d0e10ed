import { budgetFault, fault } from './fault.ts';
import { asNumeric, toNumber } from './number.ts';
import type { Run } from './run.ts';
import { MAX_VALUE_DEPTH } from './text.ts';
import { findText } from './text-search.ts';
import {
  isDict,
  isList,
  isMapping,
  isRecord,
  type JsonRecord,
  PyFloat,
  PyObject,
  PySequence,
  typeName,
  Undefined,
  undefinedFault,
  type Value,
} from './value.ts';

export function isTrue(run: Run, value: Value): boolean {
  switch (typeof value) {
    case 'boolean':
      return value;
    case 'string':
      return value !== '';
    case 'number':
      return value !== 0;
    case 'bigint':
      return true;
  }
  if (value === null) return false;
  if (isList(value)) return value.length > 0;
  if (isDict(value)) return value.size > 0;
  if (value instanceof Undefined) {
    if (value.isSilent) return false;
    throw undefinedFault(value);
  }
  if (value instanceof PyFloat) return value.value !== 0;
  if (value instanceof PySequence) return value.items.length > 0;
  if (isRecord(value)) return recordSize(run, value) > 0;
  return true;
}

export function equals(run: Run, left: Value, right: Value, depth = 0): boolean {
  if (typeof left === 'string' && typeof right === 'string') {
    if (left.length >= 64) run.step(left.length >>> 6);
    return left === right;
  }
  if (left instanceof Undefined || right instanceof Undefined) return areBothNothing(left, right);
  const leftNumber = asNumeric(left);
  if (leftNumber !== undefined) {
    const rightNumber = asNumeric(right);
    return rightNumber !== undefined && compareNumbers(leftNumber, rightNumber) === 0;
  }
  if (left === null || right === null || typeof left !== 'object' || typeof right !== 'object') return left === right;
  if (depth > MAX_VALUE_DEPTH) throw budgetFault('values are nested too deeply to be compared');
  run.step();
  if (isMapping(left)) return isMapping(right) && equalMappings(run, left, right, depth);
  const leftItems = sameKindItems(left, right);
  const rightItems = sameKindItems(right, left);
  if (left instanceof PyObject) return left === right || left.compareTo(right) === 0;
  if (!leftItems || !rightItems) return left === right;
  if (leftItems.length !== rightItems.length) return false;
  run.step(leftItems.length);
  return leftItems.every((item, index) => equals(run, item, rightItems[index] ?? null, depth + 1));
}

/** A silent undefined value equals another one, and nothing else; any other is a fault. */
function areBothNothing(left: Value, right: Value): boolean {
  for (const value of [left, right]) if (value instanceof Undefined && !value.isSilent) throw undefinedFault(value);
  return left instanceof Undefined && right instanceof Undefined;
}

function sameKindItems(value: Value, other: Value): readonly Value[] | undefined {
  if (isList(value)) return isList(other) ? value : undefined;
  if (!(value instanceof PySequence) || !(other instanceof PySequence)) return undefined;
  return value.kind === other.kind ? value.items : undefined;
}

function equalMappings(run: Run, left: Value, right: Value, depth: number): boolean {
  if (mappingSize(run, left) !== mappingSize(run, right)) return false;
  const entries = mappingEntries(left);
  run.step(entries.length);
  return entries.every(([key, item]) => {
    const other = mappingGet(right, key);
    return other !== undefined && equals(run, item, other, depth + 1);
  });
}

function compareNumbers(left: number | bigint | PyFloat, right: number | bigint | PyFloat): number {
  const a = left instanceof PyFloat ? left.value : left;
  const b = right instanceof PyFloat ? right.value : right;
  return a < b ? -1 : a > b ? 1 : a >= b ? 0 : Number.NaN;
}

/** Returns a negative number, zero or a positive number; NaN if a number is NaN. Throws for values that Python cannot order. */
export function compare(run: Run, left: Value, right: Value, depth = 0): number {
  if (typeof left === 'string' && typeof right === 'string') {
    if (left.length >= 64) run.step(left.length >>> 6);
    return left < right ? -1 : left > right ? 1 : 0;
  }
  if (left instanceof Undefined) throw undefinedFault(left);
  if (right instanceof Undefined) throw undefinedFault(right);
  const leftNumber = asNumeric(left);
  const rightNumber = asNumeric(right);
  if (leftNumber !== undefined && rightNumber !== undefined) return compareNumbers(leftNumber, rightNumber);
  const leftItems = sameKindItems(left, right);
  const rightItems = sameKindItems(right, left);
  const order = left instanceof PyObject ? left.compareTo(right) : undefined;
  if (order !== undefined) return order;
  if (!leftItems || !rightItems) throw fault(`${typeName(left)} and ${typeName(right)} have no order`);
  if (depth > MAX_VALUE_DEPTH) throw budgetFault('values are nested too deeply to be compared');
  const shared = Math.min(leftItems.length, rightItems.length);
  run.step(shared + 1);
  for (let index = 0; index < shared; index++) {
    const a = leftItems[index] ?? null;
    const b = rightItems[index] ?? null;
    if (!equals(run, a, b, depth + 1)) return compare(run, a, b, depth + 1);
  }
  return leftItems.length - rightItems.length;
}

/** `needle in container`. */
export function contains(run: Run, container: Value, needle: Value): boolean {
  if (container instanceof Undefined) {
    if (container.isSilent) return false;
    throw undefinedFault(container);
  }
  if (needle instanceof Undefined) throw undefinedFault(needle);
  if (typeof container === 'string') {
    if (typeof needle !== 'string') throw fault(`'in' on a text needs a text, not ${typeName(needle)}`);
    run.step(1 + (container.length >>> 6));
    return findText(container, needle) >= 0;
  }
  if (isMapping(container)) {
    run.step();
    return mappingGet(container, needle) !== undefined;
  }
  const items = isList(container) ? container : container instanceof PySequence ? container.items : undefined;
  if (!items) throw fault(`'in' needs a text, list or dict, not ${typeName(container)}`);
  run.step(items.length + 1);
  return items.some((item) => equals(run, item, needle));
}

/** Key of a Map for a Python key: 1, 1.0 and True are one key. */
export function dictKey(key: Value): Value {
  if (typeof key === 'boolean') return key ? 1 : 0;
  if (key instanceof PyFloat) return key.value;
  if (key instanceof Undefined) throw undefinedFault(key);
  if (typeof key === 'object' && key !== null) throw fault(`a value of type ${typeName(key)} cannot be a key`);
  return key;
}

/** Own members only, whatever they are called; `undefined` when there is none. */
export function mappingGet(mapping: Value, key: Value): Value | undefined {
  if (isDict(mapping)) return mapping.get(dictKey(key));
  if (!isRecord(mapping) || typeof key !== 'string') return undefined;
  return Object.hasOwn(mapping, key) ? mapping[key] : undefined;
}

function mappingSize(run: Run, mapping: Value): number {
  if (isDict(mapping)) return mapping.size;
  return isRecord(mapping) ? recordSize(run, mapping) : 0;
}

/** The engine lists the keys to count them: 8 ms for 50,000. */
export function recordSize(run: Run, record: JsonRecord): number {
  const size = Object.keys(record).length;
  if (size >= 16) run.step(size >>> 4);
  return size;
}

export function mappingEntries(mapping: Value): readonly (readonly [Value, Value])[] {
  if (isDict(mapping)) return [...mapping];
  return isRecord(mapping) ? Object.entries(mapping) : [];
}

export function numberOf(value: Value, what: string): number {
  const number = asNumeric(value);
  if (number === undefined) throw fault(`${what} needs a number, not ${typeName(value)}`);
  return toNumber(number);
}
