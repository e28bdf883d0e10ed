import { useAnswer } from '../../calls/use-call.ts';

const CHANGES = 100;

/** The newest changes of a host, which several parts of its page show. */
export function useChanges(hostname: string) {
  return useAnswer('hosts/host-history', { hostname, limit: CHANGES });
}
