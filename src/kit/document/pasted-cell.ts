import { type CellPlace, readLines, separatorOf, trimmedBreaks } from './pasted-lines.ts';
import { columnName } from './pasted-list.ts';

/** The text of a pasted list with one cell changed, and everything else as it was written. `line` is the one that the row ends on. */
export function withCell(written: string, line: number, column: string, value: string): string {
  const text = trimmedBreaks(written);
  const separator = separatorOf(text);
  const places: CellPlace[] = [];
  const lines = readLines(text, separator, { onCell: (place) => places.push(place) });
  const at = (lines[0]?.cells ?? []).findIndex((cell) => columnName(cell) === column);
  const row = lines.findIndex((candidate) => candidate.line === line);
  const cells = places.filter((place) => place.row === row);
  const last = cells.at(-1);
  if (at < 0 || row < 1 || last === undefined) return written;
  const place = cells[at];
  const cell = quoted(value, separator);
  if (place !== undefined) return `${text.slice(0, place.from)}${cell}${text.slice(withoutReturn(text, place))}`;
  const end = withoutReturn(text, last);
  return `${text.slice(0, end)}${separator.repeat(at - cells.length + 1)}${cell}${text.slice(end)}`;
}

/** The carriage return of a Windows line break does not belong to the cell before it. */
function withoutReturn(text: string, { from, to }: CellPlace): number {
  return to > from && text[to - 1] === '\r' ? to - 1 : to;
}

function quoted(value: string, separator: string): string {
  return value.includes(separator) || /["\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
