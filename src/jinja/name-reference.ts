import type { Names } from './names.ts';
import type { Evaluate, Run } from './run.ts';
import { deepCopy } from './sequence.ts';
import { TemplateSyntaxError } from './syntax-error.ts';
import { INTERNAL } from './tokens.ts';
import { Undefined, type Value } from './value.ts';

const CONSTANTS: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['true', true],
  ['True', true],
  ['false', false],
  ['False', false],
  ['none', null],
  ['None', null],
]);

const RESERVED: ReadonlySet<string> = new Set(['and', 'or', 'not', 'in', 'is', 'if', 'else', 'elif']);

/** Compiles a name to its meaning at this place: a constant, a value set by a block of the template, or a variable. */
export function compileName(name: string, names: Names): Evaluate {
  const constant = CONSTANTS.get(name);
  if (constant !== undefined) return () => constant;
  if (RESERVED.has(name) || name.startsWith(INTERNAL)) throw new TemplateSyntaxError(`unexpected '${name}'`);
  const { slots, isCertain } = names.slotsOf(name);
  const outer = isCertain ? () => new Undefined(name) : compileLateName(name, names, compileOuterName(name, names));
  const [slot] = slots;
  if (slot === undefined) return outer;
  if (isCertain && slots.length === 1) return (run) => run.slots[slot] as Value;
  return (run) => {
    for (const candidate of slots) {
      const value = run.slots[candidate];
      if (value !== undefined) return value;
    }
    return outer(run);
  };
}

/** In a macro: a name that the template sets behind it, outside of all blocks, or what it means otherwise. */
export function compileLateName(name: string, names: Names, otherwise: Evaluate): Evaluate {
  if (names.frames.length === 0) return otherwise;
  return (run) => {
    const slot = names.rootSlot(name);
    const value = slot === undefined ? undefined : run.slots[slot];
    return value === undefined ? otherwise(run) : value;
  };
}

/** A name that no block of the template sets, or has not set yet. */
function compileOuterName(name: string, names: Names): Evaluate {
  if (name === 'attributes') {
    names.readsAll = true;
    return names.changesValues
      ? (run) => ownCopy(run, '', () => run.scope.attributes() as ReadonlyMap<Value, Value>)
      : (run) => run.scope.attributes() as ReadonlyMap<Value, Value>;
  }
  names.read.add(name);
  const fallback = names.global(name);
  const read = (run: Run): Value => {
    const value = run.scope.get(name);
    return value === undefined ? (fallback ?? new Undefined(name, run.scope.lenient)) : (value as Value);
  };
  return names.changesValues ? (run) => ownCopy(run, name, () => read(run)) : read;
}

function ownCopy(run: Run, name: string, read: () => Value): Value {
  run.copies ??= new Map();
  const known = run.copies.get(name);
  if (known !== undefined) return known;
  const copy = deepCopy(run, read());
  run.copies.set(name, copy);
  return copy;
}
