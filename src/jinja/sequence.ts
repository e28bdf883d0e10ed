import { mappingEntries, recordSize } from './compare.ts';
import { budgetFault, fault } from './fault.ts';
import type { Run } from './run.ts';
import { MAX_VALUE_DEPTH } from './text.ts';
import {
  isDict,
  isList,
  isMapping,
  isRecord,
  PySequence,
  typeName,
  Undefined,
  undefinedFault,
  type Value,
} from './value.ts';

const SURROGATE = /[\ud800-\udfff]/;

/** Characters as Python counts them; a text without surrogate pairs needs no list. */
export function characters(text: string): ArrayLike<string> & Iterable<string> {
  return SURROGATE.test(text) ? Array.from(text) : text;
}

export function textLength(text: string): number {
  return SURROGATE.test(text) ? Array.from(text).length : text.length;
}

/** Returns the elements that `for` iterates over. Charges the run for them. */
export function iterate(run: Run, value: Value): readonly Value[] {
  if (isList(value)) return value;
  if (typeof value === 'string') {
    run.step(value.length);
    return Array.from(value);
  }
  if (value instanceof PySequence) return value.items;
  if (value instanceof Undefined) {
    if (value.isSilent) return [];
    throw undefinedFault(value);
  }
  if (isDict(value)) {
    run.step(value.size);
    return [...value.keys()];
  }
  if (isRecord(value)) {
    const keys = Object.keys(value);
    run.step(keys.length);
    return keys;
  }
  throw fault(`a value of type ${typeName(value)} is not iterable`);
}

export function lengthOf(run: Run, value: Value): number {
  if (typeof value === 'string') return textLength(value);
  if (isList(value)) return value.length;
  if (value instanceof PySequence) return value.items.length;
  if (isDict(value)) return value.size;
  if (isRecord(value)) return recordSize(run, value);
  if (value instanceof Undefined) throw undefinedFault(value);
  throw fault(`a value of type ${typeName(value)} has no length`);
}

/** Bounds of a Python slice over `length` elements. */
export function sliceIndexes(length: number, start: number | undefined, stop: number | undefined, step: number) {
  const clamp = (index: number | undefined, fallback: number): number => {
    if (index === undefined) return fallback;
    const low = step < 0 ? -1 : 0;
    const high = step < 0 ? length - 1 : length;
    return index < 0 ? Math.max(index + length, low) : Math.min(index, high);
  };
  const from = clamp(start, step < 0 ? length - 1 : 0);
  const to = clamp(stop, step < 0 ? -1 : length);
  return { from, to, count: Math.max(0, Math.ceil((to - from) / step)) };
}

export function sliceList<Item>(items: ArrayLike<Item>, from: number, count: number, step: number): Item[] {
  const result: Item[] = [];
  for (let index = 0; index < count; index++) result.push(items[from + index * step]!);
  return result;
}

/** Own copy of a value, so that a template that changes lists never reaches the host's data. */
export function deepCopy(run: Run, value: Value, depth = 0): Value {
  if (depth > MAX_VALUE_DEPTH) throw budgetFault('a value is nested too deeply to be copied');
  if (isList(value)) {
    run.step(value.length + 1);
    return value.map((item) => deepCopy(run, item, depth + 1));
  }
  if (!isMapping(value)) return value;
  const entries = mappingEntries(value);
  run.step(entries.length + 1);
  return new Map(entries.map(([key, item]) => [key, deepCopy(run, item, depth + 1)]));
}
