import type { LabelScalar } from '../../../ports/index.ts';

interface PivotLine {
  /** Empty: hosts without a value. */
  readonly value: string;
  readonly count: number;
}

export interface Pivot {
  /** By number of hosts, most first; those without a value last. */
  readonly rows: readonly (PivotLine & {
    /** One number for each column. */
    readonly cells: readonly number[];
  })[];
  readonly columns: readonly PivotLine[];
  /** True if there are further values. */
  readonly isCut: boolean;
}

/** With more different values a report is useless. */
const MOST_VALUES = 10_000;
const NONE = '';

/** How many hosts have which values of two fields. A host with several values counts for each. */
export class PivotCounter {
  readonly #rows = new Map<string, { count: number; readonly cells: Map<string, number> }>();
  readonly #columns = new Map<string, number>();
  #isCut = false;

  add(rowValues: readonly LabelScalar[], columnValues: readonly LabelScalar[]): void {
    const columns = textsOf(columnValues);
    for (const column of columns) this.#columns.set(column, (this.#columns.get(column) ?? 0) + 1);
    for (const value of textsOf(rowValues)) {
      let row = this.#rows.get(value);
      if (row === undefined) {
        if (this.#rows.size >= MOST_VALUES) {
          this.#isCut = true;
          continue;
        }
        row = { count: 0, cells: new Map() };
        this.#rows.set(value, row);
      }
      row.count++;
      for (const column of columns) row.cells.set(column, (row.cells.get(column) ?? 0) + 1);
    }
  }

  most(rows: number, columns: number): Pivot {
    const shownColumns = sorted([...this.#columns].map(([value, count]) => ({ value, count })));
    const shownRows = sorted([...this.#rows].map(([value, { count, cells }]) => ({ value, count, cells })));
    const named = shownColumns.slice(0, columns);
    return {
      columns: named,
      rows: shownRows.slice(0, rows).map(({ value, count, cells }) => ({
        value,
        count,
        cells: named.map((column) => cells.get(column.value) ?? 0),
      })),
      isCut: this.#isCut || shownRows.length > rows || shownColumns.length > columns,
    };
  }
}

function textsOf(values: readonly LabelScalar[]): readonly string[] {
  const texts = [...new Set(values.map((value) => String(value ?? '')))].filter((text) => text !== NONE);
  return texts.length === 0 ? [NONE] : texts;
}

function sorted<Line extends PivotLine>(lines: readonly Line[]): readonly Line[] {
  return [...lines].sort(
    (a, b) => Number(a.value === NONE) - Number(b.value === NONE) || b.count - a.count || (a.value < b.value ? -1 : 1),
  );
}
