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
  run.step(parts.length);
  let value = item;
  for (const part of parts) {
    if (value instanceof Undefined) break;
    value = member(value, typeof part === 'string' && /^\d+$/.test(part) ? Number(part) : part);
  }
  return value instanceof Undefined && fallback !== undefined ? fallback : value;
}

/** Several attributes, separated by commas, make a list of keys. */
export function attributeKeys(run: Run, item: Value, path: Value | undefined, caseSensitive: boolean): Value {
  if (path === undefined || path === null) return sortKey(item, caseSensitive);
  const parts = typeof path === 'string' ? path.split(',') : [path];
  const keys = parts.map((part) => sortKey(defined(attributePath(run, item, part)), caseSensitive));
  return keys.length === 1 ? (keys[0] ?? null) : keys;
}

export function defined(value: Value): Value {
  if (value instanceof Undefined) throw undefinedFault(value);
  return value;
}

export function sortBy(run: Run, items: readonly Value[], keyOf: (item: Value) => Value, reverse: boolean): Value[] {
  run.step(items.length);
  const keyed = items.map((item) => ({ item, key: keyOf(item) }));
  keyed.sort((left, right) => {
    run.step();
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
