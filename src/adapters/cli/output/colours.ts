import { createColors } from 'picocolors';
import type { Colours } from '../../../app/kernel/print.ts';
import type { TerminalOutput } from '../terminal.ts';

export function coloursOf(stream: TerminalOutput): Colours {
  return createColors(wantsColour(stream));
}

/** Colours are for terminals only, and only unless disabled (https://no-color.org), which the stream detects. */
export function wantsColour(stream: TerminalOutput): boolean {
  return stream.isTTY === true && stream.hasColors?.() === true;
}
