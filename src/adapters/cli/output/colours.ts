import { createColors } from 'picocolors';
import type { TerminalOutput } from '../terminal.ts';

export type Colours = ReturnType<typeof createColors>;

/** Colours for a stream: on a terminal only, and only when nobody asked for none (https://no-color.org). */
export function coloursOf(stream: TerminalOutput, environment: Readonly<Record<string, string | undefined>>): Colours {
  return createColors(wantsColour(stream, environment));
}

export function wantsColour(stream: TerminalOutput, environment: Readonly<Record<string, string | undefined>>): boolean {
  if (environment['NO_COLOR']) return false;
  if (environment['FORCE_COLOR'] && environment['FORCE_COLOR'] !== '0') return true;
  return stream.isTTY === true && environment['TERM'] !== 'dumb';
}
