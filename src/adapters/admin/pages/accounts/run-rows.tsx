import { t } from '@lingui/core/macro';
import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { numberText } from '../language/numbers.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { PagesOf } from '../parts/pager.tsx';

interface RunListProps {
  readonly title: string;
  /** Number of shown items; the list is hidden if it is 0. */
  readonly shown: number;
  /** Total number of items. */
  readonly total: number;
  /** The counted items, if the title does not name them. */
  readonly counted?: 'changes' | 'hosts';
  readonly children: ReactNode;
}

/** Lists the details of a run, as far as it reports all of them. */
export function RunList({ title, shown, total, counted, children }: RunListProps) {
  if (shown === 0) return null;
  return (
    <div>
      <Title order={3} size="h5">
        {total > shown ? partText(title, shown, numberText(total), counted) : title}
      </Title>
      {children}
    </div>
  );
}

function partText(title: string, shown: number, total: string, counted: RunListProps['counted']): string {
  switch (counted) {
    case 'changes':
      return t`${title}, the first ${shown} of ${total} changes`;
    case 'hosts':
      return t`${title}, the first ${shown} of ${total} hosts`;
    default:
      return t`${title}, the first ${shown} of ${total}`;
  }
}

interface RunRowsProps<Row> extends Omit<RunListProps, 'shown' | 'children'> {
  readonly rows: readonly Row[];
  /** Name of the rows, for the buttons. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rowKey: (row: Row) => string;
}

/** Shows the details of a run as a table, a page at a time. */
export function RunRows<Row extends object>({ rows, label, columns, rowKey, ...list }: RunRowsProps<Row>) {
  return (
    <RunList {...list} shown={rows.length}>
      <PagesOf rows={rows} label={label}>
        {(page) => <DataTable caption={list.title} columns={columns} rows={page} rowKey={rowKey} empty="" />}
      </PagesOf>
    </RunList>
  );
}
