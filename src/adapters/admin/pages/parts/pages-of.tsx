import { t } from '@lingui/core/macro';
import { Group, Pagination, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { numberText } from '../language/numbers.ts';
import { pageButtonsOf } from './page-buttons.ts';

interface PagesOfProps<Row> {
  readonly rows: readonly Row[];
  /** What the rows are, for the buttons: `skipped records`. */
  readonly label: string;
  /** How many a page has. */
  readonly size?: number;
  readonly children: (rows: readonly Row[]) => ReactNode;
}

/** Rows that are all here, a page at a time. */
export function PagesOf<Row>({ rows, label, size = 25, children }: PagesOfProps<Row>) {
  const [page, setPage] = useState(1);
  const pages = Math.max(1, Math.ceil(rows.length / size));
  const current = Math.min(page, pages);
  const start = (current - 1) * size;
  const [first, last] = [start + 1, Math.min(start + size, rows.length)];
  const count = numberText(rows.length);
  return (
    <>
      {children(rows.slice(start, start + size))}
      {pages > 1 && (
        <Group justify="space-between" mt="xs">
          <Text size="sm" c="dimmed">
            {t`${first} to ${last} of ${count}`}
          </Text>
          <Pagination size="sm" total={pages} value={current} onChange={setPage} {...pageButtonsOf(label)} />
        </Group>
      )}
    </>
  );
}
