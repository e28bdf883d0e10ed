import { type CallableTable, chargeTexts, define, invoke } from './call.ts';
import { dictKey, equals, mappingEntries, mappingGet } from './compare.ts';
import { fault } from './fault.ts';
import { countOf } from './plain-text.ts';
import type { Run } from './run.ts';
import { iterate } from './sequence.ts';
import { STRING_METHODS } from './string-methods.ts';
import {
  type CallArguments,
  isDict,
  isList,
  isMapping,
  noMethod,
  PyCallable,
  PyObject,
  PySequence,
  tuple,
  typeName,
  Undefined,
  undefinedFault,
  type Value,
} from './value.ts';

/** Methods that change their list or dict. A template with one of them works on copies of the host's values. */
export const CHANGING_METHODS: ReadonlySet<string> = new Set(['append', 'extend', 'insert', 'pop', 'update']);

const SEQUENCE_METHODS: CallableTable<readonly Value[]> = new Map([
  define<readonly Value[]>('index(value)', (run, items, [value]) => {
    run.step(items.length);
    const found = items.findIndex((item) => equals(run, item, value ?? null));
    if (found < 0) throw fault('the value is not in the list');
    return found;
  }),
  define<readonly Value[]>('count(value)', (run, items, [value]) => {
    run.step(items.length);
    return items.filter((item) => equals(run, item, value ?? null)).length;
  }),
]);

const LIST_METHODS: CallableTable<Value[]> = new Map([
  define<Value[]>('append(value)', (_run, list, [value]) => {
    list.push(value ?? null);
    return null;
  }),
  define<Value[]>('extend(values)', (run, list, [values]) => {
    const items = [...iterate(run, values ?? null)];
    run.step(items.length);
    for (const item of items) list.push(item);
    return null;
  }),
  define<Value[]>('insert(index, value)', (run, list, [index, value]) => {
    run.step(list.length >>> 6);
    list.splice(countOf(index, 0, 'index'), 0, value ?? null);
    return null;
  }),
  define<Value[]>('pop(index?)', (run, list, [index]) => {
    run.step(list.length >>> 6);
    const at = countOf(index, -1, 'index');
    const [removed] = Math.abs(at + 0.5) <= list.length ? list.splice(at, 1) : [];
    if (removed === undefined) throw fault('pop from outside of the list');
    return removed;
  }),
  define<Value[]>('copy()', (run, list) => {
    run.step(list.length);
    return [...list];
  }),
]);

const DICT_METHODS: CallableTable<Value> = new Map([
  define<Value>('keys()', (run, dict) => new PySequence('dict_keys', iterate(run, dict))),
  define<Value>(
    'values()',
    (run, dict) =>
      new PySequence(
        'dict_values',
        entries(run, dict).map(([, item]) => item),
      ),
  ),
  define<Value>('items()', (run, dict) => new PySequence('dict_items', entries(run, dict).map(tuple))),
  define<Value>(
    'get(key, default?)',
    (_run, dict, [key, fallback]) => mappingGet(dict, key ?? null) ?? fallback ?? null,
  ),
  define<Value>('copy()', (run, dict) => new Map(entries(run, dict))),
  define<Value>('update(other?)', (run, dict, [other], all) => {
    const target = changeable(dict);
    for (const [key, item] of entries(run, other ?? new Map())) target.set(dictKey(key), item);
    if (all.named) for (const [key, item] of all.named) if (key !== 'other') target.set(key, item);
    return null;
  }),
  define<Value>('pop(key, default?)', (_run, dict, [key, fallback]) => {
    const target = changeable(dict);
    const at = dictKey(key ?? null);
    const found = target.get(at) ?? fallback;
    if (found === undefined) throw fault('the key is not in the dict');
    target.delete(at);
    return found;
  }),
]);

function entries(run: Run, dict: Value): readonly (readonly [Value, Value])[] {
  if (!isMapping(dict)) throw fault(`a value of type ${typeName(dict)} is not a dict`);
  const found = mappingEntries(dict);
  run.step(found.length);
  return found;
}

function changeable(dict: Value): Map<Value, Value> {
  if (isDict(dict)) return dict as Map<Value, Value>;
  throw fault('this dict cannot be changed');
}

export function callMethod(run: Run, object: Value, name: string, args: CallArguments): Value {
  if (typeof object === 'string') {
    chargeTexts(run, object, args);
    return call(run, STRING_METHODS, object, name, args, object);
  }
  if (object instanceof Undefined) throw undefinedFault(object);
  if (isList(object)) {
    const method = LIST_METHODS.get(name);
    if (method) return invoke(run, method, object as Value[], args);
    return call(run, SEQUENCE_METHODS, object, name, args, object);
  }
  if (isMapping(object)) {
    const held = DICT_METHODS.has(name) ? undefined : mappingGet(object, name);
    if (held instanceof PyCallable) return held.invoke(run, args);
    return call(run, DICT_METHODS, object, name, args, object);
  }
  if (object instanceof PyObject) {
    run.step();
    return object.call(run, name, args);
  }
  if (object instanceof PySequence && object.kind === 'tuple') {
    return call(run, SEQUENCE_METHODS, object.items, name, args, object);
  }
  throw noMethod(typeName(object), name);
}

function call<Self>(
  run: Run,
  table: CallableTable<Self>,
  self: Self,
  name: string,
  args: CallArguments,
  object: Value,
): Value {
  const method = table.get(name);
  if (!method) throw noMethod(typeName(object), name);
  return invoke(run, method, self, args);
}
