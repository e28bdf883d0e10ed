import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Table, Text } from '@mantine/core';
import { type KeyboardEvent, useRef } from 'react';
import type { PastedList } from '../../../../../kit/document/pasted-list.ts';

const SHOWN_ROWS = 50;

interface ListTableProps {
  readonly list: PastedList;
  readonly isReadOnly: boolean;
  readonly onCell: (line: number, column: string, value: string) => void;
}

/** The first rows of a pasted list. Cells are moved through as in a spreadsheet: Enter and the arrows up and down. */
export function ListTable({ list: { columns, rows }, isReadOnly, onCell }: ListTableProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  const shown = rows.slice(0, SHOWN_ROWS);

  function focusCell(row: number, column: number): void {
    // A changed cell is rendered again.
    requestAnimationFrame(() => {
      const cell = body.current?.rows[Math.min(Math.max(row, 0), shown.length - 1)]?.cells[column + 1];
      cell?.querySelector('input')?.focus();
    });
  }

  return (
    <>
      <Table.ScrollContainer minWidth={0} maxHeight={320} type="native">
        <Table
          withTableBorder
          withColumnBorders
          stickyHeader
          verticalSpacing={0}
          horizontalSpacing={0}
          className="list-table"
          aria-label={t`Rows of the pasted list`}
        >
          <Table.Thead>
            <Table.Tr>
              <Table.Th>
                <Trans>Line</Trans>
              </Table.Th>
              {columns.map((column) => (
                <Table.Th key={column}>{column}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody ref={body}>
            {shown.map(({ line, cells }, row) => (
              <Table.Tr key={line}>
                <Table.Th scope="row">{line}</Table.Th>
                {columns.map((column, index) => (
                  <Table.Td key={column}>
                    <Cell
                      key={cells[column]}
                      value={cells[column] ?? ''}
                      label={t`${column}, line ${line}`}
                      isReadOnly={isReadOnly}
                      onChange={(value) => onCell(line, column, value)}
                      onMove={(by) => focusCell(row + by, index)}
                    />
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {rows.length > shown.length && (
        <Text size="xs" c="dimmed">
          {plural({ count: rows.length - shown.length }, { one: 'and # more row', other: 'and # more rows' })}
        </Text>
      )}
    </>
  );
}

interface CellProps {
  readonly value: string;
  readonly label: string;
  readonly isReadOnly: boolean;
  readonly onChange: (value: string) => void;
  readonly onMove: (by: 1 | -1) => void;
}

const MOVES: Readonly<Record<string, 1 | -1>> = { Enter: 1, ArrowDown: 1, ArrowUp: -1 };

/** Input takes effect when the cell is left; until then Escape reverts it. */
function Cell({ value, label, isReadOnly, onChange, onMove }: CellProps) {
  // A field of one line would lose the breaks of the others.
  if (isReadOnly || value.includes('\n')) return <span className="list-cell">{value}</span>;

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    if (event.key === 'Escape') event.currentTarget.value = value;
    const by = MOVES[event.key];
    if (by === undefined || event.nativeEvent.isComposing) return;
    event.preventDefault();
    event.currentTarget.blur();
    onMove(by);
  }

  return (
    <input
      className="list-cell"
      aria-label={label}
      defaultValue={value}
      spellCheck={false}
      onKeyDown={onKeyDown}
      onBlur={(event) => {
        const typed = event.currentTarget.value.trim();
        if (typed !== value) onChange(typed);
      }}
    />
  );
}
