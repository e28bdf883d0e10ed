import { t } from '@lingui/core/macro';
import { Group, Pagination, Text } from '@mantine/core';
import { numberText } from '../language/numbers.ts';
import { pageButtonsOf } from './page-buttons.ts';

interface OffsetPagerProps {
  /** What is counted: `rules`. */
  readonly what: string;
  readonly start: number;
  readonly limit: number;
  readonly found: number;
  /** How many there are without any filter. */
  readonly total: number;
  readonly onStart: (start: number) => void;
}

/** How many there are, and the pages of a list that the service answers from an offset on. */
export function OffsetPager({ what, start, limit, found, total, onStart }: OffsetPagerProps) {
  const pages = Math.ceil(found / limit);
  return (
    <Group justify="space-between" mih={32}>
      <Text size="sm" c="dimmed" role="status">
        {rangeText({ what, start, limit, found, total })}
      </Text>
      {pages > 1 && (
        <Pagination
          size="sm"
          total={pages}
          value={Math.floor(start / limit) + 1}
          onChange={(page) => onStart((page - 1) * limit)}
          {...pageButtonsOf(what)}
        />
      )}
    </Group>
  );
}

function rangeText({ what, start, limit, found, total }: Omit<OffsetPagerProps, 'onStart'>): string {
  const first = numberText(start + 1);
  const last = numberText(Math.min(start + limit, found));
  const [count, all] = [numberText(found), numberText(total)];
  const isOnePage = found <= limit;
  if (found === total) return isOnePage ? `${count} ${what}` : t`${first} to ${last} of ${count} ${what}`;
  return isOnePage
    ? t`${count} ${what} found among ${all}`
    : t`${first} to ${last} of ${count} ${what} found among ${all}`;
}
