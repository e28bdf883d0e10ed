import { Paper, Skeleton, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';

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
        <Skeleton h={31} w={80} role="status" aria-label="Loading" />
      ) : (
        <Text size="xl" fw={600} c={query.isError ? 'red' : 'inherit'} title={query.error?.message ?? ''}>
          {value === undefined || value === null ? 'unknown' : value.toLocaleString('en')}
        </Text>
      )}
    </Paper>
  );
}
