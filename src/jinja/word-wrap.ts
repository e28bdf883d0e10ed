import { fault } from './fault.ts';
import { strip } from './plain-text.ts';
import type { Run } from './run.ts';
import { characters } from './sequence.ts';

export interface WrapOptions {
  readonly width: number;
  readonly breakLongWords: boolean;
  readonly breakOnHyphens: boolean;
}

let chunkPattern: RegExp | undefined;

/** White space, dashes between words, and words; a word may end behind a hyphen between letters. Made at its first use. */
function atSpacesAndHyphens(): RegExp {
  const space = '[\\t\\n\\x0b\\x0c\\r ]';
  const noSpace = '[^\\t\\n\\x0b\\x0c\\r ]';
  const word = '[\\p{L}\\p{N}_]';
  const letter = '[\\p{L}\\p{Nl}\\p{No}_]';
  const wordOrMark = `[\\p{L}\\p{N}_!"'&.,?]`;
  chunkPattern ??= new RegExp(
    `(${space}+|(?<=${wordOrMark})-{2,}(?=${word})|${noSpace}+?(?:` +
      `-(?:(?<=${letter}{2}-)|(?<=${letter}-${letter}-))(?=${letter}-?${letter})|` +
      `(?=${space}|$)|(?<=${wordOrMark})(?=-{2,}${word})))`,
    'u',
  );
  return chunkPattern;
}

const AT_SPACES = /([\t\n\v\f\r ]+)/;

/** A chunk, without what went into lines before. */
interface Rest {
  readonly characters: ArrayLike<string>;
  /** From here on there is only white space. */
  readonly blankFrom: number;
  from: number;
}

/** One paragraph in lines of at most this many characters, as Python's `textwrap` breaks them. */
export function wrapLine(run: Run, text: string, options: WrapOptions): readonly string[] {
  if (options.width <= 0) throw fault('the width must be positive');
  run.sized(text.length);
  const chunks = text.split(options.breakOnHyphens ? atSpacesAndHyphens() : AT_SPACES).filter((chunk) => chunk !== '');
  run.step(chunks.length);
  const waiting = chunks.map(restOf).reverse();
  const lines: string[] = [];
  while (waiting.length > 0) {
    run.step();
    const line = nextLine(waiting, lines.length > 0, options);
    if (line !== '') lines.push(line);
  }
  return lines;
}

function restOf(chunk: string): Rest {
  const all = characters(chunk);
  let blankFrom = all.length;
  while (blankFrom > 0 && strip(all[blankFrom - 1] ?? '') === '') blankFrom--;
  return { characters: all, blankFrom, from: 0 };
}

/** Takes a line from the end of the list. White space at its ends is left out. */
function nextLine(waiting: Rest[], isFurther: boolean, options: WrapOptions): string {
  const line: string[] = [];
  let room = options.width;
  if (isFurther && isBlank(waiting.at(-1))) waiting.pop();
  for (let next = waiting.at(-1); next && lengthOf(next) <= room; next = waiting.at(-1)) {
    waiting.pop();
    room -= lengthOf(next);
    line.push(take(next, lengthOf(next)));
  }
  const long = waiting.at(-1);
  if (long && lengthOf(long) > options.width) {
    // Nothing of it is a piece too, and keeps the white space before it: so does Python.
    if (options.breakLongWords) line.push(take(long, breakOf(long, room, options.breakOnHyphens)));
    else if (line.length === 0) line.push(take(long, lengthOf(long)));
    if (lengthOf(long) === 0) waiting.pop();
  }
  if (strip(line.at(-1) ?? '') === '') line.pop();
  return line.join('');
}

function lengthOf({ characters: all, from }: Rest): number {
  return all.length - from;
}

function take(rest: Rest, count: number): string {
  const { characters: all, from } = rest;
  rest.from += count;
  return typeof all === 'string'
    ? all.slice(from, rest.from)
    : Array.prototype.slice.call(all, from, rest.from).join('');
}

function isBlank(rest: Rest | undefined): boolean {
  return rest !== undefined && rest.from >= rest.blankFrom;
}

/** Behind the last hyphen that fits, unless there are only hyphens before it. */
function breakOf({ characters: all, from }: Rest, room: number, breakOnHyphens: boolean): number {
  if (!breakOnHyphens) return room;
  let hyphen = room - 1;
  while (hyphen > 0 && all[from + hyphen] !== '-') hyphen--;
  if (hyphen <= 0) return room;
  for (let index = 0; index < hyphen; index++) if (all[from + index] !== '-') return hyphen + 1;
  return room;
}
