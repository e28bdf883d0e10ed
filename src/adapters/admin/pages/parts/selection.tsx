import { t } from '@lingui/core/macro';
import { Checkbox } from '@mantine/core';
import { useRef, useState } from 'react';
import type { Column } from './data-table.tsx';

const NONE: ReadonlySet<string> = new Set();

interface Selection {
  readonly selected: ReadonlySet<string>;
  readonly select: (ids: Iterable<string>) => void;
  /** A range begins at the row that was chosen last. */
  readonly choose: (id: string, isChosen: boolean, isRange: boolean) => void;
}

/**
 * The selected rows of a list. `of`: the search behind them, as another search begins without any. `rows`: the keys of the shown
 * ones.
 */
export function useSelection(of: string, rows: readonly string[]): Selection {
  const [selection, setSelection] = useState({ of, ids: NONE });
  const last = useRef<string>(undefined);
  const selected = selection.of === of ? selection.ids : NONE;
  const select = (ids: Iterable<string>): void => setSelection({ of, ids: new Set(ids) });

  function choose(id: string, isChosen: boolean, isRange: boolean): void {
    const from = last.current === undefined ? -1 : rows.indexOf(last.current);
    const to = rows.indexOf(id);
    const range = isRange && from >= 0 ? rows.slice(Math.min(from, to), Math.max(from, to) + 1) : [id];
    const ids = new Set(selected);
    for (const one of range) {
      if (isChosen) ids.add(one);
      else ids.delete(one);
    }
    last.current = id;
    select(ids);
  }

  return { selected, select, choose };
}

/** The boxes in front of the rows; with Shift one takes all rows since the last one along. */
export function selectColumn<Row>(
  { selected, choose }: Selection,
  keyOf: (row: Row) => string,
  nameOf: (row: Row) => string = keyOf,
): Column<Row> {
  return {
    id: 'select',
    header: t`Select`,
    isHeaderHidden: true,
    isNotPrinted: true,
    cell(row) {
      const key = keyOf(row);
      return (
        <Checkbox
          size="xs"
          aria-label={t`Select ${{ name: nameOf(row) }}`}
          checked={selected.has(key)}
          onChange={({ currentTarget, nativeEvent }) =>
            choose(key, currentTarget.checked, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
          }
        />
      );
    },
  };
}
