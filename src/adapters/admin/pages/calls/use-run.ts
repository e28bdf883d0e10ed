import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Progress } from '../../../../app/kernel/operation.ts';
import type { OfferedInput, OfferedName, OfferedOutput } from '../../offered-operations.ts';
import { type CallError, callWithProgress } from './call.ts';
import { isChanged } from './use-call.ts';
import { useOnce } from './use-once.ts';

/** Runs long work, with its progress. It continues after the page is left; what it changed is requested again when it ends. */
export function useRun<Name extends OfferedName>(name: Name, changes: readonly string[]) {
  const queries = useQueryClient();
  const [progress, setProgress] = useState<Progress>();
  const run = useMutation<OfferedOutput<Name>, CallError, OfferedInput<Name>>({
    mutationFn(input) {
      let isKnown = false;
      return callWithProgress(name, input, (now) => {
        setProgress(now);
        // Lists of active runs do not know it yet.
        if (!isKnown) void queries.invalidateQueries({ queryKey: ['runs/list-active'] });
        isKnown = true;
      });
    },
    onMutate: () => setProgress(undefined),
    onSettled: () => queries.invalidateQueries({ predicate: ({ queryKey }) => isChanged(changes, queryKey[0]) }),
  });
  return { ...useOnce(run), progress };
}
