import { printable } from './escape.ts';
import { valueText } from './json.ts';
import type { Colours } from './print.ts';

export interface Change {
  readonly path: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** One changed member on a line, with both values. */
export function changeLine({ path, before, after }: Change, colours: Colours): string {
  if (before === undefined) return colours.green(`  + ${printable(path)} = ${shown(after)}`);
  if (after === undefined) return colours.red(`  - ${printable(path)} = ${shown(before)}`);
  return `  ~ ${printable(path)}  ${colours.red(shown(before))} → ${colours.green(shown(after))}`;
}

function shown(value: unknown): string {
  return printable(valueText(value));
}
