import { ADDRESS_FUNCTIONS } from './address-functions.ts';
import { type CallableTable, define, type Parameters } from './call.ts';
import { isTrue, mappingEntries } from './compare.ts';
import { Cycler, Joiner } from './cycler.ts';
import { fault } from './fault.ts';
import { hashOf } from './hash.ts';
import { toIndex } from './number.ts';
import { range } from './operators.ts';
import { expectText, strip } from './plain-text.ts';
import { parsePythonLiteral } from './python-literal.ts';
import type { Run } from './run.ts';
import { iterate } from './sequence.ts';
import {
  type CallArguments,
  isList,
  isMapping,
  PyNamespace,
  PySequence,
  typeName,
  Undefined,
  type Value,
} from './value.ts';

function makeRange(run: Run, [start, stop, step]: Parameters): Value {
  const first = toIndex(start ?? 0, 'range()');
  if (stop === undefined) return range(run, 0, first, 1);
  return range(run, first, toIndex(stop, 'range()'), step === undefined ? 1 : toIndex(step, 'range()'));
}

function makeDict(run: Run, items: Parameters, args: CallArguments): Map<Value, Value> {
  const dict = new Map<Value, Value>();
  const [source] = items;
  if (items.length > 1) throw fault('dict() takes at most one positional argument');
  if (source !== undefined && isMapping(source)) {
    for (const [key, value] of mappingEntries(source)) dict.set(key, value);
  } else if (source !== undefined) {
    for (const pair of iterate(run, source)) {
      const [key, value, ...rest] = iterate(run, pair);
      if (key === undefined || value === undefined || rest.length > 0) throw fault('dict() needs pairs');
      dict.set(key, value);
    }
  }
  if (args.named) for (const [key, value] of args.named) dict.set(key, value);
  run.step(dict.size);
  return dict;
}

function makeNamespace(run: Run, items: Parameters, args: CallArguments): Value {
  const space = new PyNamespace();
  for (const [key, value] of makeDict(run, items, args)) {
    if (typeof key === 'string') space.members.set(key, value);
  }
  return space;
}

/** Missing attributes are an empty list; text is a Python list literal, or separated by commas. */
function getList(run: Run, value: Value): Value {
  if (value === null || value instanceof Undefined) return [];
  if (value instanceof PySequence) return [...value.items];
  if (typeof value !== 'string') return value;
  run.sized(value.length);
  const text = value.endsWith(',') ? value.slice(0, -1) : value;
  const literal = parsePythonLiteral(text.replaceAll('\n', ''));
  const items = literal === undefined ? splitCommas(text) : listOf(literal);
  run.step(items.length);
  return items;
}

function splitCommas(text: string): readonly Value[] {
  return text
    .split(',')
    .filter((part) => part !== '')
    .map(strip);
}

function listOf(literal: Value): readonly Value[] {
  const items = isList(literal) ? literal : literal instanceof PySequence ? literal.items : [literal];
  return items.map((item) => (typeof item === 'string' ? strip(item) : item));
}

/** Later dicts win; members without a true value are left out. */
function mergeListOfDicts(run: Run, value: Value): Value {
  if (typeof value === 'string') run.sized(value.length);
  const source = typeof value === 'string' ? (parsePythonLiteral(value.replaceAll('\n', '')) ?? null) : value;
  const merged = new Map<Value, Value>();
  if (!isTrue(run, source)) return merged;
  for (const item of iterate(run, source)) {
    if (!isMapping(item)) throw fault(`merge_list_of_dicts() needs dicts, not ${typeName(item)}`);
    const entries = mappingEntries(item);
    run.step(entries.length);
    for (const [key, member] of entries) if (isTrue(run, member)) merged.set(key, member);
  }
  return merged;
}

/** A dot is replaced too: existing rule files were written for a function that does so. */
function cleanUp(run: Run, value: Value | undefined): string {
  const text = expectText(value, 'the text to clean');
  run.sized(text.length);
  return strip(text)
    .replace(/[^a-zA-Z0-9_-]/gu, '_')
    .toLowerCase();
}

function evaluate(run: Run, value: Value, fallback: Value | undefined): Value {
  if (typeof value !== 'string') return value;
  run.sized(value.length);
  const literal = parsePythonLiteral(value);
  if (literal !== undefined) return literal;
  if (fallback !== undefined) return fallback;
  throw fault('eval() takes a Python literal, and this text is not one');
}

/** The value, or the default when it is missing, empty, `none` or `false`. */
function definedOr(run: Run, value: Value, fallback: Value): Value {
  if (typeof value === 'boolean') return value;
  if (value === null || value instanceof Undefined) return fallback;
  if (typeof value === 'string' && /^(?:false|none)$/i.test(value)) return fallback;
  return isTrue(run, value) ? value : fallback;
}

export const FUNCTIONS: CallableTable<null> = new Map([
  ...ADDRESS_FUNCTIONS,
  define<null>('range(start, stop?, step?)', (run, _self, args) => makeRange(run, args)),
  define<null>('dict(...)', (run, _self, items, all) => makeDict(run, items, all)),
  define<null>('cycler(...)', (_run, _self, items, { named }) => {
    if (named) throw fault('cycler() takes no named arguments');
    return new Cycler(items as readonly Value[]);
  }),
  define<null>('joiner(sep?)', (_run, _self, [separator]) => new Joiner(separator ?? ', ')),
  define<null>('namespace(...)', (run, _self, items, all) => makeNamespace(run, items, all)),
  define<null>('~get_list(input_list)', (run, _self, [value]) => getList(run, value ?? null)),
  define<null>('merge_list_of_dicts(input_list)', (run, _self, [value]) => mergeListOfDicts(run, value ?? null)),
  define<null>('cmk_cleanup_tag_id(input_str)', (run, _self, [value]) => cleanUp(run, value)),
  define<null>('cmk_cleanup_hostname(input_str)', (run, _self, [value]) => cleanUp(run, value)),
  define<null>('hash_value(value, length?)', (run, _self, [value, length]) => hashOf(run, value ?? null, [length])),
  define<null>('eval(string, default?)', (run, _self, [value, fallback]) => evaluate(run, value ?? null, fallback)),
  define<null>('~defined(string, default?)', (run, _self, [value, fallback]) =>
    definedOr(run, value ?? null, fallback ?? ''),
  ),
]);
