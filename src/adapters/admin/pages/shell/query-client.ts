import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { CallError } from '../calls/call.ts';
import { SESSION_KEY } from '../calls/session.ts';

/** Caches the answers of the service. When a session ends anywhere, the login page opens. */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: endSession }),
  mutationCache: new MutationCache({ onError: endSession }),
  defaultOptions: {
    queries: {
      staleTime: 2_000,
      retry: (count, error) => error instanceof CallError && error.code === 'unreachable' && count < 2,
    },
  },
});

/** Ends the session only if the service confirms it: a wrong password entered to confirm an action does not end one. */
function endSession(error: Error): void {
  if (error instanceof CallError && error.code === 'unauthenticated') {
    void queryClient.refetchQueries({ queryKey: SESSION_KEY });
  }
}
