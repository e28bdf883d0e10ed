/** Colours of a terminal, or none: each answers the text in that colour. */
export interface Colours {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
}

/** A column of a table for people. */
export interface Column<Row> {
  readonly header: string;
  readonly align?: 'left' | 'right';
  /** True lets the column be cut when the terminal is narrow. */
  readonly shrink?: boolean;
  /** True if it names the row, for `-o name`. If no column does, the first one is used. */
  readonly names?: boolean;
  /** Returns the sort key of the row, if it differs from the text of the cell. */
  sortBy?(row: Row): number | string;
  /** Plain text of the cell; the table makes it printable. */
  value(row: Row): string;
  /** Colours the padded cell. */
  paint?(text: string, row: Row, colours: Colours): string;
}

/** Output of an operation's view for a person. */
export interface Print {
  /** Colours of the result; `noteColours` are those of notes. */
  readonly colours: Colours;
  readonly noteColours: Colours;
  /** Part of the result. Waits while the reader is slow. Text from data must be made printable before. */
  result(text: string): Promise<void>;
  /** A line for the person that is not part of the result. It is made printable. */
  note(text: string): void;
  /** Number of columns of the terminal; absent in a pipe, for which nothing is cut. */
  readonly width: number | undefined;
  /** Names and values under each other. Values are made printable; names are the view's own. */
  fields(fields: readonly (readonly [name: string, value: string])[]): Promise<void>;
  /** Rows as a table, or in the form that the person asked for; `empty` is noted when there are none. */
  table<Row>(rows: readonly Row[], columns: readonly Column<Row>[], empty: string): Promise<void>;
  /** True where the person asked for columns, an order or a form: a view that shows more than a table hands its rows to `table` then. */
  readonly asksForTable: boolean;
  /** The work was done, and something of it failed: the command ends with that. */
  failed(): void;
  /** The person stopped the work before its end: the command ends with that. */
  cancelled(): void;
}
