import { t } from '@lingui/core/macro';
import { Skeleton, Stack } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { CallError } from '../calls/call.ts';
import { Problem } from './problem.tsx';

interface AnswerProps<Data> {
  readonly of: UseQueryResult<Data, Error>;
  readonly children: (data: Data) => ReactNode;
  /** Ways to continue if the requested item does not exist. */
  readonly whereMissing?: ReactNode;
}

/** Shows the answer of the service; until then its outline, or its problem. */
export function Answer<Data>({ of: query, children, whereMissing }: AnswerProps<Data>) {
  if (query.isError) {
    // A missing item does not appear by asking again.
    const isMissing = query.error instanceof CallError && query.error.code === 'not_found';
    if (isMissing) return <Problem error={query.error}>{whereMissing}</Problem>;
    return <Problem error={query.error} retry={() => void query.refetch()} />;
  }
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
