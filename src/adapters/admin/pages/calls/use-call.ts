import { t } from '@lingui/core/macro';
import { notifications } from '@mantine/notifications';
import {
  keepPreviousData,
  type Query,
  type QueryKey,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { OfferedInput, OfferedName, OfferedOutput } from '../../offered-operations.ts';
import { CallError, call } from './call.ts';
import { useOnce } from './use-once.ts';

export interface AnswerOptions<Output> {
  /** Seconds between requests while the page is visible; may depend on the answer. */
  readonly everySeconds?: number | ((answer: Output | undefined) => number);
  /**
   * Greatest age of an answer that is expensive to get; by default a page that is opened or looked at again requests it again.
   */
  readonly freshSeconds?: number;
  /** False waits until it is true. */
  readonly enabled?: boolean;
}

/**
 * Returns the answer of an operation, cached and shared by name and input. An answer for other input stays until the new one is
 * there.
 */
export function useAnswer<Name extends OfferedName>(
  name: Name,
  input: OfferedInput<Name>,
  { everySeconds, freshSeconds, enabled = true }: AnswerOptions<OfferedOutput<Name>> = {},
): UseQueryResult<OfferedOutput<Name>, CallError> {
  return useQuery<OfferedOutput<Name>, CallError>({
    queryKey: [name, input],
    // The service stops work for a page that was left, or for a search that has changed.
    queryFn: ({ signal }) => call(name, input, signal),
    placeholderData: keepPreviousData,
    enabled,
    ...(freshSeconds === undefined ? {} : { staleTime: freshSeconds * 1000 }),
    refetchInterval: ({ state }) => {
      // A missing item only returns by a user's action, which requests it.
      if (state.error?.code === 'not_found') return false;
      const seconds = typeof everySeconds === 'function' ? everySeconds(state.data) : everySeconds;
      return seconds === undefined ? false : seconds * 1000;
    },
  });
}

export interface ActionOptions<Output> {
  /** Message shown on completion. */
  readonly done?: string | ((output: Output) => string);
  /** Operations or areas (`hosts`) whose answers are requested again. */
  readonly changes: readonly string[];
  /** Called on completion, before anything is requested again, even if the component that began it is no longer shown. */
  readonly onDone?: (output: Output) => void;
  /** Selects answers about deleted items: they are not awaited, nor requested again until their page is opened again. */
  readonly gone?: (query: QueryKey) => boolean;
  /** Message in a calm tone instead of a problem, if the desired state already exists. `undefined` for problems. */
  readonly calm?: (error: CallError) => string | undefined;
  /** True if the page itself shows `error`, at the place that it is about. */
  readonly showsProblem?: boolean;
}

/** Runs an operation that changes something: reports the result and refreshes what it changed. */
export function useAction<Name extends OfferedName>(name: Name, options: ActionOptions<OfferedOutput<Name>>) {
  const queries = useQueryClient();
  const { changes, gone = () => false } = options;
  const isOfChanges = ({ queryKey }: Query): boolean => isChanged(changes, queryKey[0]);
  const ofGone = (query: Query): boolean => isOfChanges(query) && gone(query.queryKey);
  const action = useMutation<OfferedOutput<Name>, CallError, OfferedInput<Name>>({
    mutationFn: (input) => call(name, input),
    onMutate: () => queries.cancelQueries({ predicate: ofGone }),
    async onSuccess(output) {
      const { done, onDone } = options;
      if (done !== undefined) {
        notifications.show({ message: typeof done === 'string' ? done : done(output), color: 'green' });
      }
      onDone?.(output);
      await Promise.all([
        queries.invalidateQueries({ predicate: ofGone, refetchType: 'none' }),
        queries.invalidateQueries({ predicate: (query) => isOfChanges(query) && !ofGone(query) }),
      ]);
    },
    onError(error) {
      void queries.invalidateQueries({ predicate: ofGone });
      const calm = options.calm?.(error);
      if (calm !== undefined) {
        notifications.show({ message: calm, color: 'gray' });
        void queries.invalidateQueries({ predicate: isOfChanges });
      } else if (options.showsProblem !== true) showProblem(error);
    },
  });
  return useOnce(action);
}

/** Shows a message for a failed call that has no place of its own on the page. A user asked to log in needs no other message. */
export function showProblem(error: Error): void {
  if (error instanceof CallError && error.code === 'unauthenticated') return;
  notifications.show({ title: t`That did not work`, message: error.message, color: 'red', autoClose: 12_000 });
}

/** True for answers to requests with this value, under one of these names of the input. */
export function isAbout([, input]: QueryKey, names: readonly string[], value: string): boolean {
  return typeof input === 'object' && input !== null && names.some((name) => Reflect.get(input, name) === value);
}

/** True for the operations of the areas, and for operations with these names. */
export function isChanged(changes: readonly string[], key: unknown): boolean {
  return typeof key === 'string' && changes.some((name) => key === name || key.startsWith(`${name}/`));
}
