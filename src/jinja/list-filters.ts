import { define, type Parameters } from './call.ts';
import { compare, dictKey, equals, isTrue, mappingEntries } from './compare.ts';
import { fault } from './fault.ts';
import { attributeKeys, attributePath, defined, flag, positiveCount, sortBy } from './filter-kit.ts';
import { operate } from './operators.ts';
import { expectText } from './plain-text.ts';
import type { Run } from './run.ts';
import { iterate } from './sequence.ts';
import { sortKey } from './tests.ts';
import { isList, isMapping, PyFloat, PySequence, tuple, typeName, Undefined, type Value } from './value.ts';

function first(run: Run, value: Value): Value {
  return iterate(run, value)[0] ?? new Undefined('first');
}

function last(run: Run, value: Value): Value {
  return iterate(run, value).at(-1) ?? new Undefined('last');
}

function list(run: Run, value: Value): Value {
  const items = iterate(run, value);
  run.step(items.length);
  return [...items];
}

function reverse(run: Run, value: Value): Value {
  const items = iterate(run, value);
  run.step(items.length);
  return typeof value === 'string' ? Array.from(value).reverse().join('') : [...items].reverse();
}

function unique(run: Run, value: Value, [caseSensitive, attribute]: Parameters): Value {
  const seen = new Set<Value>();
  const seenLists: Value[] = [];
  return iterate(run, value).filter((item) => {
    run.step();
    const key = attributeKeys(run, item, attribute, flag(caseSensitive));
    if (key !== null && typeof key === 'object' && !(key instanceof PyFloat)) return uniqueList(seenLists, run, key);
    const mark = dictKey(key);
    const isNew = !seen.has(mark);
    seen.add(mark);
    return isNew;
  });
}

/** Lists, tuples and dicts are compared one by one. */
function uniqueList(seen: Value[], run: Run, key: Value): boolean {
  run.step(seen.length);
  for (const other of seen) if (equals(run, key, other)) return false;
  seen.push(key);
  return true;
}

function sort(run: Run, value: Value, [reversed, caseSensitive, attribute]: Parameters): Value {
  const keyOf = (item: Value) => attributeKeys(run, item, attribute, flag(caseSensitive));
  return sortBy(run, iterate(run, value), keyOf, flag(reversed));
}

function extreme(sign: 1 | -1) {
  return (run: Run, value: Value, [caseSensitive, attribute]: Parameters): Value => {
    let best: { item: Value; key: Value } | undefined;
    for (const item of iterate(run, value)) {
      run.step();
      const key = attributeKeys(run, item, attribute, flag(caseSensitive));
      if (!best || compare(run, key, best.key) * sign > 0) best = { item, key };
    }
    return best ? best.item : new Undefined('an element of an empty list');
  };
}

function sum(run: Run, value: Value, [attribute, start]: Parameters): Value {
  let total: Value = start ?? 0;
  let list: Value[] | undefined;
  for (const item of iterate(run, value)) {
    run.step();
    const part = attribute === undefined || attribute === null ? item : attributePath(run, item, attribute);
    if (typeof part === 'string') throw fault('sum adds numbers, not texts');
    if (isList(total) && isList(part)) {
      // Grown in place: a new list for each addition takes quadratic time.
      run.step((list ? 0 : total.length) + part.length);
      list ??= [...total];
      for (const element of part) list.push(element);
      total = list;
    } else total = operate(run, '+', total, part);
  }
  return total;
}

function batch(run: Run, value: Value, [count, fill]: Parameters): Value {
  const size = positiveCount(count, 'linecount');
  const items = iterate(run, value);
  const rows: Value[][] = [];
  run.step(items.length);
  for (let start = 0; start < items.length; start += size) rows.push(items.slice(start, start + size));
  const final = rows.at(-1);
  if (final && fill !== undefined && fill !== null) {
    run.step(size - final.length);
    while (final.length < size) final.push(fill);
  }
  return rows;
}

function sliceColumns(run: Run, value: Value, [count, fill]: Parameters): Value {
  const slices = positiveCount(count, 'slices');
  const items = iterate(run, value);
  run.step(slices + items.length);
  const size = Math.floor(items.length / slices);
  const longer = items.length % slices;
  let position = 0;
  return Array.from({ length: slices }, (_, index) => {
    const width = size + (index < longer ? 1 : 0);
    const part = items.slice(position, position + width);
    position += width;
    return fill !== undefined && fill !== null && index >= longer ? [...part, fill] : part;
  });
}

function groupBy(run: Run, value: Value, [attribute, fallback, caseSensitive]: Parameters): Value {
  const plain = (item: Value) => defined(attributePath(run, item, attribute ?? null, fallback));
  const keyOf = (item: Value) => sortKey(run, plain(item), flag(caseSensitive));
  const groups: { key: Value; name: Value; items: Value[] }[] = [];
  for (const item of sortBy(run, iterate(run, value), keyOf, false)) {
    const key = keyOf(item);
    const group = groups.at(-1);
    if (group && equals(run, group.key, key)) group.items.push(item);
    else groups.push({ key, name: plain(item), items: [item] });
  }
  return groups.map(({ name, items }) => new PySequence('tuple', [name, items], ['grouper', 'list']));
}

function dictSort(run: Run, value: Value, [caseSensitive, by, reversed]: Parameters): Value {
  if (!isMapping(value)) throw fault(`dictsort needs a dict, not ${typeName(value)}`);
  const part = by === undefined ? 'key' : expectText(by, 'by');
  if (part !== 'key' && part !== 'value') throw fault("dictsort sorts by 'key' or 'value'");
  const pairs = mappingEntries(value).map(tuple);
  const keyOf = (pair: Value) => {
    const items = pair instanceof PySequence ? pair.items : [];
    return sortKey(run, items[part === 'key' ? 0 : 1] ?? null, flag(caseSensitive));
  };
  return sortBy(run, pairs, keyOf, flag(reversed));
}

function items(run: Run, value: Value): Value {
  if (value instanceof Undefined) return [];
  if (!isMapping(value)) throw fault(`items needs a dict, not ${typeName(value)}`);
  const entries = mappingEntries(value);
  run.step(entries.length);
  return entries.map(tuple);
}

function useDefault(run: Run, value: Value, [fallback, boolean]: Parameters): Value {
  if (value instanceof Undefined) return fallback ?? '';
  const replacesFalse = boolean !== undefined && isTrue(run, boolean);
  return replacesFalse && !isTrue(run, value) ? (fallback ?? '') : value;
}

export const LIST_FILTERS = [
  define<Value>('~default(default_value?, boolean?)', useDefault),
  define<Value>('~d(default_value?, boolean?)', useDefault),
  define<Value>('~items()', items),
  define<Value>('first()', first),
  define<Value>('last()', last),
  define<Value>('list()', list),
  define<Value>('reverse()', reverse),
  define<Value>('unique(case_sensitive?, attribute?)', unique),
  define<Value>('sort(reverse?, case_sensitive?, attribute?)', sort),
  define<Value>('min(case_sensitive?, attribute?)', extreme(-1)),
  define<Value>('max(case_sensitive?, attribute?)', extreme(1)),
  define<Value>('sum(attribute?, start?)', sum),
  define<Value>('batch(linecount, fill_with?)', batch),
  define<Value>('slice(slices, fill_with?)', sliceColumns),
  define<Value>('groupby(attribute, default?, case_sensitive?)', groupBy),
  define<Value>('dictsort(case_sensitive?, by?, reverse?)', dictSort),
];
