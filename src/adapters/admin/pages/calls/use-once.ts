import type { MutateOptions, UseMutationResult } from '@tanstack/react-query';
import { useCallback, useRef } from 'react';
import type { CallError } from './call.ts';

/**
 * Ignores a call with the same input while the first one is running: a worn mouse clicks twice before the button can be drawn as
 * busy.
 */
export function useOnce<Output, Input>(
  action: UseMutationResult<Output, CallError, Input>,
): UseMutationResult<Output, CallError, Input> {
  const running = useRef(new Map<string, Promise<Output>>());
  const { mutateAsync: send } = action;
  const mutateAsync = useCallback(
    (input: Input, options?: MutateOptions<Output, CallError, Input>): Promise<Output> => {
      const key = JSON.stringify([input]);
      const begun = running.current.get(key);
      if (begun !== undefined) return begun;
      const sent = send(input, options ?? {}).finally(() => running.current.delete(key));
      running.current.set(key, sent);
      return sent;
    },
    [send],
  );
  const mutate = useCallback(
    (input: Input, options?: MutateOptions<Output, CallError, Input>): void => {
      // Its problem is shown by the action.
      mutateAsync(input, options).catch(() => undefined);
    },
    [mutateAsync],
  );
  return { ...action, mutate, mutateAsync } as UseMutationResult<Output, CallError, Input>;
}
