import { t } from '@lingui/core/macro';
import { Skeleton, Stack } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Problem } from './problem.tsx';

interface AnswerProps<Data> {
  readonly of: UseQueryResult<Data, Error>;
  readonly children: (data: Data) => ReactNode;
}

/** Draws what the service answered; until then its outline, and its problem when there is one. */
export function Answer<Data>({ of: query, children }: AnswerProps<Data>) {
  if (query.isError) return <Problem error={query.error} retry={() => void query.refetch()} />;
  if (query.isPending) {
    return (
      <Stack gap="xs" role="status" aria-busy="true" aria-label={t`Loading`}>
        <Skeleton h={28} />
        <Skeleton h={28} />
        <Skeleton h={28} w="60%" />
      </Stack>
    );
  }
  return <>{children(query.data)}</>;
}
