import { createColors } from 'picocolors';
import type { Colours } from '../../../app/kernel/print.ts';
import type { TerminalOutput } from '../terminal.ts';

export function coloursOf(stream: TerminalOutput): Colours {
  return createColors(wantsColour(stream));
}

/** On a terminal only, and only when nobody asked for none (https://no-color.org), which the stream knows. */
export function wantsColour(stream: TerminalOutput): boolean {
  return stream.isTTY === true && stream.hasColors?.() === true;
}
