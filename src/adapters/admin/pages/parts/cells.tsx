import type { ReactNode } from 'react';
import { numberText } from '../language/numbers.ts';
import type { Column } from './data-table.tsx';
import { StatusBadge, type Tone } from './status-badge.tsx';
import { When } from './when.tsx';

interface More<Row> extends Partial<Omit<Column<Row>, 'id' | 'header' | 'cell'>> {
  /** Smaller, below it. */
  readonly note?: (row: Row) => ReactNode;
}

/** Columns of lists by the content of their cells: each kind has one size, one way to break and one place for text below. */
export const cell = {
  /** Breaks anywhere, but never into a column of single letters. */
  text<Row>(id: string, header: string, of: (row: Row) => ReactNode, more: More<Row> = {}): Column<Row> {
    return cellOf('cell-text', id, header, of, more);
  },

  /** The subject of the row, mostly a link to its page; on a phone the head of its card. */
  link<Row>(id: string, header: string, of: (row: Row) => ReactNode, more: More<Row> = {}): Column<Row> {
    return cellOf('cell-text cell-link', id, header, of, more);
  },

  when<Row>(
    id: string,
    header: string,
    of: (row: Row) => string | false | null | undefined,
    more: More<Row> & { readonly never?: string } = {},
  ): Column<Row> {
    const { never, ...others } = more;
    // Returns nothing at all if there is no time to show.
    const moment = (row: Row): ReactNode => {
      const at = of(row);
      return at === undefined ? null : <When at={at} {...(never !== undefined && { never })} />;
    };
    return cellOf('one-line', id, header, moment, others);
  },

  number<Row>(id: string, header: string, of: (row: Row) => number | null, more: More<Row> = {}): Column<Row> {
    const text = (row: Row): ReactNode => {
      const value = of(row);
      return value === null ? null : numberText(value);
    };
    return cellOf('one-line', id, header, text, { alignRight: true, ...more });
  },

  badge<Row>(
    id: string,
    header: string,
    of: (row: Row) => { readonly tone: Tone; readonly text: string; readonly title?: string },
    more: More<Row> = {},
  ): Column<Row> {
    const badge = (row: Row): ReactNode => {
      const { text, ...rest } = of(row);
      return <StatusBadge {...rest}>{text}</StatusBadge>;
    };
    return cellOf('cell-badge', id, header, badge, more);
  },

  /** Buttons, whose labels name their actions. */
  act<Row>(id: string, header: string, of: (row: Row) => ReactNode): Column<Row> {
    return { id, header, isHeaderHidden: true, isNotPrinted: true, alignRight: true, cell: of };
  },
};

function cellOf<Row>(
  kind: string,
  id: string,
  header: string,
  of: (row: Row) => ReactNode,
  { note, ...more }: More<Row>,
): Column<Row> {
  return {
    id,
    header,
    ...more,
    cell(row) {
      const below = note?.(row);
      return (
        <div className={kind}>
          {of(row)}
          {below && <div className="cell-note">{below}</div>}
        </div>
      );
    },
  };
}
