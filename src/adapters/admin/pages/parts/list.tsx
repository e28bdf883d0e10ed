import { Group } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Answer } from './answer.tsx';
import { DataTable, type DataTableProps } from './data-table.tsx';
import { Turned, type TurnPagesProps } from './pager.tsx';
import { SearchField } from './search-field.tsx';

interface Find<Row> {
  readonly label: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  /** The texts of a row that are looked into. */
  readonly in: (row: Row) => readonly string[];
  /** Shown if no row has the text. */
  readonly none: string;
}

interface ListProps<Data, Row extends object> extends Omit<DataTableProps<Row>, 'rows' | 'empty'> {
  readonly of: UseQueryResult<Data, Error>;
  readonly rows: (data: Data) => readonly Row[];
  readonly empty: ReactNode | ((data: Data) => ReactNode);
  /** A field above that filters the rows by text, if all rows are here. */
  readonly find?: Find<Row>;
  /** Other controls above. */
  readonly controls?: ReactNode;
  /** Paging, for a list that is served in pages. */
  readonly pages?: (data: Data) => TurnPagesProps;
  readonly above?: (data: Data) => ReactNode;
}

/** Shows a list of the service: a row of controls, the rows or the reason there are none, and the links to other pages. */
export function List<Data, Row extends object>({
  of,
  rows,
  empty,
  find,
  controls,
  pages,
  above,
  ...table
}: ListProps<Data, Row>) {
  const wanted = find?.text.toLowerCase() ?? '';
  const list = (data: Data): ReactNode => {
    const all = rows(data);
    const found =
      find === undefined || wanted === ''
        ? all
        : all.filter((row) => find.in(row).some((text) => text.toLowerCase().includes(wanted)));
    const none = find !== undefined && all.length > 0 ? find.none : typeof empty === 'function' ? empty(data) : empty;
    const drawn = <DataTable {...table} rows={found} empty={none} />;
    return (
      <>
        {above?.(data)}
        {pages === undefined ? (
          drawn
        ) : (
          <Turned isStale={of.isPlaceholderData} {...pages(data)}>
            {drawn}
          </Turned>
        )}
      </>
    );
  };
  return (
    <>
      {(find !== undefined || controls !== undefined) && (
        <Group align="flex-end" gap="sm">
          {find !== undefined && (
            <SearchField label={find.label} w={320} maw="100%" value={find.text} onSearch={find.onText} />
          )}
          {controls}
        </Group>
      )}
      <Answer of={of}>{list}</Answer>
    </>
  );
}
