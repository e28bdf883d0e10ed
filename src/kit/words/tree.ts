import { printable } from './escape.ts';
import type { Dim } from './fields.ts';
import { valueText } from './json.ts';

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
