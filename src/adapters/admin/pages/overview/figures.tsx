import { t } from '@lingui/core/macro';
import { Paper, Skeleton, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { numberText } from '../language/numbers.ts';

interface FigureProps<Data> {
  readonly label: ReactNode;
  readonly of: UseQueryResult<Data, Error>;
  readonly children: (data: Data) => number | null;
}

/** One number of the overview. */
export function Figure<Data>({ label, of: query, children }: FigureProps<Data>) {
  const value = query.data === undefined ? undefined : children(query.data);
  return (
    <Paper withBorder px="sm" py="xs">
      <Text size="sm" component="div">
        {label}
      </Text>
      {query.isPending ? (
        <Skeleton h={31} w={80} role="status" aria-label={t`Loading`} />
      ) : (
        <Text size="xl" fw={600} c={query.isError ? 'red' : 'inherit'} title={query.error?.message ?? ''}>
          {value === undefined || value === null ? t`unknown` : numberText(value)}
        </Text>
      )}
    </Paper>
  );
}
