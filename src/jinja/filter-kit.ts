import { compare } from './compare.ts';
import { fault } from './fault.ts';
import { member } from './operators.ts';
import { countOf } from './plain-text.ts';
import type { Run } from './run.ts';
import { sortKey } from './tests.ts';
import { Undefined, undefinedFault, type Value } from './value.ts';

/** Follows `a.b.0`; undefined parts are a fault unless a default is given. */
export function attributePath(run: Run, item: Value, path: Value, fallback?: Value): Value {
  const parts = typeof path === 'string' ? path.split('.') : [path];
  run.step(parts.length + (typeof path === 'string' ? path.length >>> 6 : 0));
  let value = item;
  for (const part of parts) {
    if (value instanceof Undefined) break;
    value = member(run, value, typeof part === 'string' && /^\d+$/.test(part) ? Number(part) : part);
  }
  return value instanceof Undefined && fallback !== undefined ? fallback : value;
}

/** Several attributes, separated by commas, make a list of keys. */
export function attributeKeys(run: Run, item: Value, path: Value | undefined, caseSensitive: boolean): Value {
  if (path === undefined || path === null) return sortKey(run, item, caseSensitive);
  const parts = typeof path === 'string' ? path.split(',') : [path];
  const keys = parts.map((part) => sortKey(run, defined(attributePath(run, item, part)), caseSensitive));
  return keys.length === 1 ? (keys[0] ?? null) : keys;
}

export function defined(value: Value): Value {
  if (value instanceof Undefined) throw undefinedFault(value);
  return value;
}

/** Sorting takes many of them, each far cheaper than a loop round; what is costly to compare charges for itself. */
const COMPARISONS_A_STEP = 8;

export function sortBy(run: Run, items: readonly Value[], keyOf: (item: Value) => Value, reverse: boolean): Value[] {
  run.step(items.length);
  const keyed = items.map((item) => ({ item, key: keyOf(item) }));
  let compared = 0;
  keyed.sort((left, right) => {
    if (++compared % COMPARISONS_A_STEP === 0) run.step();
    return reverse ? compare(run, right.key, left.key) : compare(run, left.key, right.key);
  });
  return keyed.map(({ item }) => item);
}

export function flag(value: Value | undefined): boolean {
  return value === true || value === 1;
}

export function positiveCount(value: Value | undefined, what: string): number {
  const count = countOf(value, 0, what);
  if (count < 1) throw fault(`${what} must be positive`);
  return count;
}
