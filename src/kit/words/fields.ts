import { printable } from './escape.ts';
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
