import type { Colours, Column } from '../../../app/kernel/print.ts';
import { printable } from '../../../kit/words/escape.ts';
import { displayWidth, truncated } from '../../../kit/words/width.ts';

export interface TableOptions {
  readonly colours: Colours;
  /** Columns of the terminal; absent in a pipe, which never cuts anything. */
  readonly width?: number | undefined;
}

const GAP = '  ';
const NARROWEST = 8;

/** Rows under headers, aligned by blanks alone. Every line ends with a line end; empty for no rows. */
export function renderTable<Row>(rows: readonly Row[], columns: readonly Column<Row>[], options: TableOptions): string {
  return tableWriter(columns, options)(rows);
}

/** The same for rows that come bit by bit: the first ones decide how wide the columns are, later ones may widen them. */
export function tableWriter<Row>(
  columns: readonly Column<Row>[],
  options: TableOptions,
): (rows: readonly Row[]) => string {
  let widths: readonly number[] | undefined;
  return (rows) => {
    if (rows.length === 0) return '';
    const cells = rows.map((row) => columns.map((column) => printable(column.value(row))));
    const lines: string[] = [];
    const first = widths === undefined;
    widths = fittedWidths(naturalWidths(cells, columns, widths), columns, options.width);
    if (first) lines.push(options.colours.dim(headerLine(columns, widths)));
    for (const [index, row] of rows.entries())
      lines.push(rowLine(row, cells[index] ?? [], columns, widths, options.colours));
    return lines.map((line) => `${line}\n`).join('');
  };
}

/** Capitals may be longer: ß becomes SS. */
function shownHeader<Row>({ header }: Column<Row>): string {
  return header.toUpperCase();
}

function headerLine<Row>(columns: readonly Column<Row>[], widths: readonly number[]): string {
  return joined(columns.map((column, index) => fitted(shownHeader(column), widths[index] ?? 0, column)));
}

function rowLine<Row>(
  row: Row,
  cells: readonly string[],
  columns: readonly Column<Row>[],
  widths: readonly number[],
  colours: Colours,
): string {
  const last = columns.length - 1;
  const line = columns.map((column, index) => {
    const text = fitted(cells[index] ?? '', widths[index] ?? 0, column);
    const shown = index === last ? text.trimEnd() : text;
    return column.paint === undefined ? shown : column.paint(shown, row, colours);
  });
  return joined(line);
}

function naturalWidths<Row>(
  cells: readonly string[][],
  columns: readonly Column<Row>[],
  least: readonly number[] | undefined,
): number[] {
  return columns.map((column, index) =>
    cells.reduce(
      (widest, row) => Math.max(widest, displayWidth(row[index] ?? '')),
      Math.max(displayWidth(shownHeader(column)), least?.[index] ?? 0),
    ),
  );
}

/** Takes from the widest column that may shrink until the line fits. */
function fittedWidths<Row>(
  natural: readonly number[],
  columns: readonly Column<Row>[],
  available: number | undefined,
): number[] {
  const widths = [...natural];
  if (available === undefined) return widths;
  let excess = widths.reduce((sum, width) => sum + width, GAP.length * (widths.length - 1)) - available;
  while (excess > 0) {
    const candidates = columns.flatMap((column, index) =>
      column.shrink && (widths[index] ?? 0) > NARROWEST ? [index] : [],
    );
    if (candidates.length === 0) break;
    const widest = candidates.reduce((best, index) => ((widths[index] ?? 0) > (widths[best] ?? 0) ? index : best));
    const second = Math.max(
      NARROWEST,
      ...candidates.filter((index) => index !== widest).map((index) => widths[index] ?? 0),
    );
    const step = Math.min(excess, Math.max(1, (widths[widest] ?? 0) - second));
    widths[widest] = (widths[widest] ?? 0) - step;
    excess -= step;
  }
  return widths;
}

function fitted<Row>(text: string, width: number, column: Column<Row>): string {
  const cut = truncated(text, width);
  const padding = ' '.repeat(Math.max(0, width - displayWidth(cut)));
  return column.align === 'right' ? padding + cut : cut + padding;
}

function joined(cells: readonly string[]): string {
  return cells.join(GAP).trimEnd();
}
