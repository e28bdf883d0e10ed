import { Group, Table, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react';
import {
  createColumnHelper,
  createSortedRowModel,
  rowSortingFeature,
  sortFn_alphanumeric,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { Fragment, type ReactNode, useMemo } from 'react';
import { PagesOf } from './pager.tsx';

const features = tableFeatures({
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { alphanumeric: sortFn_alphanumeric },
});

export interface Column<Row> {
  readonly id: string;
  readonly header: string;
  /** For columns of buttons, whose labels name their actions. */
  readonly isHeaderHidden?: boolean;
  /** For columns that only serve for clicking. */
  readonly isNotPrinted?: boolean;
  readonly cell: (row: Row) => ReactNode;
  /** Makes the column sortable; `null` sorts last. */
  readonly sortBy?: (row: Row) => string | number | boolean | null;
  /** Makes the column sortable by the service: the field to sort by. */
  readonly sortField?: string;
  /** Set for numbers. */
  readonly alignRight?: boolean;
}

interface ServiceOrder {
  /** The sort column of the rows, with a minus in front for descending order. */
  readonly sort: string;
  readonly onSort: (sort: string) => void;
}

export interface DataTableProps<Row> {
  /** Content of the table, for screen readers. */
  readonly caption: string;
  /** Made once, outside of the component or by `useMemo`. */
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** Shown if there are no rows. */
  readonly empty: ReactNode;
  /** Present if the service sorts, because not all rows are here. */
  readonly order?: ServiceOrder;
  /** Width in pixels; a narrower window scrolls the table sideways. */
  readonly minWidth?: number;
  /** Shows rows that are all here a page at a time: their name, and how many a page has. */
  readonly inPages?: { readonly of: string; readonly size: number };
  /** Renders a row, with its cells inside, other than as a plain one. */
  readonly rowAs?: (row: Row, cells: ReactNode) => ReactNode;
}

/** Rows of one kind. If all of them are loaded, sorting needs no call; longer lists come in pages, which the service sorts. */
export function DataTable<Row extends object>({
  caption,
  columns,
  rows,
  rowKey,
  empty,
  order,
  minWidth = 480,
  inPages,
  rowAs = plainRow,
}: DataTableProps<Row>) {
  const definitions = useMemo(() => {
    const helper = createColumnHelper<typeof features, Row>();
    return helper.columns(
      columns.map((column) =>
        helper.accessor((row) => column.sortBy?.(row) ?? undefined, {
          id: column.id,
          header: column.header,
          enableSorting: column.sortBy !== undefined,
          sortFn: 'alphanumeric',
          sortUndefined: 'last',
        }),
      ),
    );
  }, [columns]);
  const data = useMemo(() => [...rows], [rows]);
  const table = useTable({ features, columns: definitions, data, getRowId: rowKey });
  const byId = useMemo(() => new Map(columns.map((column) => [column.id, column])), [columns]);

  if (rows.length === 0) {
    return (
      <Text c="dimmed" py="lg" ta="center" component="div">
        {empty}
      </Text>
    );
  }
  const sorted = table.getRowModel().rows;
  const drawn = (shown: readonly (typeof sorted)[number][]) => (
    <Table.ScrollContainer minWidth={minWidth} type="native" className="cards list">
      {/* On a phone each row is a card. The roles keep it a table for screen readers. */}
      <Table role="table" highlightOnHover verticalSpacing={6} aria-label={caption}>
        <Table.Thead role="rowgroup">
          {table.getHeaderGroups().map((group) => (
            <Table.Tr key={group.id} role="row">
              {group.headers.map(({ id, column }) => {
                const { header, isHeaderHidden, isNotPrinted, alignRight, sortField } = byId.get(
                  column.id,
                ) as Column<Row>;
                const ordered = sortField === undefined ? undefined : order;
                const sorted = ordered === undefined ? column.getIsSorted() : sortedBy(ordered.sort, sortField);
                const sort =
                  ordered === undefined
                    ? column.getCanSort() && column.getToggleSortingHandler()
                    : () => ordered.onSort(sorted === 'asc' ? `-${sortField}` : `${sortField}`);
                return (
                  <Table.Th
                    key={id}
                    role="columnheader"
                    scope="col"
                    {...(sort && { 'data-sortable': true })}
                    {...(isNotPrinted && { className: 'not-printed' })}
                    ta={alignRight ? 'right' : 'left'}
                    aria-sort={sorted === false ? undefined : sorted === 'asc' ? 'ascending' : 'descending'}
                  >
                    {sort ? (
                      <UnstyledButton onClick={sort} fz="inherit" fw="inherit">
                        <Group gap={4} wrap="nowrap" justify={alignRight ? 'flex-end' : 'flex-start'}>
                          {header}
                          <SortIcon sorted={sorted} />
                        </Group>
                      </UnstyledButton>
                    ) : isHeaderHidden ? (
                      <VisuallyHidden>{header}</VisuallyHidden>
                    ) : (
                      header
                    )}
                  </Table.Th>
                );
              })}
            </Table.Tr>
          ))}
        </Table.Thead>
        <Table.Tbody role="rowgroup">
          {shown.map((row) => (
            <Fragment key={row.id}>
              {rowAs(
                row.original,
                columns.map((column) => (
                  <Table.Td
                    key={column.id}
                    role="cell"
                    {...(column.isNotPrinted && { className: 'not-printed' })}
                    ta={column.alignRight ? 'right' : 'left'}
                    {...(column.isHeaderHidden !== true && { 'data-label': column.header })}
                  >
                    {column.cell(row.original)}
                  </Table.Td>
                )),
              )}
            </Fragment>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
  if (inPages === undefined) return drawn(sorted);
  return (
    <PagesOf rows={sorted} label={inPages.of} size={inPages.size}>
      {drawn}
    </PagesOf>
  );
}

function plainRow(_row: object, cells: ReactNode): ReactNode {
  return <Table.Tr role="row">{cells}</Table.Tr>;
}

function sortedBy(sort: string, field: string | undefined): false | 'asc' | 'desc' {
  if (sort === field) return 'asc';
  return sort === `-${field}` ? 'desc' : false;
}

function SortIcon({ sorted }: { readonly sorted: false | 'asc' | 'desc' }) {
  if (sorted === false) return <IconArrowsSort size={14} stroke={1.4} opacity={0.5} aria-hidden />;
  return sorted === 'asc' ? <IconArrowUp size={14} aria-hidden /> : <IconArrowDown size={14} aria-hidden />;
}
