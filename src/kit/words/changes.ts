import { printable } from './escape.ts';
import { valueText } from './json.ts';

export interface Change {
  readonly path: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** The colours that changes are shown in. */
interface ChangeColours {
  red(text: string): string;
  green(text: string): string;
}

/** One changed member on a line, with both values. */
export function changeLine({ path, before, after }: Change, colours: ChangeColours): string {
  if (before === undefined) return colours.green(`  + ${printable(path)} = ${shown(after)}`);
  if (after === undefined) return colours.red(`  - ${printable(path)} = ${shown(before)}`);
  return `  ~ ${printable(path)}  ${colours.red(shown(before))} → ${colours.green(shown(after))}`;
}

/** The same without colours, for a cell of a table, which makes it printable. */
export function changeText({ path, before, after }: Change): string {
  if (before === undefined) return `+ ${path} = ${valueText(after)}`;
  return after === undefined
    ? `- ${path} = ${valueText(before)}`
    : `~ ${path}  ${valueText(before)} → ${valueText(after)}`;
}

function shown(value: unknown): string {
  return printable(valueText(value));
}
