import { printable } from './escape.ts';
import { valueText } from './json.ts';
import { displayWidth } from './width.ts';

/** Makes names less prominent than their values. */
export interface Dim {
  dim(text: string): string;
}

export type Field = readonly [name: string, value: string];

/** Names and values under each other, each on a line. Values are made printable; names are the caller's own. */
export function fieldLines(fields: readonly Field[], colours: Dim): string {
  const width = Math.max(0, ...fields.map(([name]) => displayWidth(name)));
  return fields
    .map(([name, value]) => `${colours.dim(name + ' '.repeat(width - displayWidth(name)))}  ${printable(value)}`)
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}

/** A JSON value as indented names and values, one a line. */
export function indentedTree(value: unknown, colours: Dim, indent = ''): string {
  if (isObject(value)) {
    return Object.entries(value)
      .map(([name, member]) => branch(`${colours.dim(`${printable(name)}:`)}`, member, colours, indent))
      .join('');
  }
  if (Array.isArray(value)) return value.map((item) => branch(colours.dim('-'), item, colours, indent)).join('');
  return `${indent}${printable(valueText(value))}\n`;
}

function branch(head: string, value: unknown, colours: Dim, indent: string): string {
  const nested = (isObject(value) && Object.keys(value).length > 0) || (Array.isArray(value) && value.length > 0);
  if (!nested) return `${indent}${head} ${printable(valueText(value))}\n`;
  return `${indent}${head}\n${indentedTree(value, colours, `${indent}  `)}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
