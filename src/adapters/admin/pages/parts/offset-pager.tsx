import { t } from '@lingui/core/macro';
import { Group, Pagination, Text } from '@mantine/core';
import { numberText } from '../language/numbers.ts';

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
  const number = (value: number): string => numberText(value);
  const range = pages > 1 ? t`${number(start + 1)} to ${number(Math.min(start + limit, found))} of ` : '';
  return (
    <Group justify="space-between" mih={32}>
      <Text size="sm" c="dimmed" role="status">
        {range}
        {number(found)} {what}
        {found === total ? '' : t` found among ${number(total)}`}
      </Text>
      {pages > 1 && (
        <Pagination
          size="sm"
          total={pages}
          value={Math.floor(start / limit) + 1}
          onChange={(page) => onStart((page - 1) * limit)}
          getControlProps={(control) => ({ 'aria-label': t`${control} page of ${what}` })}
          getItemProps={(page) => ({ 'aria-label': t`page ${page} of ${what}` })}
        />
      )}
    </Group>
  );
}
