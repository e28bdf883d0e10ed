import { budgetFault, fault } from './fault.ts';
import type { Run } from './run.ts';
import {
  isDict,
  isList,
  isRecord,
  PyFloat,
  PyObject,
  PyRange,
  PySequence,
  typeName,
  Undefined,
  undefinedFault,
  type Value,
} from './value.ts';

/** Depth of nested values that printing, comparing and copying follow. */
export const MAX_VALUE_DEPTH = 64;

/** Python's `str()`. */
export function toText(run: Run, value: Value): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
      return numberText(value);
    case 'boolean':
      return value ? 'True' : 'False';
    case 'bigint':
      return value.toString();
  }
  if (value === null) return 'None';
  return value instanceof Undefined && value.isSilent ? '' : repr(run, value);
}

/** Python's `repr()`, stopped at the size limit before it is exceeded by much. */
export function repr(run: Run, value: Value): string {
  const writer = { run, length: 0, parts: [] as string[] };
  write(writer, value, 0);
  return writer.parts.join('');
}

interface Writer {
  readonly run: Run;
  length: number;
  readonly parts: string[];
}

function put(writer: Writer, text: string): undefined {
  writer.length = writer.run.grown(writer.length, text.length);
  writer.parts.push(text);
}

function write(writer: Writer, value: Value, depth: number): undefined {
  if (depth > MAX_VALUE_DEPTH) throw budgetFault('a value is nested too deeply to be printed');
  if (typeof value === 'string') return put(writer, quote(value));
  if (typeof value !== 'object' || value === null) return put(writer, scalarText(writer.run, value));
  writer.run.step();
  if (isList(value)) {
    put(writer, '[');
    writeItems(writer, value, depth);
    return put(writer, ']');
  }
  if (isDict(value)) return writeEntries(writer, value.entries(), depth);
  if (isRecord(value)) return writeEntries(writer, Object.entries(value), depth);
  if (value instanceof PyFloat) return put(writer, floatText(value.value));
  if (value instanceof PySequence) return writeSequence(writer, value, depth);
  if (value instanceof Undefined) throw undefinedFault(value);
  if (value instanceof PyObject) return put(writer, value.text());
  throw fault(`a value of type ${typeName(value)} cannot be printed`);
}

function scalarText(run: Run, value: Value): string {
  switch (typeof value) {
    case 'number':
    case 'boolean':
    case 'bigint':
      return toText(run, value);
  }
  if (value === null) return 'None';
  throw fault(`a value of type ${typeName(value)} cannot be printed`);
}

function writeItems(writer: Writer, items: readonly Value[], depth: number): undefined {
  let first = true;
  for (const item of items) {
    if (!first) put(writer, ', ');
    first = false;
    write(writer, item, depth + 1);
  }
}

function writeEntries(writer: Writer, entries: Iterable<readonly [Value, Value]>, depth: number): undefined {
  put(writer, '{');
  let first = true;
  for (const [key, item] of entries) {
    if (!first) put(writer, ', ');
    first = false;
    write(writer, key, depth + 1);
    put(writer, ': ');
    write(writer, item, depth + 1);
  }
  put(writer, '}');
}

function writeSequence(writer: Writer, value: PySequence, depth: number): undefined {
  const { kind, items } = value;
  if (value instanceof PyRange) return put(writer, rangeText(value));
  if (kind === 'set' && items.length === 0) return put(writer, 'set()');
  if (kind === 'tuple' || kind === 'set') {
    put(writer, kind === 'tuple' ? '(' : '{');
    writeItems(writer, items, depth);
    return put(writer, kind === 'set' ? '}' : items.length === 1 ? ',)' : ')');
  }
  put(writer, `${kind}([`);
  writeItems(writer, items, depth);
  put(writer, '])');
}

function rangeText({ start, stop, step }: PyRange): string {
  return step === 1 ? `range(${start}, ${stop})` : `range(${start}, ${stop}, ${step})`;
}

export function numberText(value: number): string {
  if (!Number.isInteger(value)) return floatText(value);
  if (value === 0) return '0';
  return Math.abs(value) < 1e21 ? String(value) : BigInt(value).toString();
}

/** Python writes the same shortest digits as JavaScript, but changes to an exponent at 1e16 and below 1e-4. */
export function floatText(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  const [mantissa = '', exponentText = '0'] = value.toExponential().split('e');
  const exponent = Number(exponentText);
  if (exponent < -4 || exponent >= 16) {
    const digits = String(Math.abs(exponent)).padStart(2, '0');
    return `${mantissa}e${exponent < 0 ? '-' : '+'}${digits}`;
  }
  const text = exponent < 0 ? value.toFixed(mantissa.replace(/[-.]/g, '').length - 1 - exponent) : String(value);
  return text.includes('.') ? text : `${text}.0`;
}

const NEEDS_ESCAPE = /[\\\n\r\t]|[^\P{C}]|[^\P{Z} ]/u;
const ESCAPED = /[\\\n\r\t]|[^\P{C}]|[^\P{Z} ]/gu;

/** A Python string literal: single quotes, double ones when that saves escaping. */
function quote(text: string): string {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = NEEDS_ESCAPE.test(text) ? text.replace(ESCAPED, escapeCharacter) : text;
  return mark + (mark === "'" ? escaped.replaceAll("'", "\\'") : escaped) + mark;
}

function escapeCharacter(character: string): string {
  if (character === '\\') return '\\\\';
  if (character === '\n') return '\\n';
  if (character === '\r') return '\\r';
  if (character === '\t') return '\\t';
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x100) return `\\x${code.toString(16).padStart(2, '0')}`;
  if (code < 0x10000) return `\\u${code.toString(16).padStart(4, '0')}`;
  return `\\U${code.toString(16).padStart(8, '0')}`;
}
