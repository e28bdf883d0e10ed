import type { Column } from './print.ts';

/** The name by which a person asks for a column: `last start (UTC)` is `last_start`. */
export function columnName({ header }: Pick<Column<never>, 'header'>): string {
  return header
    .replace(/\(.*?\)/g, '')
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_');
}

/** The names of the columns of a list, as its help says them. A column without a header is only for the eye. */
export function columnNames(columns: readonly Pick<Column<never>, 'header'>[]): readonly string[] {
  return columns.map(columnName).filter((name) => name !== '');
}
