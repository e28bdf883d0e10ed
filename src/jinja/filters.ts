import { type Callable, type CallableTable, chargeTexts, define, invoke, type Parameters } from './call.ts';
import { isTrue } from './compare.ts';
import { fault } from './fault.ts';
import { attributePath } from './filter-kit.ts';
import { LIST_FILTERS } from './list-filters.ts';
import { NUMBER_FILTERS } from './number-filters.ts';
import { expectText } from './plain-text.ts';
import { REGEX_FILTERS } from './regex-filters.ts';
import type { Run } from './run.ts';
import { iterate } from './sequence.ts';
import { TESTS } from './tests.ts';
import { TEXT_FILTERS } from './text-filters.ts';
import { type CallArguments, filterInput, PyObject, PySequence, Undefined, type Value } from './value.ts';

export function applyFilter(run: Run, filter: Callable<Value>, value: Value, args: CallArguments): Value {
  if (filter.takesUndefined) return charged(run, filter, value, args);
  return charged(run, filter, filterInput(value), filterArguments(args));
}

function charged(run: Run, filter: Callable<Value>, value: Value, args: CallArguments): Value {
  chargeTexts(run, value, args);
  return invoke(run, filter, value, args);
}

function filterArguments(args: CallArguments): CallArguments {
  const { positional, named } = args;
  if (named === undefined && !positional.some((value) => value instanceof Undefined)) return args;
  return {
    positional: positional.map(filterInput),
    named: named && new Map([...named].map(([name, value]) => [name, filterInput(value)])),
  };
}

function map(run: Run, value: Value, args: CallArguments): Value {
  const items = iterate(run, value);
  const [name, ...rest] = args.positional;
  const attribute = args.named?.get('attribute');
  if (name === undefined) {
    if (attribute === undefined) throw fault('map() needs a filter or an attribute');
    const fallback = args.named?.get('default');
    return items.map((item) => attributePath(run, item, attribute, fallback));
  }
  const filter = FILTERS.get(expectText(name, 'the filter of map()'));
  if (!filter) throw fault(`there is no filter '${String(name)}'`);
  const inner = { positional: rest, named: args.named };
  return items.map((item) => applyFilter(run, filter, item, inner));
}

function choose(run: Run, value: Value, args: CallArguments, wanted: boolean, byAttribute: boolean): Value {
  const [attribute, rest] = byAttribute ? [args.positional[0], args.positional.slice(1)] : [undefined, args.positional];
  if (byAttribute && attribute === undefined) throw fault('selectattr() and rejectattr() need an attribute');
  const [name, ...operands] = rest;
  const test = name === undefined ? undefined : ALL_TESTS.get(expectText(name, 'the test'));
  if (name !== undefined && !test) throw fault(`there is no test '${String(name)}'`);
  const inner = { positional: operands, named: args.named };
  return iterate(run, value).filter((item) => {
    run.step();
    const subject = attribute === undefined ? item : attributePath(run, item, attribute);
    return (test ? isTrue(run, invoke(run, test, subject, inner)) : isTrue(run, subject)) === wanted;
  });
}

function chooser(wanted: boolean, byAttribute: boolean): Callable<Value>['body'] {
  return (run, value, _items, all) => choose(run, value, all, wanted, byAttribute);
}

/** Attributes of values that have any: loops, namespaces, macros. Never members of dicts, and never methods. */
function attribute(_run: Run, value: Value, [name]: Parameters): Value {
  const key = expectText(name, 'the name of an attribute');
  const found = value instanceof PyObject ? value.attribute(key) : fieldOf(value, key);
  return found ?? new Undefined(key);
}

function fieldOf(value: Value, name: string): Value | undefined {
  const index = value instanceof PySequence ? (value.fields?.indexOf(name) ?? -1) : -1;
  return value instanceof PySequence && index >= 0 ? value.items[index] : undefined;
}

/** With those that ask for other names of this language. */
export const ALL_TESTS: CallableTable<Value> = new Map([
  ...TESTS,
  define<Value>('filter()', (_run, value) => typeof value === 'string' && FILTERS.has(value)),
  define<Value>('test()', (_run, value) => typeof value === 'string' && ALL_TESTS.has(value)),
]);

export const FILTERS: CallableTable<Value> = new Map([
  ...TEXT_FILTERS,
  ...NUMBER_FILTERS,
  ...LIST_FILTERS,
  ...REGEX_FILTERS,
  define<Value>('attr(name)', attribute),
  define<Value>('map(...)', (run, value, _items, all) => map(run, value, all)),
  define<Value>('select(...)', chooser(true, false)),
  define<Value>('reject(...)', chooser(false, false)),
  define<Value>('selectattr(...)', chooser(true, true)),
  define<Value>('rejectattr(...)', chooser(false, true)),
]);
