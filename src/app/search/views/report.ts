import { grouped } from '../../../kit/words/amounts.ts';
import type { Column, Print } from '../../kernel/print.ts';

interface Report {
  readonly rows_field: string;
  readonly columns_field: string | null;
  readonly size: number;
  readonly is_exact: boolean;
  readonly columns: readonly { readonly value: string; readonly count: number }[];
  readonly rows: readonly { readonly value: string; readonly count: number; readonly cells: readonly number[] }[];
  readonly is_cut: boolean;
}

type Row = Report['rows'][number];

const NONE = '(none)';

export async function reportView(report: Report, print: Print): Promise<void> {
  const { rows_field, columns_field, columns, rows, size, is_exact, is_cut } = report;
  const ofColumns =
    columns_field === null
      ? []
      : columns.map(({ value }, index) => amount(value || NONE, (row) => row.cells[index] ?? 0));
  await print.table(
    rows,
    [
      { header: rows_field, value: ({ value }: Row) => value || NONE },
      amount('hosts', ({ count }) => count),
      ...ofColumns,
    ],
    'The query finds no host.',
  );
  if (is_cut) print.note('There are further values: --values shows more.');
  if (!is_exact)
    print.note(`There are too many to look at all of them: these are the first ${grouped(size)} hosts by name.`);
}

function amount(header: string, of: (row: Row) => number): Column<Row> {
  return { header, align: 'right', sortBy: of, value: (row) => grouped(of(row)) };
}
