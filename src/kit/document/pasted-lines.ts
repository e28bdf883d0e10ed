/** Possible separators: if the first line has several of them equally often, the earliest in this list is used. */
const SEPARATORS = ['\t', ';', ',', '|'];

/** The text without line breaks around it, in which lines are counted. */
export function trimmedBreaks(written: string): string {
  return trimmed(written, '\r\n');
}

/** The text without any of these characters around it. A pattern would look at each run of them once for each of its characters. */
export function trimmed(text: string, characters: string): string {
  let [start, end] = [0, text.length];
  while (start < end && characters.includes(text.charAt(start))) start++;
  while (end > start && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

/**
 * Returns the character that separates the cells of the text: if its first line has several candidates equally often, the
 * earliest of them.
 */
export function separatorOf(text: string): string {
  const line = text.split(/\r?\n|\r/, 1)[0] ?? '';
  let best = ',';
  let most = 0;
  for (const candidate of SEPARATORS) {
    const count = line.split(candidate).length - 1;
    if (count > most) [best, most] = [candidate, count];
  }
  return best;
}

export interface PastedLine {
  /** That it ends on, counted from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** The position of a cell in the text, including its quotes; `row` counts all lines from 0. */
export interface CellPlace {
  readonly row: number;
  readonly from: number;
  readonly to: number;
}

/** A cell that begins with a quote ends at the next single one, and may hold separators and line breaks. */
export function readLines(
  text: string,
  separator: string,
  { lines: most = Number.POSITIVE_INFINITY, onCell }: { readonly lines?: number; onCell?(place: CellPlace): void } = {},
): readonly PastedLine[] {
  const lines: PastedLine[] = [];
  let cells: string[] = [];
  let cell = '';
  let line = 1;
  let isQuoted = false;
  let isFresh = true;
  let from = 0;
  const end = (to: number): void => {
    onCell?.({ row: lines.length, from, to });
    from = to + 1;
  };
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    const isBreak = character === '\n' || (character === '\r' && text[at + 1] !== '\n');
    if (isQuoted) {
      if (isBreak) line++;
      if (character !== '"') cell += character;
      else if (text[at + 1] === '"') {
        cell += '"';
        at++;
      } else isQuoted = false;
      continue;
    }
    if (character === '"' && isFresh) isQuoted = true;
    else if (character === separator) {
      cells.push(cell);
      end(at);
      cell = '';
      isFresh = true;
      continue;
    } else if (isBreak) {
      end(at);
      lines.push({ line, cells: [...cells, cell] });
      if (lines.length === most) return lines;
      cells = [];
      cell = '';
      line++;
      isFresh = true;
      continue;
    } else if (character !== '\r') cell += character;
    isFresh = false;
  }
  end(text.length);
  return [...lines, { line, cells: [...cells, cell] }];
}
