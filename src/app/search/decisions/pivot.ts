import type { LabelScalar } from '../../../ports/index.ts';
import { Spellings } from './spellings.ts';

export interface PivotLine {
  /** Empty: hosts without a value. */
  readonly value: string;
  readonly count: number;
  /** True if some of those without a value have an empty one. */
  readonly hasEmpty: boolean;
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
  readonly #ofRows = new Keys();
  readonly #ofColumns = new Keys();
  #isCut = false;

  add(rowValues: readonly LabelScalar[], columnValues: readonly LabelScalar[]): void {
    const columns = this.#ofColumns.of(columnValues);
    for (const column of columns) this.#columns.set(column, (this.#columns.get(column) ?? 0) + 1);
    for (const value of this.#ofRows.of(rowValues)) {
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
    const [rowOf, columnOf] = [this.#ofRows.shown(), this.#ofColumns.shown()];
    const shownColumns = sorted([...this.#columns].map(([key, count]) => ({ ...columnOf(key), count, key })));
    const shownRows = sorted([...this.#rows].map(([key, { count, cells }]) => ({ ...rowOf(key), count, cells })));
    const named = shownColumns.slice(0, columns);
    return {
      columns: named.map(({ key: _, ...column }) => column),
      rows: shownRows.slice(0, rows).map(({ cells, ...row }) => ({
        ...row,
        cells: named.map(({ key }) => cells.get(key) ?? 0),
      })),
      isCut: this.#isCut || shownRows.length > rows || shownColumns.length > columns,
    };
  }
}

/** The values of one field. */
class Keys {
  readonly #spellings = new Spellings();
  #hasEmpty = false;

  of(values: readonly LabelScalar[]): readonly string[] {
    const keys = [...new Set(values.map((value) => this.#spellings.keyOf(value)))].filter((key) => key !== NONE);
    if (keys.length > 0) return keys;
    this.#hasEmpty ||= values.length > 0;
    return [NONE];
  }

  shown(): (key: string) => Pick<PivotLine, 'value' | 'hasEmpty'> {
    const spelling = this.#spellings.shown();
    return (key) => ({ value: spelling(key), hasEmpty: key === NONE && this.#hasEmpty });
  }
}

function sorted<Line extends PivotLine>(lines: readonly Line[]): readonly Line[] {
  return [...lines].sort(
    (a, b) => Number(a.value === NONE) - Number(b.value === NONE) || b.count - a.count || (a.value < b.value ? -1 : 1),
  );
}
