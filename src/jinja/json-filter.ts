import { mappingEntries } from './compare.ts';
import { budgetFault, fault } from './fault.ts';
import { toIndex } from './number.ts';
import type { Run } from './run.ts';
import { floatText, MAX_VALUE_DEPTH, numberText } from './text.ts';
import { isList, isMapping, PyFloat, PySequence, typeName, Undefined, undefinedFault, type Value } from './value.ts';

interface Writer {
  readonly run: Run;
  readonly indent: number | undefined;
  readonly parts: string[];
  length: number;
}

/** Jinja's `tojson`: sorted keys, ASCII, and `<`, `>`, `&`, `'` escaped. */
export function toJson(run: Run, value: Value, indent: Value | undefined): string {
  const width = indent === undefined || indent === null ? undefined : toIndex(indent, 'indent');
  if (width !== undefined && (width < 0 || width > 16)) throw fault('the indent must be between 0 and 16');
  const writer: Writer = { run, indent: width, parts: [], length: 0 };
  write(writer, value, 0);
  return writer.parts.join('');
}

function put(writer: Writer, text: string): undefined {
  writer.length = writer.run.grown(writer.length, text.length);
  writer.parts.push(text);
}

function write(writer: Writer, value: Value, depth: number): undefined {
  if (depth > MAX_VALUE_DEPTH) throw budgetFault('a value is nested too deeply for JSON');
  if (typeof value === 'string') return put(writer, jsonString(writer, value));
  if (value === null || typeof value !== 'object') return put(writer, scalar(value));
  writer.run.step();
  if (value instanceof PyFloat) return put(writer, jsonFloat(value.value));
  if (isMapping(value)) return writeMapping(writer, value, depth);
  if (isList(value)) return writeList(writer, value, depth);
  if (value instanceof PySequence && value.kind === 'tuple') return writeList(writer, value.items, depth);
  if (value instanceof Undefined) throw undefinedFault(value);
  throw fault(`a value of type ${typeName(value)} is not JSON`);
}

function scalar(value: Value): string {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (typeof value === 'number') return Number.isInteger(value) ? numberText(value) : jsonFloat(value);
  if (typeof value === 'bigint') return value.toString();
  throw fault(`a value of type ${typeName(value)} is not JSON`);
}

function jsonFloat(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  return Number.isFinite(value) ? floatText(value) : value > 0 ? 'Infinity' : '-Infinity';
}

function jsonString(writer: Writer, text: string): string {
  writer.run.grown(writer.length, text.length);
  return JSON.stringify(text).replace(/[<>&'\u007f-\uffff]/g, (mark) => {
    return mark === '\u007f' ? mark : `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

function newLine(writer: Writer, depth: number): string {
  return writer.indent === undefined ? '' : `\n${' '.repeat(writer.indent * depth)}`;
}

function separator(writer: Writer, depth: number): string {
  return writer.indent === undefined ? ', ' : `,${newLine(writer, depth)}`;
}

function writeList(writer: Writer, items: readonly Value[], depth: number): undefined {
  if (items.length === 0) return put(writer, '[]');
  put(writer, `[${newLine(writer, depth + 1)}`);
  items.forEach((item, index) => {
    if (index > 0) put(writer, separator(writer, depth + 1));
    write(writer, item, depth + 1);
  });
  put(writer, `${newLine(writer, depth)}]`);
}

function writeMapping(writer: Writer, value: Value, depth: number): undefined {
  const entries = mappingEntries(value).map(([key, item]) => [keyText(key), item] as const);
  if (entries.length === 0) return put(writer, '{}');
  writer.run.step(entries.length);
  entries.sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0));
  put(writer, `{${newLine(writer, depth + 1)}`);
  entries.forEach(([key, item], index) => {
    if (index > 0) put(writer, separator(writer, depth + 1));
    put(writer, `${jsonString(writer, key)}: `);
    write(writer, item, depth + 1);
  });
  put(writer, `${newLine(writer, depth)}}`);
}

function keyText(key: Value): string {
  return typeof key === 'string' ? key : scalar(key);
}
