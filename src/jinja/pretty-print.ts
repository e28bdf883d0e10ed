import { compare, mappingEntries } from './compare.ts';
import { budgetFault, Fault } from './fault.ts';
import type { Run } from './run.ts';
import { textLength } from './sequence.ts';
import { splitLines } from './string-methods.ts';
import { MAX_VALUE_DEPTH, repr } from './text.ts';
import { isList, isMapping, PySequence, typeName, type Value } from './value.ts';

const WIDTH = 80;

interface Place {
  /** Columns before it. */
  readonly indent: number;
  /** Columns that what follows needs on its last line. */
  readonly allowance: number;
  readonly isOutermost: boolean;
}

/** Python's `pprint.pformat()`: dicts by their keys, and a line an element for what is wider than 80 columns. */
export function prettyPrint(run: Run, value: Value): string {
  return layOut(run, withSortedKeys(run, value), { indent: 0, allowance: 0, isOutermost: true });
}

function layOut(run: Run, value: Value, place: Place): string {
  const plain = repr(run, value);
  if (textLength(plain) <= WIDTH - place.indent - place.allowance) return plain;
  if (value === '') return plain;
  if (typeof value === 'string') return layOutText(run, value, place);
  if (isMapping(value)) return `{${layOutMembers(run, value, place)}}`;
  if (isList(value)) return `[${layOutItems(run, value, place, 1)}]`;
  if (!(value instanceof PySequence) || value.kind !== 'tuple') return plain;
  const end = value.items.length === 1 ? ',)' : ')';
  return `(${layOutItems(run, value.items, place, end.length)}${end}`;
}

function layOutItems(run: Run, items: readonly Value[], { indent, allowance }: Place, end: number): string {
  const parts = items.map((item, index) =>
    layOut(run, item, {
      indent: indent + 1,
      allowance: index === items.length - 1 ? allowance + end : 1,
      isOutermost: false,
    }),
  );
  return joined(run, parts, `,${lineAt(indent + 1)}`);
}

function layOutMembers(run: Run, value: Value, { indent, allowance }: Place): string {
  const entries = isMapping(value) ? mappingEntries(value) : [];
  const parts = entries.map(([key, item], index) => {
    const name = repr(run, key);
    const place = {
      indent: indent + 1 + textLength(name) + 2,
      allowance: index === entries.length - 1 ? allowance + 1 : 1,
      isOutermost: false,
    };
    return `${name}: ${layOut(run, item, place)}`;
  });
  return joined(run, parts, `,${lineAt(indent + 1)}`);
}

/** Writes a long text as several adjacent literals, broken after white space. */
function layOutText(run: Run, text: string, { indent, allowance, isOutermost }: Place): string {
  const column = isOutermost ? indent + 1 : indent;
  const room = WIDTH - column;
  const lines = splitLines(run, text, true);
  const pieces = lines.flatMap((line, index) => {
    const reserved = index === lines.length - 1 ? allowance + (isOutermost ? 1 : 0) : 0;
    const whole = repr(run, line);
    return textLength(whole) <= room - reserved ? [whole] : brokenLine(run, line, room, reserved);
  });
  const [only] = pieces;
  if (pieces.length === 1 && only !== undefined) return only;
  const block = joined(run, pieces, lineAt(column));
  return isOutermost ? `(${block})` : block;
}

function brokenLine(run: Run, line: string, room: number, reserved: number): readonly string[] {
  const words = line.match(/\S+\s*|\s+/g) ?? [];
  const pieces: string[] = [];
  let current = '';
  for (const [index, word] of words.entries()) {
    const width = index === words.length - 1 ? room - reserved : room;
    const longer = repr(run, current + word);
    run.step();
    if (current !== '' && textLength(longer) > width) {
      pieces.push(repr(run, current));
      current = word;
    } else {
      current += word;
    }
  }
  if (current !== '') pieces.push(repr(run, current));
  return pieces;
}

function lineAt(indent: number): string {
  return `\n${' '.repeat(indent)}`;
}

function joined(run: Run, parts: readonly string[], separator: string): string {
  let length = 0;
  for (const part of parts) length = run.grown(length, part.length + separator.length);
  return parts.join(separator);
}

function withSortedKeys(run: Run, value: Value, depth = 0): Value {
  if (depth > MAX_VALUE_DEPTH) throw budgetFault('a value is nested too deeply to be printed');
  const sorted = (item: Value) => withSortedKeys(run, item, depth + 1);
  if (isList(value)) {
    run.step(value.length);
    return value.map(sorted);
  }
  if (value instanceof PySequence && value.kind === 'tuple') {
    run.step(value.items.length);
    return new PySequence('tuple', value.items.map(sorted));
  }
  if (!isMapping(value)) return value;
  const entries = mappingEntries(value).map(([key, item]) => [key, sorted(item)] as const);
  run.step(entries.length);
  return new Map([...entries].sort(([left], [right]) => keyOrder(run, left, right)));
}

/** Keys that cannot be compared are ordered by their types. */
function keyOrder(run: Run, left: Value, right: Value): number {
  run.step();
  try {
    return compare(run, left, right);
  } catch (error) {
    if (!(error instanceof Fault) || error.kind === 'budget') throw error;
    return typeName(left) < typeName(right) ? -1 : 1;
  }
}
